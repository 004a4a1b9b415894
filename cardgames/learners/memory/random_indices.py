"""Random indices: drawn uniformly, drawn with given probabilities, or shuffled into minibatches."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from cardgames.kernels.jit import njit
from cardgames.kernels.rng import below, uniform


@njit
def fill_below(stream, size, out):
    """Fill `out` ([n] int64) with random integers in [0, size)."""
    for i in range(len(out)):
        out[i] = below(stream, size)


@njit
def draw_index(stream, cumulative_shares):
    """Return a random index; its probabilities have the cumulative sums `cumulative_shares` ([n] float64, the last 1)."""
    number, i = uniform(stream), 0
    while i < len(cumulative_shares) - 1 and number >= cumulative_shares[i]:
        i += 1
    return i


def minibatches(random: np.random.Generator, n: int, size: int, passes: int) -> Iterator[NDArray[np.int64]]:
    """Yield minibatches of the indices 0 to `n` - 1 in random order.


    Args:
        random: Generator that shuffles the indices.
        n: Number of indices.
        size: Indices per minibatch; the last minibatch of a pass may be smaller.
        passes: Passes over all indices, each in a new order.
    """
    for _ in range(passes):
        order = random.permutation(n)
        for start in range(0, n, size):
            yield order[start : start + size]
