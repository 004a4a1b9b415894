"""What training costs, beside RLCard's own trainer in the same run."""

import contextlib
import io
import time
from collections.abc import Iterator, Mapping

from cardgames.core.game import make
from cardgames.learners.algorithms import algorithm, make_learner
from cardgames.learners.ddqn_mcts import DdqnMctsSettings
from cardgames.measuring import Result, peers_of, result

_WIDE = {"tables": 256, "batch": 1024, "train_every": 256, "memory": 100_000}
_SIMULATIONS = DdqnMctsSettings().simulations
_SECONDS = 5.0


def dqn_training() -> Iterator[Result]:
    """Measure DQN 240-64-64-61 among two players: with many tables, and at RLCard's cadence."""
    note = "240-64-64-61, 256 tables, an update of 1,024 a 256 decisions; only the learner's decisions count"
    yield result("dqn-training", _decisions_per_second("dqn", _WIDE)[0], "decisions/s", {}, note)
    note = "Double DQN 240-64-64-61, one table, an update of 32 a decision"
    rate, _ = _decisions_per_second("ddqn", {})
    yield result("dqn-training-32", rate, "decisions/s", peers_of(RLCard=_rlcard_decisions_per_second()), note)


def ddqn_mcts_training() -> Iterator[Result]:
    """Measure DDQN with MCTS among two players, every new state of its trees predicted by 240-64-64-61."""
    for suffix, changes, words in (("", _WIDE, "1,024 a 256 decisions"), ("-32", {}, "32 a decision")):
        rate, of_cpu = _decisions_per_second("ddqn-mcts", changes)
        note = f"256 tables, two threads, an update of {words}; {_SIMULATIONS * of_cpu:,.0f} a second of CPU time"
        yield result(f"ddqn-mcts-training{suffix}", _SIMULATIONS * rate, "simulations/s", {}, note)


def _decisions_per_second(name: str, changes: Mapping[str, int]) -> tuple[float, float]:
    """Return the learner's decisions a second, and a second of CPU time."""
    settings = algorithm(name).settings_class().changed(changes)
    learner = make_learner(name, [make("uno", players=2, rules="rlcard")], settings, seed=1)
    while learner.decisions < 20_000 and not learner.finished:
        learner.cycle()
    decisions, started, busy = learner.decisions, time.perf_counter(), time.process_time()
    while time.perf_counter() - started < _SECONDS:
        learner.cycle()
    taken = learner.decisions - decisions
    return taken / (time.perf_counter() - started), taken / (time.process_time() - busy)


def _rlcard_decisions_per_second() -> float | None:
    """Return those of RLCard's DQN at the same sizes, None if it or torch is not installed."""
    try:
        import rlcard
        from rlcard.agents import DQNAgent, RandomAgent
        from rlcard.utils import reorganize
    except ImportError:
        return None
    env = rlcard.make("uno", config={"seed": 0})
    agent = DQNAgent(num_actions=env.num_actions, state_shape=env.state_shape[0], mlp_layers=[64, 64])
    env.set_agents([agent, RandomAgent(num_actions=env.num_actions)])
    decisions, started = 0, time.perf_counter()
    with contextlib.redirect_stdout(io.StringIO()):  # it reports every update
        while time.perf_counter() - started < _SECONDS:
            for transition in reorganize(*env.run(is_training=True))[0]:
                agent.feed(transition)
                decisions += 1
    return decisions / (time.perf_counter() - started)
