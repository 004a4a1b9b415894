"""Checkpoint state as named arrays, and the joining of the states of several parts under `part/name`."""

from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

Arrays = dict[str, NDArray[Any]]
"""State of a part of a learner: arrays by name."""


def join_states(**parts: Mapping[str, NDArray[Any]]) -> Arrays:
    """Return the states of several parts as one, with the names `part/name`."""
    return {f"{part}/{name}": array for part, state in parts.items() for name, array in state.items()}


def substate(state: Mapping[str, NDArray[Any]], part: str) -> Arrays:
    """Return the state of one part from what `join_states` returned."""
    return {name.removeprefix(f"{part}/"): array for name, array in state.items() if name.startswith(f"{part}/")}
