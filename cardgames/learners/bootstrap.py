"""Targets that build on the network's own values of what comes next."""

import numpy as np
from numpy.typing import NDArray

from cardgames.core import masks
from cardgames.core.jit import njit
from cardgames.learners.replay import Batch


@njit
def _greatest(chooser, legal, out):
    for i in range(len(out)):
        out[i] = masks.best(chooser[i], legal[i])


def best_actions(q: NDArray[np.float32], legal: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return the legal action of greatest `q` in each row ([n, outputs]; `legal` as in `core.masks`); -1 where there is
    none.
    """
    out = np.empty(len(q), np.int64)
    _greatest(q, legal, out)
    return out


def bootstrapped(
    batch: Batch, values: NDArray[np.float32], actions: NDArray[np.int64], discount: float
) -> NDArray[np.float32]:
    """Return r + discount * values[a'] (float32 [n]) for the next `actions` a', r alone where the round ended."""
    following = values[np.arange(len(values)), actions]
    targets: NDArray[np.float32] = batch.rewards + np.where(batch.last, np.float32(0), np.float32(discount) * following)
    return targets
