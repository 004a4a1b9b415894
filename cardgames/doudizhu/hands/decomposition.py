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
from cardgames.doudizhu.hands.shapes import MOST_CARDS, shape
from cardgames.doudizhu.moves.move_generation import MOST_MOVES, beats, lead_moves
from cardgames.doudizhu.moves.move_table import CARDS, PASS
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


class Walk(NamedTuple):
    """Where the search stands: for each group so far, what was left before it, and the options tried by then."""

    left: NDArray[np.uint64]
    tried: NDArray[np.int64]
    end: NDArray[np.int64]


@njit
def leads(rules, hand):
    """Return the ids of all moves that may be led from a hand."""
    ids = np.empty(MOST_MOVES, np.int32)
    return ids[: lead_moves(rules, hand, ids)]


@njit
def in_order(ids):
    """Return moves, given by ascending ids, as `Options`."""
    first = np.zeros(16, np.int64)
    for action in ids:
        first[(lowest_bit(CARDS[action]) >> 2) + 1] += 1
    for rank in range(15):
        first[rank + 1] += first[rank]
    at = first.copy()
    order = np.empty(len(ids), np.int32)
    for action in ids[::-1]:
        rank = lowest_bit(CARDS[action]) >> 2
        order[at[rank]] = action
        at[rank] += 1
    return Options(order, CARDS[order], first)


@njit
def new_walk():
    """Return a walk that has not begun."""
    return Walk(np.empty(MOST_CARDS, np.uint64), np.empty(MOST_CARDS, np.int64), np.empty(MOST_CARDS, np.int64))


@njit
def _may_do(table, rest, most):
    """Return whether the hand `rest` splits into at most `most` groups without chains; True without a `table`."""
    if table is None:
        return True
    return np.int64(table[shape(rest)]) <= most


@njit
def next_decomposition(options, walk, groups, table, most):
    """Go on to the next decomposition and return its number of groups, -1 if there is none.

    `groups` is what was returned for the one before. Group k is the option before `walk.tried[k]`. If there are no chains
    among the options, a shape `table` keeps to decompositions of at most `most` groups; else it is None.
    """
    at = groups - 1
    while at >= 0:
        left, option, end = walk.left[at], walk.tried[at], walk.end[at]
        while option < end and not (
            holds(left, options.cards[option]) and _may_do(table, left - options.cards[option], most - at - 1)
        ):
            option += 1
        if option == end:
            at -= 1
            continue
        walk.tried[at] = option + 1
        rest = left - options.cards[option]
        if rest == 0:
            return at + 1
        at += 1
        rank = lowest_bit(rest) >> 2
        walk.left[at], walk.end[at] = rest, options.first[rank + 1]
        walk.tried[at] = option if walk.end[at] == end else options.first[rank]
    return -1


@njit
def first_decomposition(options, walk, hand, table, most):
    """Begin the walk over a hand's decompositions, and return as `next_decomposition` does."""
    if hand == 0:
        return 0
    rank = lowest_bit(hand) >> 2
    walk.left[0], walk.tried[0], walk.end[0] = hand, options.first[rank], options.first[rank + 1]
    return next_decomposition(options, walk, 1, table, most)


@njit
def with_room(found, starts, end, count):
    """Return both arrays of some decompositions (`all_decompositions`), longer where one more might find no room."""
    if end + MOST_CARDS > len(found):
        found = _longer(found)
    if count + 2 > len(starts):
        starts = _longer(starts)
    return found, starts


@njit
def _longer(array):
    """Return a copy of `array` twice as long, its second half not filled."""
    double = np.empty(2 * len(array), array.dtype)
    copy_row(double[: len(array)], array)
    return double


@njit
def write_groups(options, walk, groups, out, at):
    """Write the groups of a decomposition from `out[at]` on."""
    for k in range(groups):
        out[at + k] = options.ids[walk.tried[k] - 1]


@njit
def all_decompositions(rules, hand, limit):
    """Return the groups of a hand's decompositions one after the other, and where each begins (and the last one ends).

    Stops after `limit` decompositions. Shapes [groups] int32 and [decompositions + 1] int64.
    """
    options, walk = in_order(leads(rules, hand)), new_walk()
    found, starts = np.empty(1 << 16, np.int32), np.empty(1 << 13, np.int64)
    starts[0] = count = end = 0
    groups = first_decomposition(options, walk, hand, None, 0)
    while groups >= 0 and count < limit:
        found, starts = with_room(found, starts, end, count)
        write_groups(options, walk, groups, found, end)
        end += groups
        count += 1
        starts[count] = end
        groups = next_decomposition(options, walk, groups, None, 0)
    return found[:end], starts[: count + 1]


@njit
def count_decompositions(rules, hand):
    """Return how many decompositions a hand has."""
    options, walk = in_order(leads(rules, hand)), new_walk()
    count = 0
    groups = first_decomposition(options, walk, hand, None, 0)
    while groups >= 0:
        count += 1
        groups = next_decomposition(options, walk, groups, None, 0)
    return count


@njit
def _replies(options, last):
    """Return which options beat the move `last`; all of them if that is `PASS`."""
    found = np.ones(len(options.ids), np.bool_)
    if last != PASS:
        for option in range(len(found)):
            found[option] = beats(options.ids[option], last)
    return found


@njit
def sample_decompositions(rules, hand, last, stream, rows):
    """Fill `rows` with random decompositions, each as likely as any other, and return how many there were to choose from.

    With the id of a move as `last`, only decompositions with a group that beats it count; with `PASS`, all. `rows` is
    int32 [n, 20 or more]; a row ends with `NO_GROUP`s, and rows beyond the returned number stay untouched.
    Source: reservoir sampling (Vitter 1985, algorithm R).
    """
    options, walk = in_order(leads(rules, hand)), new_walk()
    wanted = _replies(options, last)
    count = 0
    groups = first_decomposition(options, walk, hand, None, 0)
    while groups >= 0:
        counts = False
        for k in range(groups):
            counts |= wanted[walk.tried[k] - 1]
        if counts:
            row = count if count < len(rows) else below(stream, count + 1)
            count += 1
            if row < len(rows):
                rows[row] = NO_GROUP
                write_groups(options, walk, groups, rows[row], 0)
        groups = next_decomposition(options, walk, groups, None, 0)
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
    if not 1 <= cards <= MOST_CARDS:
        raise InvalidInput(f"a hand has 1 to {MOST_CARDS} cards, not {cards}")
    return np.uint64(hand)


def decompositions(rules: Any, hand: int, limit: int | None = None) -> Decompositions:
    """Return every decomposition of a hand, or the first `limit` of them. Raises `InvalidInput` (see `checked_hand`)."""
    most = np.iinfo(np.int64).max if limit is None else limit
    return Decompositions(*all_decompositions(rules, checked_hand(hand), most))
