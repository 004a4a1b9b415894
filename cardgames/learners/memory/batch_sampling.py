"""Random numbers by the many, by their shares, and in random order."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from cardgames.kernels.jit import njit
from cardgames.kernels.rng import below, uniform


@njit
def fill_below(stream, size, out):
    """Fill `out` (int64 [n]) with random numbers below `size`."""
    for i in range(len(out)):
        out[i] = below(stream, size)


@njit
def draw_index(stream, cumulative_shares):
    """Return the place of a random number in cumulated `cumulative_shares` (float64 [n], the last 1)."""
    number, i = uniform(stream), 0
    while i < len(cumulative_shares) - 1 and number >= cumulative_shares[i]:
        i += 1
    return i


def minibatches(random: np.random.Generator, n: int, size: int, passes: int) -> Iterator[NDArray[np.int64]]:
    """Yield the numbers below `n`, `size` at a time (the last of a pass may be fewer), in another order in each pass."""
    for _ in range(passes):
        order = random.permutation(n)
        for start in range(0, n, size):
            yield order[start : start + size]
