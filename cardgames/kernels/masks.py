"""Sets of actions as bits: 64 ids a word, as many words as a game's ids need."""

import numpy as np
from numpy.typing import NDArray

from cardgames.kernels.bits import ONE, nth_bit, popcount
from cardgames.kernels.jit import njit


def num_words(actions: int) -> int:
    """Return how many words a set of action ids below `actions` takes."""
    return -(-actions // 64)


@njit
def insert(mask, action):
    """Add an action id to `mask` (uint64 [words])."""
    mask[action >> 6] |= ONE << np.uint64(action & 63)


@njit
def contains(mask, action):
    """Return whether an action id is in `mask` (uint64 [words])."""
    return mask[action >> 6] >> np.uint64(action & 63) & ONE != np.uint64(0)


@njit
def size(mask):
    """Return how many action ids are in `mask` (uint64 [words])."""
    n = 0
    for word in mask:
        n += popcount(word)
    return n


@njit
def nth(mask, n):
    """Return the n-th action id in `mask` (uint64 [words]), counted from the lowest (n = 0); it holds more than n."""
    for i in range(len(mask)):
        here = popcount(mask[i])
        if n < here:
            return 64 * i + nth_bit(mask[i], n)
        n -= here
    return np.int64(-1)


@njit
def argmax(values, mask):
    """Return the action id in `mask` (uint64 [words]) whose value is greatest, the lowest of equals; -1 for an empty
    mask.

    `values` is float32 [actions]; no NaN among them.
    """
    found, top = np.int64(-1), -np.inf
    for action in range(len(values)):
        if contains(mask, action) and (found < 0 or values[action] > top):
            found, top = np.int64(action), np.float64(values[action])
    return found


def to_bools(masks: NDArray[np.uint64], actions: int) -> NDArray[np.bool_]:
    """Return masks [n, words] as bool [n, actions]."""
    ids = np.arange(actions)
    return (masks[:, ids >> 6] >> (ids & 63).astype(np.uint64) & np.uint64(1)).astype(np.bool_)
