"""Timing, and how a benchmark tells what it found."""

import time
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import numpy as np

from cardgames.core import ops
from cardgames.core.game import Game
from cardgames.kernels import rng
from cardgames.kernels.jit import njit
from cardgames.kernels.record_type import new_record
from cardgames.kernels.rng import mix

Result = dict[str, Any]
Case = TypeVar("Case")
Found = TypeVar("Found")


@njit
def play_out(rules, state, stream, which, weights, games, seed):
    """Deal and play so many rounds, every seat by policy `which`, and return the number of decisions."""
    decisions = 0
    for number in range(games):
        ops.deal(rules, state, mix(np.uint64(seed + number)))
        while not ops.is_terminal(rules, state):
            ops.apply_action(rules, state, ops.policy(rules, state, which, weights, stream))
            decisions += 1
    return decisions


def best(run: Callable[[], Any], repetitions: int = 7) -> tuple[float, Any]:
    """Return the shortest time in seconds, and what `run` returned."""
    times = []
    found = run()
    for _ in range(repetitions):
        started = time.perf_counter()
        found = run()
        times.append(time.perf_counter() - started)
    return min(times), found


def each(run: Callable[[Case], Found], cases: Iterable[Case]) -> tuple[list[float], list[Found]]:
    """Return the seconds that `run` takes for each case, once, and what it returned."""
    times, found = [], []
    for case in cases:
        started = time.perf_counter()
        found.append(run(case))
        times.append(time.perf_counter() - started)
    return times, found


def playouts(game: Game, policy: str, games: int) -> tuple[float, int]:
    """Return the seconds and decisions of so many rounds."""
    state = new_record(game.state_dtype)
    return best(lambda: play_out(game.kernel_rules, state, rng.stream(1), *game.policy(policy), games, 0))


def peers(**figures: float | None) -> dict[str, float]:
    """Return the figures of those peers that were measured, by their names."""
    return {name.replace("_", " "): round(value, 3) for name, value in figures.items() if value is not None}


def result(name: str, value: float, unit: str, others: dict[str, float], note: str = "") -> Result:
    """Return what a benchmark found, beside its peers' figures."""
    return {"name": name, "value": round(value, 3), "unit": unit, "peers": others, "note": note}
