"""What training costs, beside RLCard's own trainer in the same run."""

import contextlib
import io
import time
from collections.abc import Callable, Iterator

from cardgames.core.game import make
from cardgames.learners.algorithms import make_learner
from cardgames.learners.dqn import DqnSettings
from cardgames.measuring import Result, peers_of, result

_WIDE = {"tables": 256, "batch": 1024, "train_every": 256, "memory": 100_000}
_SPANS, _SECONDS = 8, 1.0


def dqn_training() -> Iterator[Result]:
    """Measure DQN 240-64-64-61 among two players: with many tables, and at RLCard's cadence."""
    note = "240-64-64-61, 256 tables, an update of 1,024 a 256 decisions; only the learner's decisions count"
    yield result("dqn-training", _decisions_per_second("dqn", _WIDE), "decisions/s", {}, note)
    note = "Double DQN 240-64-64-61, one table, an update of 32 a decision"
    rate = _decisions_per_second("ddqn", {})
    yield result("dqn-training-32", rate, "decisions/s", peers_of(RLCard=_rlcard_decisions_per_second()), note)


def _best_rate(count: Callable[[], int]) -> float:
    """Return the most decisions a second that `count`, called again and again, counts in one of several spans."""
    best = 0.0
    for _ in range(_SPANS):
        decisions, started = 0, time.perf_counter()
        while (passed := time.perf_counter() - started) < _SECONDS:
            decisions += count()
        best = max(best, decisions / passed)
    return best


def _decisions_per_second(name: str, changes: dict[str, int]) -> float:
    learner = make_learner(name, [make("uno", players=2, rules="rlcard")], DqnSettings().changed(changes), seed=1)
    while learner.decisions < 20_000:
        learner.cycle()

    def count() -> int:
        before = learner.decisions
        learner.cycle()
        return learner.decisions - before

    return _best_rate(count)


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

    def count() -> int:
        transitions = reorganize(*env.run(is_training=True))[0]
        for transition in transitions:
            agent.feed(transition)
        return len(transitions)

    with contextlib.redirect_stdout(io.StringIO()):  # it reports every update
        return _best_rate(count)
