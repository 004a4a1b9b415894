"""Running means of a learner's metrics between two evaluations."""

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames.support.errors import InvalidInput
from cardgames.support.state_dict import Arrays


def divergence_error(reason: str) -> InvalidInput:
    """Return the error to raise if a training diverges; `reason` says what is not finite: weights, outputs or losses."""
    return InvalidInput(f"the training diverged: its {reason}; a smaller learning_rate may help")


class RunningMeans:
    """Running means of several metrics, each with a name."""

    def __init__(self, names: Iterable[str]):
        self._row = {name: row for row, name in enumerate(names)}
        self._sums = np.zeros((len(self._row), 2))
        """Number of values and sum of the values of each metric ([metrics, 2])."""

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
        """Return the mean of each metric by name; it is 0 for a metric without values."""
        counts, totals = self._sums.T
        return dict(zip(self._row, (totals / np.maximum(1, counts)).tolist(), strict=True))

    def clear(self) -> None:
        """Forget the values added to all metrics."""
        self._sums[:] = 0

    def state(self) -> Arrays:
        """Return the number and sum of the values of each metric as an array by name, for a checkpoint."""
        return {"sums": self._sums}

    def load_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Restore the numbers and sums of values from the arrays that `state` returned."""
        self._sums[:] = state["sums"]
