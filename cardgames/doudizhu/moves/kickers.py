"""Enumeration of the sets of kickers (side cards of a trio, plane or quad) that a hand holds, as action ids.

The *reduced* ranks of kickers are the ranks without the main ranks of the move, renumbered without gaps. The index of a
kicker set is a sum with one term per kicker (see `move_table.KICKER_SETS_BELOW`). So the kernel for sets of k kickers
chooses the highest kicker, adds its term to the id and calls the kernel for sets of k - 1 kickers. Each kernel appends
ids to the array `out`, which already holds `n` ids, and returns the new number of ids. If `out` is None, ids are only
counted.
"""

from cardgames.doudizhu.moves.move_table import KICKER_SETS_BELOW
from cardgames.kernels.bits import lowest_bit, popcount
from cardgames.kernels.jit import njit


@njit
def append_ids(ranks, first_id, out, n):
    """Append the id `first_id` + r to `out` for every rank r of the rank mask `ranks`.

    `out` already holds `n` ids; if it is None, ids are only counted. Returns the new number of ids.
    """
    if out is None:
        return n + popcount(ranks)
    while ranks:
        out[n] = first_id + lowest_bit(ranks)
        n += 1
        ranks &= ranks - 1
    return n


@njit
def reduced_ranks(ranks, start, length):
    """Delete the bits of a move's main ranks from a rank mask and close the gap, to get a mask of reduced ranks.

    The main ranks are the `length` ranks from `start` on.
    """
    lower = (1 << start) - 1
    return (ranks & lower) | (ranks >> length & ~lower)


@njit
def remaining_ranks(ranks, repeatable, highest, bars_next_lower):
    """Return the mask of the ranks that the other kickers of a set can have if its highest kicker has the rank `highest`.

    `highest` is a mask of one bit. The result has the bits of `ranks` below `highest` and, if `repeatable` contains it,
    `highest` itself. If `bars_next_lower` contains `highest`, the rank just below is excluded (the black joker if the
    highest kicker is the red joker).
    """
    return (ranks & (highest - 1) & ~((highest & bars_next_lower) >> 1)) | (repeatable & highest)


@njit
def append_sets_of_two(one, two, bars_next_lower, num_main_ranks, first_id, out, n):
    """Append to `out` the action id of every set of two kickers, and return the new number of ids.

    The id of a set is `first_id` plus the set's index.

    Args:
        one: Mask of the reduced ranks (without main ranks) that may be kickers.
        two: Mask of the reduced ranks of which two cards may be kickers.
        bars_next_lower: Mask of the reduced ranks that exclude the rank just below.
        num_main_ranks: Number of main ranks, the first index of `KICKER_SETS_BELOW`.
        first_id: Id of the move with the kicker set of index 0.
        out: Array of ids, or None to count only.
        n: Number of ids in `out` so far.
    """
    remaining = one
    while remaining:
        highest = remaining & -remaining
        remaining ^= highest
        n = append_ids(
            remaining_ranks(one, two, highest, bars_next_lower),
            first_id + KICKER_SETS_BELOW[num_main_ranks, lowest_bit(highest), 2],
            out,
            n,
        )
    return n


@njit
def append_sets_of_three(one, two, three, bars_next_lower, num_main_ranks, first_id, out, n):
    """Append to `out` the action id of every set of three kickers, and return the new number of ids.

    `one`, `two` and `three` are masks of the reduced ranks of which one, two and three cards may be kickers. The other
    arguments are those of `append_sets_of_two`.
    """
    remaining = one
    while remaining:
        highest = remaining & -remaining
        remaining ^= highest
        start = first_id + KICKER_SETS_BELOW[num_main_ranks, lowest_bit(highest), 3]
        n = append_sets_of_two(
            remaining_ranks(one, two, highest, bars_next_lower),
            remaining_ranks(two, three, highest, bars_next_lower),
            bars_next_lower,
            num_main_ranks,
            start,
            out,
            n,
        )
    return n


@njit
def append_sets_of_four(one, two, three, four, bars_next_lower, num_main_ranks, first_id, out, n):
    """Append to `out` the action id of every set of four kickers, and return the new number of ids.

    `one`, `two`, `three` and `four` are masks of the reduced ranks of which one to four cards may be kickers. The other
    arguments are those of `append_sets_of_two`.
    """
    remaining = one
    while remaining:
        highest = remaining & -remaining
        remaining ^= highest
        start = first_id + KICKER_SETS_BELOW[num_main_ranks, lowest_bit(highest), 4]
        rest, twos, threes = (
            remaining_ranks(one, two, highest, bars_next_lower),
            remaining_ranks(two, three, highest, bars_next_lower),
            remaining_ranks(three, four, highest, bars_next_lower),
        )
        n = append_sets_of_three(rest, twos, threes, bars_next_lower, num_main_ranks, start, out, n)
    return n


@njit
def append_sets_of_five(one, two, three, four, bars_next_lower, num_main_ranks, first_id, out, n):
    """Append to `out` the action id of every set of five kickers, and return the new number of ids.

    `one`, `two`, `three` and `four` are masks of the reduced ranks of which one to four cards may be kickers. The other
    arguments are those of `append_sets_of_two`.
    """
    remaining = one
    while remaining:
        highest = remaining & -remaining
        remaining ^= highest
        start = first_id + KICKER_SETS_BELOW[num_main_ranks, lowest_bit(highest), 5]
        rest, twos, threes = (
            remaining_ranks(one, two, highest, bars_next_lower),
            remaining_ranks(two, three, highest, bars_next_lower),
            remaining_ranks(three, four, highest, bars_next_lower),
        )
        n = append_sets_of_four(
            rest, twos, threes, four & (highest - 1), bars_next_lower, num_main_ranks, start, out, n
        )
    return n


@njit
def append_kicker_sets(one, two, three, four, bars_next_lower, num_main_ranks, size, first_id, out, n):
    """Append to `out` the action id of every set of `size` kickers (2 to 5), and return the new number of ids.

    `one`, `two`, `three` and `four` are masks of the reduced ranks of which one to four cards may be kickers. The other
    arguments are those of `append_sets_of_two`.
    """
    if size == 2:
        return append_sets_of_two(one, two, bars_next_lower, num_main_ranks, first_id, out, n)
    if size == 3:
        return append_sets_of_three(one, two, three, bars_next_lower, num_main_ranks, first_id, out, n)
    if size == 4:
        return append_sets_of_four(one, two, three, four, bars_next_lower, num_main_ranks, first_id, out, n)
    return append_sets_of_five(one, two, three, four, bars_next_lower, num_main_ranks, first_id, out, n)
