"""Base class of the replay buffer and the reservoir: bounded arrays with one row per decision."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from cardgames.core.symmetry import Symmetries
from cardgames.kernels import rng
from cardgames.kernels.masks import num_words
from cardgames.support.errors import InvalidInput
from cardgames.support.state_dict import Arrays


class Memory:
    """Buffer for at most `capacity` decisions, in arrays with one row per decision.

    Subclasses apply a random symmetry of `_symmetries`, if not None, to each decision of a batch.
    """

    column_names: ClassVar[tuple[str, ...]] = ("observations", "legal", "actions")
    """Attribute names of the arrays with one row per decision."""

    def __init__(
        self, capacity: int, inputs: int, actions: int, seed: int = 0, *, symmetries: Symmetries | None = None
    ):
        """Allocate the arrays.

        Args:
            capacity: Greatest number of decisions.
            inputs: Number of inputs of the encoding.
            actions: Number of outputs of the network.
            seed: Seed of the random stream that draws batches.
            symmetries: Symmetries for data augmentation, or None.

        Raises:
            InvalidInput: The capacity is below 1.
        """
        if capacity < 1:
            raise InvalidInput(f"a memory's capacity is at least 1 decision, not {capacity}")
        self.capacity = capacity
        self.observations = np.zeros((capacity, inputs), np.int8)
        """Encoded observations of the acting seats ([capacity, inputs])."""
        self.legal = np.zeros((capacity, num_words(actions)), np.uint64)
        """Masks of the legal actions ([capacity, words], `kernels.masks`)."""
        self.actions = np.zeros(capacity, np.int64)
        """Actions taken ([capacity])."""
        self.cursor = np.zeros(1, np.int64)
        """Number of decisions written or offered so far ([1])."""
        self.stream: Any = rng.stream(rng.derive(seed))
        self._symmetries = symmetries

    @cached_property
    def columns(self) -> tuple[NDArray[Any], ...]:
        """Arrays with one row per decision, as a tuple for kernels."""
        return tuple(getattr(self, name) for name in self.column_names)

    def __len__(self) -> int:
        return min(int(self.cursor[0]), self.capacity)

    def state(self) -> Arrays:
        """Return decisions, number of decisions written and random stream as arrays by name, for a checkpoint."""
        filled_columns = {name: array[: len(self)] for name, array in zip(self.column_names, self.columns, strict=True)}
        return filled_columns | {"cursor": self.cursor, "stream": np.array([self.stream.rng])}

    def load_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Restore the memory from the arrays that `state` returned. Raises `InvalidInput` if their shapes do not fit."""
        n = len(state["actions"])
        for name, array in zip(self.column_names, self.columns, strict=True):
            if n > self.capacity or state[name].shape[1:] != array.shape[1:]:
                raise InvalidInput(
                    f"the checkpoint's memory has {name} of shape {list(state[name].shape)}, this one {list(array.shape)}"
                )
            array[:n] = state[name]
        self.cursor[:] = state["cursor"]
        self.stream.rng = state["stream"][0]
