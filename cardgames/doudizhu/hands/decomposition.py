"""Every way to split a hand into groups: the sets of moves, some perhaps twice, that use up each card once.

The lowest rank still held is covered first, by the moves that start there from the highest id down; a move passed over
stays out for good. So every decomposition comes once, and since single cards have the lowest ids no attempt ends in
vain. Paper 004, section "Fast Handheld Cards Decomposition", links 60 slots of cards and loses some; here none is lost.
`rules` is a record of type `DOUDIZHU_RULES`, a hand has 1 to 20 cards.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames.doudizhu.cards import card_count, holds
from cardgames.doudizhu.hands.shapes import MAX_HAND_SIZE, shape
from cardgames.doudizhu.moves.move_generation import MAX_MOVES, beats, lead_moves
from cardgames.doudizhu.moves.move_table import MOVE_CARDS, PASS
from cardgames.kernels.bits import lowest_bit
from cardgames.kernels.copying import copy_row
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import below
from cardgames.support.errors import InvalidInput

NO_GROUP = -1
"""What fills the rows of a sample after a decomposition's last group."""


class Options(NamedTuple):
    """Moves in the order in which they are tried: by their lowest rank, then from the highest id down."""

    ids: NDArray[np.int32]
    cards: NDArray[np.uint64]
    first: NDArray[np.int64]
    """[16] the position of the first move that starts at each rank."""


class SearchStack(NamedTuple):
    """Where the search stands: for each group so far, what was left before it, and the options tried by then."""

    remaining: NDArray[np.uint64]
    next_option: NDArray[np.int64]
    end: NDArray[np.int64]


@njit
def list_leads(rules, hand):
    """Return the ids of all moves that may be led from a hand."""
    ids = np.empty(MAX_MOVES, np.int32)
    return ids[: lead_moves(rules, hand, ids)]


@njit
def order_options(ids):
    """Return moves, given by ascending ids, as `Options`."""
    first = np.zeros(16, np.int64)
    for action in ids:
        first[(lowest_bit(MOVE_CARDS[action]) >> 2) + 1] += 1
    for rank in range(15):
        first[rank + 1] += first[rank]
    at = first.copy()
    order = np.empty(len(ids), np.int32)
    for action in ids[::-1]:
        rank = lowest_bit(MOVE_CARDS[action]) >> 2
        order[at[rank]] = action
        at[rank] += 1
    return Options(order, MOVE_CARDS[order], first)


@njit
def new_search_stack():
    """Return a walk that has not begun."""
    return SearchStack(
        np.empty(MAX_HAND_SIZE, np.uint64), np.empty(MAX_HAND_SIZE, np.int64), np.empty(MAX_HAND_SIZE, np.int64)
    )


@njit
def _fits_in_groups(table, rest, max_groups):
    """Return whether the hand `rest` splits into at most `max_groups` groups without chains; True without a `table`."""
    if table is None:
        return True
    return np.int64(table[shape(rest)]) <= max_groups


@njit
def next_decomposition(options, stack, num_groups, table, max_groups):
    """Go on to the next decomposition and return its number of groups, -1 if there is none.

    `num_groups` is what was returned for the one before. Group k is the option before `stack.tried[k]`. If there are no chains
    among the options, a shape `table` keeps to decompositions of at most `max_groups` groups; else it is None.
    """
    depth = num_groups - 1
    while depth >= 0:
        remaining, option, end = stack.remaining[depth], stack.next_option[depth], stack.end[depth]
        while option < end and not (
            holds(remaining, options.cards[option])
            and _fits_in_groups(table, remaining - options.cards[option], max_groups - depth - 1)
        ):
            option += 1
        if option == end:
            depth -= 1
            continue
        stack.next_option[depth] = option + 1
        rest = remaining - options.cards[option]
        if rest == 0:
            return depth + 1
        depth += 1
        rank = lowest_bit(rest) >> 2
        stack.remaining[depth], stack.end[depth] = rest, options.first[rank + 1]
        stack.next_option[depth] = option if stack.end[depth] == end else options.first[rank]
    return -1


@njit
def first_decomposition(options, stack, hand, table, max_groups):
    """Begin the walk over a hand's decompositions, and return as `next_decomposition` does."""
    if hand == 0:
        return 0
    rank = lowest_bit(hand) >> 2
    stack.remaining[0], stack.next_option[0], stack.end[0] = hand, options.first[rank], options.first[rank + 1]
    return next_decomposition(options, stack, 1, table, max_groups)


@njit
def grow_arrays(flat_groups, starts, end, count):
    """Return both arrays of some decompositions (`all_decompositions`), longer where one more might find no room."""
    if end + MAX_HAND_SIZE > len(flat_groups):
        flat_groups = _doubled(flat_groups)
    if count + 2 > len(starts):
        starts = _doubled(starts)
    return flat_groups, starts


@njit
def _doubled(array):
    """Return a copy of `array` twice as long, its second half not filled."""
    double = np.empty(2 * len(array), array.dtype)
    copy_row(double[: len(array)], array)
    return double


@njit
def write_groups(options, stack, num_groups, out, at):
    """Write the groups of a decomposition from `out[at]` on."""
    for k in range(num_groups):
        out[at + k] = options.ids[stack.next_option[k] - 1]


@njit
def all_decompositions(rules, hand, limit):
    """Return the groups of a hand's decompositions one after the other, and where each begins (and the last one ends).

    Stops after `limit` decompositions. Shapes [groups] int32 and [decompositions + 1] int64.
    """
    options, stack = order_options(list_leads(rules, hand)), new_search_stack()
    flat_groups, starts = np.empty(1 << 16, np.int32), np.empty(1 << 13, np.int64)
    starts[0] = count = end = 0
    num_groups = first_decomposition(options, stack, hand, None, 0)
    while num_groups >= 0 and count < limit:
        flat_groups, starts = grow_arrays(flat_groups, starts, end, count)
        write_groups(options, stack, num_groups, flat_groups, end)
        end += num_groups
        count += 1
        starts[count] = end
        num_groups = next_decomposition(options, stack, num_groups, None, 0)
    return flat_groups[:end], starts[: count + 1]


@njit
def count_decompositions(rules, hand):
    """Return how many decompositions a hand has."""
    options, stack = order_options(list_leads(rules, hand)), new_search_stack()
    count = 0
    num_groups = first_decomposition(options, stack, hand, None, 0)
    while num_groups >= 0:
        count += 1
        num_groups = next_decomposition(options, stack, num_groups, None, 0)
    return count


@njit
def _mark_replies(options, last):
    """Return which options beat the move `last`; all of them if that is `PASS`."""
    beats_last = np.ones(len(options.ids), np.bool_)
    if last != PASS:
        for option in range(len(beats_last)):
            beats_last[option] = beats(options.ids[option], last)
    return beats_last


@njit
def sample_decompositions(rules, hand, last, stream, rows):
    """Fill `rows` with random decompositions, each as likely as any other, and return how many there were to choose from.

    With the id of a move as `last`, only decompositions with a group that beats it count; with `PASS`, all. `rows` is
    int32 [n, 20 or more]; a row ends with `NO_GROUP`s, and rows beyond the returned number stay untouched.
    Source: reservoir sampling (Vitter 1985, algorithm R).
    """
    options, stack = order_options(list_leads(rules, hand)), new_search_stack()
    beats_last = _mark_replies(options, last)
    count = 0
    num_groups = first_decomposition(options, stack, hand, None, 0)
    while num_groups >= 0:
        qualifies = False
        for k in range(num_groups):
            qualifies |= beats_last[stack.next_option[k] - 1]
        if qualifies:
            row = count if count < len(rows) else below(stream, count + 1)
            count += 1
            if row < len(rows):
                rows[row] = NO_GROUP
                write_groups(options, stack, num_groups, rows[row], 0)
        num_groups = next_decomposition(options, stack, num_groups, None, 0)
    return count


@dataclass(frozen=True)
class Decompositions:
    """Decompositions of one hand."""

    groups: NDArray[np.int32]
    """Their groups, as move ids, one decomposition after the other."""
    starts: NDArray[np.int64]
    """[decompositions + 1] where each begins in `groups`, and the end of the last."""

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __iter__(self) -> Iterator[list[int]]:
        """Yield the group ids of each decomposition."""
        for start, end in itertools.pairwise(self.starts):
            yield self.groups[start:end].tolist()


def checked_hand(hand: int) -> np.uint64:
    """Return a hand as kernels take it. Raises `InvalidInput` unless it has 1 to 20 cards."""
    cards = int(card_count(np.uint64(hand)))
    if not 1 <= cards <= MAX_HAND_SIZE:
        raise InvalidInput(f"a hand has 1 to {MAX_HAND_SIZE} cards, not {cards}")
    return np.uint64(hand)


def decompositions(rules: Any, hand: int, limit: int | None = None) -> Decompositions:
    """Return every decomposition of a hand, or the first `limit` of them. Raises `InvalidInput` (see `checked_hand`)."""
    most = np.iinfo(np.int64).max if limit is None else limit
    return Decompositions(*all_decompositions(rules, checked_hand(hand), most))
