"""What a replay and a reservoir have in common: a table of decisions with a row for each, written round and round."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from cardgames.core.symmetry import Symmetries
from cardgames.kernels import rng
from cardgames.kernels.masks import num_words
from cardgames.learners.memory.checkpoint_arrays import Arrays
from cardgames.support.errors import InvalidInput


class Memory:
    """Room for `capacity` decisions. With `symmetries` each that is drawn is seen under a random one of them."""

    column_names: ClassVar[tuple[str, ...]] = ("observations", "legal", "actions")
    """Those of the arrays with a row for every decision."""

    def __init__(
        self, capacity: int, inputs: int, actions: int, seed: int = 0, *, symmetries: Symmetries | None = None
    ):
        """`inputs` are those of the encoding, `actions` the network's outputs. Raises `InvalidInput`."""
        if capacity < 1:
            raise InvalidInput(f"a memory has room for at least 1 decision, not {capacity}")
        self.capacity = capacity
        self.observations = np.zeros((capacity, inputs), np.int8)
        """[capacity, inputs] what the seat saw."""
        self.legal = np.zeros((capacity, num_words(actions)), np.uint64)
        """[capacity, words] what it could do (`kernels.masks`)."""
        self.actions = np.zeros(capacity, np.int64)
        """[capacity] what it did."""
        self.cursor = np.zeros(1, np.int64)
        """[1] how many decisions were ever written, or offered."""
        self.stream: Any = rng.stream(rng.derive(seed))
        self._symmetries = symmetries

    @cached_property
    def columns(self) -> tuple[NDArray[Any], ...]:
        """The arrays with a row for every decision, as kernels take them."""
        return tuple(getattr(self, name) for name in self.column_names)

    def __len__(self) -> int:
        return min(int(self.cursor[0]), self.capacity)

    def state(self) -> Arrays:
        """Return everything as plain arrays."""
        filled_columns = {name: array[: len(self)] for name, array in zip(self.column_names, self.columns, strict=True)}
        return filled_columns | {"cursor": self.cursor, "stream": np.array([self.stream.rng])}

    def load_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `state` returned. Raises `InvalidInput` if that does not fit."""
        n = len(state["actions"])
        for name, array in zip(self.column_names, self.columns, strict=True):
            if n > self.capacity or state[name].shape[1:] != array.shape[1:]:
                raise InvalidInput(
                    f"the memory kept has {name} {list(state[name].shape)}, this one {list(array.shape)}"
                )
            array[:n] = state[name]
        self.cursor[:] = state["cursor"]
        self.stream.rng = state["stream"][0]
