"""Random numbers by the many, and by their shares."""

from cardgames.core.jit import njit
from cardgames.core.rng import below, uniform


@njit
def draw_below(stream, size, out):
    """Fill `out` (int64 [n]) with random numbers below `size`."""
    for i in range(len(out)):
        out[i] = below(stream, size)


@njit
def draw_share(stream, shares):
    """Return the place of a random number in cumulated `shares` (float64 [n], the last 1)."""
    part, i = uniform(stream), 0
    while i < len(shares) - 1 and part >= shares[i]:
        i += 1
    return i
