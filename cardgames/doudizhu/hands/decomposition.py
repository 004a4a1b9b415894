"""All decompositions of a hand: the multisets of moves (*groups*) that together use each of its cards exactly once.

The depth-first search picks the lowest rank still held and tries the moves that start at it, from the highest id down.
A move that was skipped is not tried again deeper in the same branch, so each decomposition is visited once. Single
cards have the lowest ids, so no branch is a dead end. Paper 004, section "Fast Handheld Cards Decomposition", links 60
slots of cards and misses some decompositions; this search misses none. `rules` is a record of type `DOUDIZHU_RULES`; a
hand has 1 to 20 cards.
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
"""Value that fills an array of fixed length after the last group (move id) of a decomposition."""


class Options(NamedTuple):
    """Candidate moves of a decomposition search, in the order of trial: by lowest rank, then by descending id.

    `ids` [options] are action ids and `cards` [options] the same moves as hands.
    """

    ids: NDArray[np.int32]
    cards: NDArray[np.uint64]
    first: NDArray[np.int64]
    """[16] index in `ids` of the first move whose lowest rank is r, for each rank r."""


class SearchStack(NamedTuple):
    """Stack of the depth-first search over decompositions, with one element per group (move) chosen so far.

    For each depth: the cards left before the group was chosen, the index of the next option to try, and the end index
    of the options for that depth.
    """

    remaining: NDArray[np.uint64]
    next_option: NDArray[np.int64]
    end: NDArray[np.int64]


@njit
def list_leads(rules, hand):
    """Return the ids of all moves that a hand can play if there is no move to beat, [moves] int32."""
    ids = np.empty(MAX_MOVES, np.int32)
    return ids[: lead_moves(rules, hand, ids)]


@njit
def order_options(ids):
    """Sort moves for the decomposition search: by lowest rank, then by descending id. `ids` must be ascending."""
    first = np.zeros(16, np.int64)
    for action in ids:
        first[(lowest_bit(MOVE_CARDS[action]) >> 2) + 1] += 1
    for rank in range(15):
        first[rank + 1] += first[rank]
    next_index = first.copy()
    order = np.empty(len(ids), np.int32)
    for action in ids[::-1]:
        rank = lowest_bit(MOVE_CARDS[action]) >> 2
        order[next_index[rank]] = action
        next_index[rank] += 1
    return Options(order, MOVE_CARDS[order], first)


@njit
def new_search_stack():
    """Return an uninitialized stack for a depth-first search over decompositions of up to 20 groups."""
    return SearchStack(
        np.empty(MAX_HAND_SIZE, np.uint64), np.empty(MAX_HAND_SIZE, np.int64), np.empty(MAX_HAND_SIZE, np.int64)
    )


@njit
def _fits_in_groups(table, rest, max_groups):
    """Return whether the hand `rest` splits into at most `max_groups` groups that are not chains.

    `table` is the rules' `shape_table`; if it is None, return True.
    """
    if table is None:
        return True
    return np.int64(table[shape(rest)]) <= max_groups


@njit
def next_decomposition(options, stack, num_groups, table, max_groups):
    """Advance the search to the next decomposition and return its number of groups, -1 if there is none.

    Group k of the decomposition is the option before `stack.next_option[k]`.

    Args:
        options: Candidate moves.
        stack: Stack of the search, changed in place.
        num_groups: Number of groups of the previous decomposition, as the previous call returned it.
        table: The rules' `shape_table` to skip decompositions of more than `max_groups` groups, or None for no limit.
            With a table, no option may be a chain.
        max_groups: Largest number of groups; ignored if `table` is None.
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
    """Start the search over a hand's decompositions and return the number of groups of the first, -1 if there is none.

    `options`, `stack`, `table` and `max_groups` are as in `next_decomposition`, which finds the further decompositions.
    """
    if hand == 0:
        return 0
    rank = lowest_bit(hand) >> 2
    stack.remaining[0], stack.next_option[0], stack.end[0] = hand, options.first[rank], options.first[rank + 1]
    return next_decomposition(options, stack, 1, table, max_groups)


@njit
def grow_arrays(flat_groups, starts, end, count):
    """Return the output arrays `flat_groups` and `starts`, each doubled if one more decomposition might not fit in it.

    `end` is the number of groups written so far, `count` the number of decompositions.
    """
    if end + MAX_HAND_SIZE > len(flat_groups):
        flat_groups = _doubled(flat_groups)
    if count + 2 > len(starts):
        starts = _doubled(starts)
    return flat_groups, starts


@njit
def _doubled(array):
    """Return a copy of `array` of twice the length, with the second half uninitialized."""
    double = np.empty(2 * len(array), array.dtype)
    copy_row(double[: len(array)], array)
    return double


@njit
def write_groups(options, stack, num_groups, out, at):
    """Write the move ids of the decomposition that the search has reached to `out`, from index `at` on."""
    for k in range(num_groups):
        out[at + k] = options.ids[stack.next_option[k] - 1]


@njit
def all_decompositions(rules, hand, limit):
    """Return the first `limit` decompositions of a hand into moves the rules allow, or all if there are fewer.

    Returns:
        The move ids of all decompositions, one decomposition after the other, [groups] int32; and the index in it at
        which each decomposition starts, followed by its total length, [decompositions + 1] int64.
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
    """Return the number of decompositions of a hand."""
    options, stack = order_options(list_leads(rules, hand)), new_search_stack()
    count = 0
    num_groups = first_decomposition(options, stack, hand, None, 0)
    while num_groups >= 0:
        count += 1
        num_groups = next_decomposition(options, stack, num_groups, None, 0)
    return count


@njit
def _mark_replies(options, last):
    """Return a bool array [options] that is True for the options that beat the move `last`, and all True if it is `PASS`."""
    beats_last = np.ones(len(options.ids), np.bool_)
    if last != PASS:
        for option in range(len(beats_last)):
            beats_last[option] = beats(options.ids[option], last)
    return beats_last


@njit
def sample_decompositions(rules, hand, last, stream, rows):
    """Fill the rows of an array with a uniform random sample, without replacement, of a hand's decompositions.

    Uses reservoir sampling (Vitter 1985, algorithm R).

    Args:
        rules: Record of type `DOUDIZHU_RULES`.
        hand: The hand.
        last: Move id: only decompositions with a group that beats it are sampled. `PASS` to sample from all.
        stream: Random stream.
        rows: Output [n, 20 or more] int32, one decomposition (its move ids, then `NO_GROUP`) per row. If fewer than n
            decompositions qualify, the remaining rows are left unchanged.

    Returns:
        The number of decompositions that qualify, which may exceed n.
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
    """Decompositions of one hand into moves. Iterating yields each decomposition as a list of move ids."""

    groups: NDArray[np.int32]
    """[groups] move ids of all decompositions, one decomposition after the other."""
    starts: NDArray[np.int64]
    """[decompositions + 1] index in `groups` at which each decomposition starts, followed by the length of `groups`."""

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __iter__(self) -> Iterator[list[int]]:
        """Yield each decomposition as a list of move ids."""
        for start, end in itertools.pairwise(self.starts):
            yield self.groups[start:end].tolist()


def checked_hand(hand: int) -> np.uint64:
    """Return a hand as uint64 for kernels. Raises `InvalidInput` unless it has 1 to 20 cards."""
    cards = int(card_count(np.uint64(hand)))
    if not 1 <= cards <= MAX_HAND_SIZE:
        raise InvalidInput(f"a hand must have 1 to {MAX_HAND_SIZE} cards, not {cards}")
    return np.uint64(hand)


def decompositions(rules: Any, hand: int, limit: int | None = None) -> Decompositions:
    """Return all decompositions of a hand into moves the rules allow, or only the first `limit` in search order.

    Raises:
        InvalidInput: If the hand does not have 1 to 20 cards.
    """
    max_count = np.iinfo(np.int64).max if limit is None else limit
    return Decompositions(*all_decompositions(rules, checked_hand(hand), max_count))
