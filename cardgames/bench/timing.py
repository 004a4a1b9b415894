"""Timing functions of the benchmarks, and the format of their results."""

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
    """Play `games` rounds with the policy `policy_id` in every seat; return the total number of decisions.

    `state` is a work record, `stream` the policy's random stream, and `seed` + i the seed of round i.
    """
    decisions = 0
    for number in range(games):
        ops.deal(rules, state, mix(np.uint64(seed + number)))
        while not ops.is_terminal(rules, state):
            ops.apply_action(rules, state, ops.policy(rules, state, policy_id, weights, stream))
            decisions += 1
    return decisions


def best_time(run: Callable[[], Any], repetitions: int = 7) -> tuple[float, Any]:
    """Call `run` `repetitions` times after one untimed call; return the shortest time in seconds and the last result."""
    times = []
    output = run()
    for _ in range(repetitions):
        started = time.perf_counter()
        output = run()
        times.append(time.perf_counter() - started)
    return min(times), output


def time_each(run: Callable[[Case], Output], cases: Iterable[Case]) -> tuple[list[float], list[Output]]:
    """Call `run` once for each of `cases`; return the seconds of each call and the results of the calls."""
    times, outputs = [], []
    for case in cases:
        started = time.perf_counter()
        outputs.append(run(case))
        times.append(time.perf_counter() - started)
    return times, outputs


def time_playouts(game: Game, policy: str, games: int) -> tuple[float, int]:
    """Play `games` rounds in which a policy plays every seat; return the shortest time in seconds and the decisions.

    All rounds together are timed several times. The decisions are the number in all rounds.
    """
    state = new_record(game.state_dtype)
    return best_time(lambda: play_rounds(game.kernel_rules, state, rng.stream(1), *game.policy(policy), games, 0))


def peer_figures(**figures: float | None) -> dict[str, float]:
    """Return a dict library name -> rounded figure of the other libraries that were measured; those with None are left out.

    An underscore in a keyword stands for a space in the name.
    """
    return {name.replace("_", " "): round(value, 3) for name, value in figures.items() if value is not None}


def make_result(name: str, value: float, unit: str, peers: dict[str, float], note: str = "") -> Result:
    """Return the result of a benchmark as a dict: name, value, unit, figures of other libraries (`peers`), and a note."""
    return {"name": name, "value": round(value, 3), "unit": unit, "peers": peers, "note": note}
