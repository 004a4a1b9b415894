"""Means of what is told of a learner's updates, since they were last noted."""

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames.learners.memory.checkpoint_arrays import Arrays
from cardgames.support.errors import InvalidInput


def divergence_error(reason: str) -> InvalidInput:
    """Return the error for a training whose weights or losses are no numbers any more."""
    return InvalidInput(f"the training diverged: its {reason}; a smaller learning_rate may help")


class RunningMeans:
    """A running mean under each of some names."""

    def __init__(self, names: Iterable[str]):
        self._row = {name: row for row, name in enumerate(names)}
        self._sums = np.zeros((len(self._row), 2))
        """[names, 2] how many numbers there were, and their sum."""

    def add(self, name: str, total: float, count: int = 1) -> None:
        """Count a number, or the `total` of `count` of them. Raises `InvalidInput` if it is not finite, as what is learned
        is lost then, or if nobody said that it is measured (`Learner.metric_names`).
        """
        if name not in self._row:
            raise InvalidInput(f"{name} is not in the learner's `measured`, which names {', '.join(self._row)}")
        if not math.isfinite(total):
            raise divergence_error(f"{name} is {total}")
        self._sums[self._row[name]] += count, total

    def to_dict(self) -> dict[str, float]:
        """Return name -> mean, 0 where there was no number."""
        counts, totals = self._sums.T
        return dict(zip(self._row, (totals / np.maximum(1, counts)).tolist(), strict=True))

    def clear(self) -> None:
        """Begin again."""
        self._sums[:] = 0

    def state(self) -> Arrays:
        """Return everything it goes on from as plain arrays."""
        return {"sums": self._sums}

    def load_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `state` returned."""
        self._sums[:] = state["sums"]
