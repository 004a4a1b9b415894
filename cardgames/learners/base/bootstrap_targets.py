"""Bootstrapped targets for updates of Q: reward plus discounted value of the next state.

The functions run in compiled kernels: for batches of 32 the overhead of numpy's calls would take most of the time.
"""

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
    """Return the legal action with the greatest `q` in each row ([n] int64), -1 in rows without a legal action.

    Args:
        q: Values ([n, outputs] float32).
        legal: Bit masks of the legal actions ([n, words] uint64, `kernels.masks`).
    """
    out = np.empty(len(q), np.int64)
    _argmax_legal(q, legal, out)
    return out


def bootstrap_targets(
    batch: Batch, values: NDArray[np.float32], actions: NDArray[np.int64], discount: float
) -> NDArray[np.float32]:
    """Return the target r + discount * values[a'] of each decision ([n] float32), or r alone where the round ended.


    Args:
        batch: Decisions; `batch.rewards` are r, `batch.last` marks those after which the round ended.
        values: Values of the next states ([n, outputs] float32).
        actions: Actions a' in the next states ([n] int64).
        discount: Discount per decision.
    """
    out = np.empty(len(values), np.float32)
    _add_values(values, actions, batch.rewards, batch.last, discount, out)
    return out
