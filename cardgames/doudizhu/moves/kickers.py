"""Sets of kickers, counted through in the order of their ids.

Kickers have *reduced* ranks: those beside the main cards, closed up. A set's number is a sum over its kickers (see
`moves.KICKER_SETS_BELOW`), so the kernels here pick the highest kicker first and hand the rest on, with the sum so far. As everywhere
in move generation, ids go into `out`, or are only counted if it is None; every kernel returns the new count.
"""

from cardgames.doudizhu.moves.move_table import KICKER_SETS_BELOW
from cardgames.kernels.bits import lowest_bit, popcount
from cardgames.kernels.jit import njit


@njit
def append_ids(ranks, first_id, out, n):
    """Append `first_id` + r for every rank r of the mask."""
    if out is None:
        return n + popcount(ranks)
    while ranks:
        out[n] = first_id + lowest_bit(ranks)
        n += 1
        ranks &= ranks - 1
    return n


@njit
def reduced_ranks(ranks, start, length):
    """Return a mask of ranks in terms of those beside `length` main ones from `start` on, closed up."""
    lower = (1 << start) - 1
    return (ranks & lower) | (ranks >> length & ~lower)


@njit
def remaining_ranks(ranks, repeatable, highest, bars_next_lower):
    """Return the ranks left once `highest` (a bit) was chosen as the highest: those below it, itself if also in `repeatable`, and
    not the one just below if `highest` is in `bars_next_lower`.
    """
    return (ranks & (highest - 1) & ~((highest & bars_next_lower) >> 1)) | (repeatable & highest)


@njit
def append_sets_of_two(one, two, bars_next_lower, num_main_ranks, first_id, out, n):
    """Append `first_id` plus the number of every set of two kickers.

    The masks tell of which reduced ranks there may be one or two; `num_main_ranks` is the first index of `KICKER_SETS_BELOW`.
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
    """Append `first_id` plus the number of every set of `size` kickers."""
    if size == 2:
        return append_sets_of_two(one, two, bars_next_lower, num_main_ranks, first_id, out, n)
    if size == 3:
        return append_sets_of_three(one, two, three, bars_next_lower, num_main_ranks, first_id, out, n)
    if size == 4:
        return append_sets_of_four(one, two, three, four, bars_next_lower, num_main_ranks, first_id, out, n)
    return append_sets_of_five(one, two, three, four, bars_next_lower, num_main_ranks, first_id, out, n)
