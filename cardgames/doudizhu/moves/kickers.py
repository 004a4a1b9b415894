"""Sets of kickers, counted through in the order of their ids.

Kickers have *reduced* ranks: those beside the main cards, closed up. A set's number is a sum over its kickers (see
`moves.BELOW`), so the kernels here pick the highest kicker first and hand the rest on, with the sum so far. As everywhere
in move generation, ids go into `out`, or are only counted if it is None; every kernel returns the new count.
"""

from cardgames.doudizhu.moves.move_table import BELOW
from cardgames.kernels.bits import lowest_bit, popcount
from cardgames.kernels.jit import njit


@njit
def add_each(ranks, first, out, n):
    """Append `first` + r for every rank r of the mask."""
    if out is None:
        return n + popcount(ranks)
    while ranks:
        out[n] = first + lowest_bit(ranks)
        n += 1
        ranks &= ranks - 1
    return n


@njit
def beside(ranks, start, length):
    """Return a mask of ranks in terms of those beside `length` main ones from `start` on, closed up."""
    lower = (1 << start) - 1
    return (ranks & lower) | (ranks >> length & ~lower)


@njit
def below(ranks, again, top, apart):
    """Return the ranks left once `top` (a bit) was chosen as the highest: those below it, itself if also in `again`, and
    not the one just below if `top` is in `apart`.
    """
    return (ranks & (top - 1) & ~((top & apart) >> 1)) | (again & top)


@njit
def add_twos(one, two, apart, row, first, out, n):
    """Append `first` plus the number of every set of two kickers.

    The masks tell of which reduced ranks there may be one or two; `row` is the first index of `BELOW`.
    """
    left = one
    while left:
        top = left & -left
        left ^= top
        n = add_each(below(one, two, top, apart), first + BELOW[row, lowest_bit(top), 2], out, n)
    return n


@njit
def add_threes(one, two, three, apart, row, first, out, n):
    """Append `first` plus the number of every set of three kickers (see `add_twos`)."""
    left = one
    while left:
        top = left & -left
        left ^= top
        start = first + BELOW[row, lowest_bit(top), 3]
        n = add_twos(below(one, two, top, apart), below(two, three, top, apart), apart, row, start, out, n)
    return n


@njit
def add_fours(one, two, three, four, apart, row, first, out, n):
    """Append `first` plus the number of every set of four kickers (see `add_twos`)."""
    left = one
    while left:
        top = left & -left
        left ^= top
        start = first + BELOW[row, lowest_bit(top), 4]
        rest, twos, threes = below(one, two, top, apart), below(two, three, top, apart), below(three, four, top, apart)
        n = add_threes(rest, twos, threes, apart, row, start, out, n)
    return n


@njit
def add_fives(one, two, three, four, apart, row, first, out, n):
    """Append `first` plus the number of every set of five kickers (see `add_twos`)."""
    left = one
    while left:
        top = left & -left
        left ^= top
        start = first + BELOW[row, lowest_bit(top), 5]
        rest, twos, threes = below(one, two, top, apart), below(two, three, top, apart), below(three, four, top, apart)
        n = add_fours(rest, twos, threes, four & (top - 1), apart, row, start, out, n)
    return n


@njit
def add_sets(one, two, three, four, apart, row, size, first, out, n):
    """Append `first` plus the number of every set of `size` kickers."""
    if size == 2:
        return add_twos(one, two, apart, row, first, out, n)
    if size == 3:
        return add_threes(one, two, three, apart, row, first, out, n)
    if size == 4:
        return add_fours(one, two, three, four, apart, row, first, out, n)
    return add_fives(one, two, three, four, apart, row, first, out, n)
