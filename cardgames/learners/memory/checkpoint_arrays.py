"""What learners, and their parts, are kept as: plain arrays by name, those of several parts as one."""

from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

Arrays = dict[str, NDArray[Any]]
"""What a part of a learner is to go on from."""


def join_states(**parts: Mapping[str, NDArray[Any]]) -> Arrays:
    """Return the states of several parts as one, each name behind that of its part and a slash."""
    return {f"{part}/{name}": array for part, state in parts.items() for name, array in state.items()}


def substate(state: Mapping[str, NDArray[Any]], part: str) -> Arrays:
    """Return the state of one part of what `join_states` returned."""
    return {name.removeprefix(f"{part}/"): array for name, array in state.items() if name.startswith(f"{part}/")}
