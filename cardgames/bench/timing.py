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
Output = TypeVar("Output")


@njit
def play_rounds(rules, state, stream, policy_id, weights, games, seed):
    """Deal and play so many rounds, every seat by policy `policy_id`, and return the number of decisions."""
    decisions = 0
    for number in range(games):
        ops.deal(rules, state, mix(np.uint64(seed + number)))
        while not ops.is_terminal(rules, state):
            ops.apply_action(rules, state, ops.policy(rules, state, policy_id, weights, stream))
            decisions += 1
    return decisions


def best_time(run: Callable[[], Any], repetitions: int = 7) -> tuple[float, Any]:
    """Return the shortest time in seconds, and what `run` returned."""
    times = []
    output = run()
    for _ in range(repetitions):
        started = time.perf_counter()
        output = run()
        times.append(time.perf_counter() - started)
    return min(times), output


def time_each(run: Callable[[Case], Output], cases: Iterable[Case]) -> tuple[list[float], list[Output]]:
    """Return the seconds that `run` takes for each case, once, and what it returned."""
    times, outputs = [], []
    for case in cases:
        started = time.perf_counter()
        outputs.append(run(case))
        times.append(time.perf_counter() - started)
    return times, outputs


def time_playouts(game: Game, policy: str, games: int) -> tuple[float, int]:
    """Return the seconds and decisions of so many rounds."""
    state = new_record(game.state_dtype)
    return best_time(lambda: play_rounds(game.kernel_rules, state, rng.stream(1), *game.policy(policy), games, 0))


def peer_figures(**figures: float | None) -> dict[str, float]:
    """Return the figures of those peers that were measured, by their names."""
    return {name.replace("_", " "): round(value, 3) for name, value in figures.items() if value is not None}


def make_result(name: str, value: float, unit: str, peers: dict[str, float], note: str = "") -> Result:
    """Return what a benchmark found, beside its peers' figures."""
    return {"name": name, "value": round(value, 3), "unit": unit, "peers": peers, "note": note}
