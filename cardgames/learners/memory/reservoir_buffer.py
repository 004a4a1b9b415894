"""A fair sample of everything that was ever decided."""

import numpy as np
from numpy.typing import NDArray

from cardgames.kernels.copying import copy_row
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import next_word
from cardgames.learners.memory.augmentation import rename_at_random
from cardgames.learners.memory.batch_sampling import draw_below
from cardgames.learners.memory.memory import Memory
from cardgames.support.errors import InvalidInput


@njit
def _keep_some(stream, cursor, new, kept):
    """Offer new rows to a reservoir: the n-th ever takes a random place of all n, if there is one."""
    observations, legal, actions = new
    kept_observations, kept_legal, kept_actions = kept
    capacity = len(kept_actions)
    for i in range(len(actions)):
        place = cursor[0]
        if place >= capacity:
            place = np.int64(next_word(stream) % np.uint64(cursor[0] + 1))
        cursor[0] += 1
        if place < capacity:
            copy_row(kept_observations[place], observations[i])
            copy_row(kept_legal[place], legal[i])
            kept_actions[place] = actions[i]


class Reservoir(Memory):
    """A uniform sample of all decisions ever offered (Vitter 1985, algorithm R): what an average policy learns from."""

    def offer(self, observations: NDArray[np.int8], legal: NDArray[np.uint64], actions: NDArray[np.int64]) -> None:
        """Offer decisions: int8 [n, inputs], uint64 [n, words], int64 [n]. Raises `InvalidInput` for other shapes."""
        offered, kept = (observations, legal, actions), self.columns
        if [array.shape for array in offered] != [(len(actions), *array.shape[1:]) for array in kept]:
            raise InvalidInput("the decisions offered do not fit the reservoir")
        _keep_some(self.stream, self.cursor, offered, kept)

    def sample(self, n: int) -> tuple[NDArray[np.int8], NDArray[np.uint64], NDArray[np.int64]]:
        """Return copies of `n` decisions drawn uniformly, with replacement. Raises `InvalidInput` if there are none."""
        if not len(self):
            raise InvalidInput("the reservoir is empty")
        rows = np.empty(n, np.int64)
        draw_below(self.stream, len(self), rows)
        observations, legal, actions = self.observations[rows], self.legal[rows], self.actions[rows]
        rename_at_random(self._symmetries, self.stream, n, inputs=[observations], sets=[legal], actions=[actions])
        return observations, legal, actions
