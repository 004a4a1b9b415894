"""A fair sample of everything that was ever decided."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames.core import rng
from cardgames.core.errors import InvalidInput
from cardgames.core.jit import njit
from cardgames.core.masks import words_for
from cardgames.core.records import copy_row
from cardgames.core.rng import next_word
from cardgames.core.symmetry import Symmetries
from cardgames.learners.augment import rename_at_random
from cardgames.learners.draws import draw_below
from cardgames.learners.replay import State


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


class Reservoir:
    """A uniform sample of all decisions ever offered (Vitter 1985, algorithm R): what an average policy learns from."""

    def __init__(
        self, capacity: int, inputs: int, actions: int, seed: int = 0, *, symmetries: Symmetries | None = None
    ):
        """With `symmetries` each decision drawn is seen under a random one of them. Raises `InvalidInput`."""
        if capacity < 1:
            raise InvalidInput(f"a memory has room for at least 1 decision, not {capacity}")
        self.capacity = capacity
        self.observations = np.zeros((capacity, inputs), np.int8)
        """[capacity, inputs] what a seat saw."""
        self.legal = np.zeros((capacity, words_for(actions)), np.uint64)
        """[capacity, words] what it could do (`core.masks`)."""
        self.actions = np.zeros(capacity, np.int64)
        """[capacity] what it did."""
        self.cursor = np.zeros(1, np.int64)
        """[1] how many decisions were ever offered."""
        self.stream: Any = rng.stream(rng.derive(seed))
        self._symmetries = symmetries

    def __len__(self) -> int:
        return min(int(self.cursor[0]), self.capacity)

    def offer(self, observations: NDArray[np.int8], legal: NDArray[np.uint64], actions: NDArray[np.int64]) -> None:
        """Offer decisions: int8 [n, inputs], uint64 [n, words], int64 [n]. Raises `InvalidInput` for other shapes."""
        offered, kept = (observations, legal, actions), tuple(self._columns().values())
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

    def _columns(self) -> State:
        """Return the arrays with a row for every decision."""
        return {"observations": self.observations, "legal": self.legal, "actions": self.actions}

    def state(self) -> State:
        """Return everything as plain arrays."""
        kept: State = {name: array[: len(self)] for name, array in self._columns().items()}
        return kept | {"cursor": self.cursor, "stream": np.array([self.stream.rng])}

    def load_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `state` returned. Raises `InvalidInput` if that does not fit."""
        n = len(state["actions"])
        for name, array in self._columns().items():
            if n > self.capacity or state[name].shape[1:] != array.shape[1:]:
                raise InvalidInput(
                    f"the reservoir kept has {name} {list(state[name].shape)}, this one {list(array.shape)}"
                )
            array[:n] = state[name]
        self.cursor[:] = state["cursor"]
        self.stream.rng = state["stream"][0]
