"""Bit operations: the same results in kernels as in plain Python."""

import numpy as np
import pytest

from cardgames.kernels.bits import highest_bit, lowest_bit, popcount
from cardgames.kernels.jit import njit


@njit
def bits_in_kernel(word):  # type: ignore[no-untyped-def]
    """Return the highest set bit, the lowest set bit and the number of set bits of a word."""
    return highest_bit(word), lowest_bit(word), popcount(word)


@pytest.mark.parametrize("word", [1, 6, 2**40 + 2**3, 2**63, 2**64 - 1])
def test_bit_operations(word: int) -> None:
    plain = word.bit_length() - 1, (word & -word).bit_length() - 1, word.bit_count()
    assert (highest_bit(word), lowest_bit(word), popcount(word)) == plain
    assert bits_in_kernel(np.uint64(word)) == plain
