"""Targets that build on the network's own values of what comes next; kernels, since updates of 32 are short."""

import numpy as np
from numpy.typing import NDArray

from cardgames.kernels import masks
from cardgames.kernels.jit import njit
from cardgames.learners.memory.replay_buffer import Batch


@njit
def _argmax_legal(q, legal, out):
    for i in range(len(out)):
        out[i] = masks.argmax(q[i], legal[i])


@njit
def _add_values(values, actions, rewards, last, discount, out):
    for i in range(len(out)):
        out[i] = rewards[i] if last[i] else rewards[i] + discount * values[i, actions[i]]


def greedy_actions(q: NDArray[np.float32], legal: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return the legal action of greatest `q` in each row ([n, outputs]; `legal` as in `kernels.masks`); -1 where there is
    none.
    """
    out = np.empty(len(q), np.int64)
    _argmax_legal(q, legal, out)
    return out


def bootstrap_targets(
    batch: Batch, values: NDArray[np.float32], actions: NDArray[np.int64], discount: float
) -> NDArray[np.float32]:
    """Return r + discount * values[a'] (float32 [n]) for the next `actions` a', r alone where the round ended."""
    out = np.empty(len(values), np.float32)
    _add_values(values, actions, batch.rewards, batch.last, discount, out)
    return out
