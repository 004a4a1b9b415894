"""A fair sample of everything that was ever decided."""

import numpy as np
from numpy.typing import NDArray

from cardgames.kernels.copying import copy_row
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import next_word
from cardgames.learners.memory.augmentation import apply_random_symmetries
from cardgames.learners.memory.batch_sampling import fill_below
from cardgames.learners.memory.memory import Memory
from cardgames.support.errors import InvalidInput


@njit
def _insert(stream, cursor, new, kept):
    """Offer new rows to a reservoir: the n-th ever takes a random place of all n, if there is one."""
    observations, legal, actions = new
    kept_observations, kept_legal, kept_actions = kept
    capacity = len(kept_actions)
    for i in range(len(actions)):
        slot = cursor[0]
        if slot >= capacity:
            slot = np.int64(next_word(stream) % np.uint64(cursor[0] + 1))
        cursor[0] += 1
        if slot < capacity:
            copy_row(kept_observations[slot], observations[i])
            copy_row(kept_legal[slot], legal[i])
            kept_actions[slot] = actions[i]


class Reservoir(Memory):
    """A uniform sample of all decisions ever offered (Vitter 1985, algorithm R): what an average policy learns from."""

    def offer(self, observations: NDArray[np.int8], legal: NDArray[np.uint64], actions: NDArray[np.int64]) -> None:
        """Offer decisions: int8 [n, inputs], uint64 [n, words], int64 [n]. Raises `InvalidInput` for other shapes."""
        offered, kept = (observations, legal, actions), self.columns
        if [array.shape for array in offered] != [(len(actions), *array.shape[1:]) for array in kept]:
            raise InvalidInput("the decisions offered do not fit the reservoir")
        _insert(self.stream, self.cursor, offered, kept)

    def sample(self, n: int) -> tuple[NDArray[np.int8], NDArray[np.uint64], NDArray[np.int64]]:
        """Return copies of `n` decisions drawn uniformly, with replacement. Raises `InvalidInput` if there are none."""
        if not len(self):
            raise InvalidInput("the reservoir is empty")
        rows = np.empty(n, np.int64)
        fill_below(self.stream, len(self), rows)
        observations, legal, actions = self.observations[rows], self.legal[rows], self.actions[rows]
        apply_random_symmetries(
            self._symmetries, self.stream, n, inputs=[observations], action_sets=[legal], actions=[actions]
        )
        return observations, legal, actions
