"""Named arrays of checkpoints, and functions that join and split the states of several components by name prefix."""

from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

Arrays = dict[str, NDArray[Any]]
"""State of a learner or of one of its components: arrays by name."""


def join_states(**parts: Mapping[str, NDArray[Any]]) -> Arrays:
    """Join the states of several components into one dict; an array `name` of the component `part` is named `part/name`."""
    return {f"{part}/{name}": array for part, state in parts.items() for name, array in state.items()}


def substate(state: Mapping[str, NDArray[Any]], part: str) -> Arrays:
    """Return the arrays of the component `part` from a dict that `join_states` made, without the prefix `part/`."""
    return {name.removeprefix(f"{part}/"): array for name, array in state.items() if name.startswith(f"{part}/")}
