"""Benchmarks of training speed, compared with RLCard's DQN in the same run."""

import time
from collections.abc import Callable, Iterator, Mapping

from cardgames.bench.rlcard_dqn import RlcardDqn
from cardgames.bench.timing import Result, make_result, peer_figures
from cardgames.core.game_registry import make
from cardgames.learners.algorithms.algorithm_registry import algorithm, make_learner
from cardgames.learners.algorithms.ddqn_mcts import DdqnMctsSettings

_LARGE_BATCH_SETTINGS = {"tables": 256, "batch": 1024, "train_every": 256, "memory": 100_000}
_SIMULATIONS = DdqnMctsSettings().simulations
_REPETITIONS, _SECONDS = 8, 1.0


def dqn_training() -> Iterator[Result]:
    """Measure decisions per second of DQN training in two-player Uno with a network 240-64-64-61, in three settings.

    They are 256 parallel games with large batches; one game with RLCard's update rate; and the same on RLCard's network.
    """
    note = "240-64-64-61, 256 tables, a batch of 1,024 per 256 decisions; only the learner's decisions count"
    yield make_result("dqn-training", _decisions_per_second("dqn", _LARGE_BATCH_SETTINGS), "decisions/s", {}, note)
    note, peer = "Double DQN 240-64-64-61, one table, a batch of 32 per decision", _rlcard_decisions_per_second()
    yield make_result(
        "dqn-training-32", _decisions_per_second("ddqn", {}), "decisions/s", peer_figures(RLCard=peer), note
    )
    if peer:
        rate = _decisions_per_second("ddqn", {"network": "rlcard"})
        note += ", with RLCard's network architecture"
        yield make_result("dqn-training-32-rlcard-network", rate, "decisions/s", peer_figures(RLCard=peer), note)


def ddqn_mcts_training() -> Iterator[Result]:
    """Measure simulations per second of training DDQN with MCTS in two-player Uno.

    A network 240-64-64-61 evaluates every new state of the search trees.
    """
    for suffix, changes, words in (
        ("", _LARGE_BATCH_SETTINGS, "1,024 per 256 decisions"),
        ("-32", {}, "32 per decision"),
    ):
        rate = _SIMULATIONS * _decisions_per_second("ddqn-mcts", changes)
        cpu_rate = _SIMULATIONS * _decisions_per_second("ddqn-mcts", changes, time.process_time)
        note = f"256 tables, two threads, a batch of {words}; {cpu_rate:,.0f} per second of CPU time"
        yield make_result(f"ddqn-mcts-training{suffix}", rate, "simulations/s", {}, note)


def _best_rate(count: Callable[[], int], clock: Callable[[], float] = time.perf_counter) -> float:
    """Return the highest number of decisions per second over `_REPETITIONS` time spans of `_SECONDS` seconds each.

    `count` makes some decisions and returns their number; it is called repeatedly. `clock` returns seconds.
    """
    best = 0.0
    for _ in range(_REPETITIONS):
        decisions, started = 0, clock()
        while (elapsed := clock() - started) < _SECONDS:
            decisions += count()
        best = max(best, decisions / elapsed)
    return best


def _decisions_per_second(
    name: str, changes: Mapping[str, int | str], clock: Callable[[], float] = time.perf_counter
) -> float:
    settings = algorithm(name).settings_class().with_changes(changes)
    learner = make_learner(name, [make("uno", players=2, rules="rlcard")], settings, seed=1)
    while learner.decisions < 20_000:
        learner.cycle()

    def count() -> int:
        before = learner.decisions
        learner.cycle()
        return learner.decisions - before

    return _best_rate(count, clock)


def _rlcard_decisions_per_second() -> float | None:
    """Return the decisions per second of training RLCard's DQN with two hidden layers of 64 units.

    Returns None if RLCard or torch is not installed.
    """
    try:
        peer = RlcardDqn([64, 64])
    except ImportError:
        return None
    return _best_rate(peer.learn)
