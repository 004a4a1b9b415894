"""Action masks: sets of action ids as bits, 64 ids in each uint64 word."""

import numpy as np
from numpy.typing import NDArray

from cardgames.kernels.bits import ONE, nth_bit, popcount
from cardgames.kernels.jit import njit


def num_words(actions: int) -> int:
    """Return the number of uint64 words that an action mask (one bit for each id) needs for ids below `actions`."""
    return -(-actions // 64)


@njit
def insert(mask, action):
    """Set the bit of `action`, an action id, in `mask` (uint64 [words], 64 ids in each word)."""
    mask[action >> 6] |= ONE << np.uint64(action & 63)


@njit
def contains(mask, action):
    """Return whether the bit of `action`, an action id, is set in `mask` (uint64 [words], 64 ids in each word)."""
    return mask[action >> 6] >> np.uint64(action & 63) & ONE != np.uint64(0)


@njit
def size(mask):
    """Return the number of action ids in `mask`, the number of its bits that are set (uint64 [words])."""
    n = 0
    for word in mask:
        n += popcount(word)
    return n


@njit
def nth(mask, n):
    """Return the n-th lowest action id whose bit is set in `mask` (uint64 [words]).

    `n` counts from 0; -1 if at most `n` bits are set.
    """
    for i in range(len(mask)):
        count = popcount(mask[i])
        if n < count:
            return 64 * i + nth_bit(mask[i], n)
        n -= count
    return np.int64(-1)


@njit
def argmax(values, mask):
    """Return the action id in a mask with the greatest value.

    Args:
        values: Value of each action (float32 [actions]), without NaN.
        mask: Allowed actions, one bit for each id (uint64 [words]).

    Returns:
        The lowest of the best action ids, -1 for an empty mask.
    """
    best, top = np.int64(-1), -np.inf
    for action in range(len(values)):
        if contains(mask, action) and (best < 0 or values[action] > top):
            best, top = np.int64(action), np.float64(values[action])
    return best


def to_bools(masks: NDArray[np.uint64], actions: int) -> NDArray[np.bool_]:
    """Return n action masks, given as bits (uint64 [n, words]), as booleans [n, actions]: True where an id is in a mask."""
    ids = np.arange(actions)
    return (masks[:, ids >> 6] >> (ids & 63).astype(np.uint64) & np.uint64(1)).astype(np.bool_)
