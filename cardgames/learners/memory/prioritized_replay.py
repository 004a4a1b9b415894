"""Prioritized experience replay (Schaul et al. 2016), with a sum tree.

Decisions are sampled with a probability that grows with the absolute error of their Q at the last update.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames.core.symmetry import Symmetries
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import uniform
from cardgames.learners.memory.replay_buffer import Batch, Replay
from cardgames.support.state_dict import Arrays


@njit
def _set_leaf(tree, leaf, priority):
    """Set a leaf of a sum tree ([2 * leaves] float64, root at index 1), and update the sums of all its ancestors."""
    node = len(tree) // 2 + leaf
    tree[node] = priority
    while node > 1:
        node //= 2
        tree[node] = tree[2 * node] + tree[2 * node + 1]


@njit
def _set_leaves(tree, rows, priorities):
    for i in range(len(rows)):
        _set_leaf(tree, rows[i], priorities[i])


@njit
def _sample_leaves(stream, tree, out, probabilities):
    """Sample leaves of a sum tree in proportion to their priority, and write their indices and probabilities.

    The sample is stratified: one leaf comes from each of len(out) equal segments of the sum of priorities.
    """
    segment = tree[1] / len(out)
    for i in range(len(out)):
        remaining = (i + uniform(stream)) * segment
        node = 1
        while node < len(tree) // 2:
            node *= 2
            # rounding errors must not lead to a subtree of sum 0
            if remaining >= tree[node] and tree[node + 1] > 0.0:
                remaining -= tree[node]
                node += 1
        out[i] = node - len(tree) // 2
        probabilities[i] = tree[node] / tree[1]


class PrioritizedReplay(Replay):
    """Replay buffer that samples decisions in proportion to their priority (Schaul et al. 2016, section 3.3).

    The priority of a decision is (|error| + 0.01) ** `alpha`; that of a new one is the greatest so far. Its importance
    weight is (decisions in the buffer * sampling probability) ** -`beta`, divided by the greatest weight of the batch
    (section 3.4; there beta rises to 1 by the end, here it is constant). `alpha` and `beta` are in [0, 1].
    """

    def __init__(
        self,
        capacity: int,
        inputs: int,
        actions: int,
        seed: int = 0,
        *,
        remarks: int = 0,
        symmetries: Symmetries | None = None,
        alpha: float = 0.6,
        beta: float = 0.4,
    ):
        super().__init__(capacity, inputs, actions, seed, remarks=remarks, symmetries=symmetries)
        self.alpha, self.beta = alpha, beta
        leaves = 1 << (capacity - 1).bit_length()
        self._tree = np.zeros(2 * leaves)
        self._num_prioritized = 0
        self._max_priority = 1.0

    def prioritize_new(self) -> None:
        """Give the decisions written since the last call the greatest priority so far."""
        first = max(self._num_prioritized, self.written - self.capacity)
        rows = np.arange(first, self.written) % self.capacity
        _set_leaves(self._tree, rows, np.full(len(rows), self._max_priority))
        self._num_prioritized = self.written

    def update_priorities(self, batch: Batch, errors: NDArray[np.float32]) -> None:
        """Set the priorities of the decisions of a batch from their errors, Q minus target ([n])."""
        priorities = (np.abs(errors).astype(np.float64) + 0.01) ** self.alpha
        self._max_priority = max(self._max_priority, float(priorities.max()))
        _set_leaves(self._tree, batch.rows, priorities)

    def state(self) -> Arrays:
        """Return the decisions, their priorities and the random stream as arrays by name, for a checkpoint."""
        leaves = self._tree[len(self._tree) // 2 :][: len(self)]
        return super().state() | {
            "priorities": leaves,
            "greatest": np.array([self._max_priority, self._num_prioritized]),
        }

    def load_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Restore the buffer from the arrays that `state` returned. Raises `InvalidInput` if their shapes do not fit."""
        super().load_state(state)
        priorities = state["priorities"]
        self._tree[:] = 0
        _set_leaves(self._tree, np.arange(len(priorities)), priorities)
        self._max_priority, self._num_prioritized = float(state["greatest"][0]), int(state["greatest"][1])

    def _sample_rows(self, batch: Batch) -> None:
        probabilities = np.empty(len(batch.rows))
        _sample_leaves(self.stream, self._tree, batch.rows, probabilities)
        weights = (len(self) * probabilities) ** -self.beta
        batch.weights[:] = weights / weights.max()
