"""Reservoir buffer: a uniform random sample of all decisions so far, in bounded memory."""

import numpy as np
from numpy.typing import NDArray

from cardgames.kernels.copying import copy_row
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import next_word
from cardgames.learners.memory.augmentation import apply_random_symmetries
from cardgames.learners.memory.memory import Memory
from cardgames.learners.memory.random_indices import fill_below
from cardgames.support.errors import InvalidInput


@njit
def _insert(stream, cursor, new, stored):
    """Offer the decisions `new` to a reservoir whose arrays are `stored`.

    A decision takes the next free row. Once all rows are filled, the n-th decision offered gets a random index below n:
    it replaces the decision at that index, or is dropped if the index is not below the capacity.
    """
    observations, legal, actions = new
    stored_observations, stored_legal, stored_actions = stored
    capacity = len(stored_actions)
    for i in range(len(actions)):
        slot = cursor[0]
        if slot >= capacity:
            slot = np.int64(next_word(stream) % np.uint64(cursor[0] + 1))
        cursor[0] += 1
        if slot < capacity:
            copy_row(stored_observations[slot], observations[i])
            copy_row(stored_legal[slot], legal[i])
            stored_actions[slot] = actions[i]


class Reservoir(Memory):
    """Uniform sample of all decisions offered so far (Vitter 1985, algorithm R): training data of an average policy."""

    def offer(self, observations: NDArray[np.int8], legal: NDArray[np.uint64], actions: NDArray[np.int64]) -> None:
        """Offer decisions to the sample; each may be stored, in place of an earlier one, or dropped.


        Args:
            observations: Encoded observations ([n, inputs] int8).
            legal: Masks of the legal actions ([n, words] uint64).
            actions: Actions taken ([n] int64).

        Raises:
            InvalidInput: The arrays have other shapes.
        """
        offered, stored = (observations, legal, actions), self.columns
        if [array.shape for array in offered] != [(len(actions), *array.shape[1:]) for array in stored]:
            raise InvalidInput("the offered decisions have other shapes than the reservoir")
        _insert(self.stream, self.cursor, offered, stored)

    def sample(self, n: int) -> tuple[NDArray[np.int8], NDArray[np.uint64], NDArray[np.int64]]:
        """Return observations, masks of legal actions, and actions of `n` random decisions, with replacement.

        Raises `InvalidInput` if the reservoir is empty.
        """
        if not len(self):
            raise InvalidInput("the reservoir is empty")
        rows = np.empty(n, np.int64)
        fill_below(self.stream, len(self), rows)
        observations, legal, actions = self.observations[rows], self.legal[rows], self.actions[rows]
        apply_random_symmetries(
            self._symmetries, self.stream, n, inputs=[observations], action_sets=[legal], actions=[actions]
        )
        return observations, legal, actions
