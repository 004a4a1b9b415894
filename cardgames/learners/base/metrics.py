"""Running means of a learner's metrics between two evaluations."""

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames.learners.memory.checkpoint_arrays import Arrays
from cardgames.support.errors import InvalidInput


def divergence_error(reason: str) -> InvalidInput:
    """Return the error for a training whose weights, outputs or losses are no longer finite."""
    return InvalidInput(f"the training diverged: its {reason}; a smaller learning_rate may help")


class RunningMeans:
    """Running mean of each of several named metrics."""

    def __init__(self, names: Iterable[str]):
        self._row = {name: row for row, name in enumerate(names)}
        self._sums = np.zeros((len(self._row), 2))
        """Count and sum of the values of each metric ([names, 2])."""

    def add(self, name: str, total: float, count: int = 1) -> None:
        """Add a value, or the `total` of `count` values, to the metric `name`.

        Raises:
            InvalidInput: The total is not finite (the training diverged), or `Learner.metric_names` lacks `name`.
        """
        if name not in self._row:
            raise InvalidInput(f"{name} is not one of the learner's metric_names: {', '.join(self._row)}")
        if not math.isfinite(total):
            raise divergence_error(f"{name} is {total}")
        self._sums[self._row[name]] += count, total

    def to_dict(self) -> dict[str, float]:
        """Return the mean of each metric by name, 0 for one without values."""
        counts, totals = self._sums.T
        return dict(zip(self._row, (totals / np.maximum(1, counts)).tolist(), strict=True))

    def clear(self) -> None:
        """Forget all values."""
        self._sums[:] = 0

    def state(self) -> Arrays:
        """Return counts and sums as plain arrays."""
        return {"sums": self._sums}

    def load_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Continue from what `state` returned."""
        self._sums[:] = state["sums"]
