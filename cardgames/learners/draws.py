"""Many random numbers at once."""

from cardgames.core.jit import njit
from cardgames.core.rng import below


@njit
def draw_below(stream, size, out):
    """Fill `out` (int64 [n]) with random numbers below `size`."""
    for i in range(len(out)):
        out[i] = below(stream, size)
