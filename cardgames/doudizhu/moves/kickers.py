"""Enumeration of the sets of kickers that a hand holds, in the order of their ids.

Kickers are numbered by *reduced* ranks: the ranks without the main ranks, renumbered without gaps. The number of a set is
a sum over its kickers (see `move_table.KICKER_SETS_BELOW`). So each kernel here chooses the highest kicker, adds its term
to the sum and leaves the other kickers to the kernel for sets that are smaller by one. Each kernel appends action ids to
`out` after the first `n` and returns the new `n`. If `out` is None it only counts them.
"""

from cardgames.doudizhu.moves.move_table import KICKER_SETS_BELOW
from cardgames.kernels.bits import lowest_bit, popcount
from cardgames.kernels.jit import njit


@njit
def append_ids(ranks, first_id, out, n):
    """Append `first_id` + r for every rank r of a rank mask."""
    if out is None:
        return n + popcount(ranks)
    while ranks:
        out[n] = first_id + lowest_bit(ranks)
        n += 1
        ranks &= ranks - 1
    return n


@njit
def reduced_ranks(ranks, start, length):
    """Return a rank mask in reduced ranks, for `length` main ranks from `start` on."""
    lower = (1 << start) - 1
    return (ranks & lower) | (ranks >> length & ~lower)


@njit
def remaining_ranks(ranks, repeatable, highest, bars_next_lower):
    """Return the ranks that can still be chosen after `highest` (one bit) as the highest kicker.

    These are the ranks below it and, if it is also in `repeatable`, `highest` itself. If `highest` is in `bars_next_lower`,
    the rank just below is excluded (the black joker below the red one).
    """
    return (ranks & (highest - 1) & ~((highest & bars_next_lower) >> 1)) | (repeatable & highest)


@njit
def append_sets_of_two(one, two, bars_next_lower, num_main_ranks, first_id, out, n):
    """Append `first_id` plus the number of every set of two kickers.

    Args:
        one: Mask of the reduced ranks that may occur at least once.
        two: Mask of the reduced ranks that may occur twice (`three`, `four` elsewhere: three or four times).
        bars_next_lower: Mask of the reduced ranks that exclude the rank just below.
        num_main_ranks: First index of `KICKER_SETS_BELOW`.
        first_id: Id of the move with kicker set 0.
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
    """Append `first_id` plus the number of every set of three kickers (see `append_sets_of_two`)."""
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
    """Append `first_id` plus the number of every set of four kickers (see `append_sets_of_two`)."""
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
    """Append `first_id` plus the number of every set of five kickers (see `append_sets_of_two`)."""
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
    """Append `first_id` plus the number of every set of `size` (2 to 5) kickers (see `append_sets_of_two`)."""
    if size == 2:
        return append_sets_of_two(one, two, bars_next_lower, num_main_ranks, first_id, out, n)
    if size == 3:
        return append_sets_of_three(one, two, three, bars_next_lower, num_main_ranks, first_id, out, n)
    if size == 4:
        return append_sets_of_four(one, two, three, four, bars_next_lower, num_main_ranks, first_id, out, n)
    return append_sets_of_five(one, two, three, four, bars_next_lower, num_main_ranks, first_id, out, n)
