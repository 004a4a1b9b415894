"""Settings reach where they act."""

from typing import Any

import pytest

from cardgames.core.game_registry import make
from cardgames.learners.algorithms.algorithm_registry import algorithm, make_learner
from cardgames.learners.algorithms.dqn import Dqn, DqnSettings
from cardgames.learners.memory.prioritized_replay import PrioritizedReplay
from cardgames.learners.networks.optimizers import Adam


def dqn(*overrides: str, rules: str = "rlcard", **changes: object) -> Dqn:
    game = make("uno", 2, rules, overrides)
    return Dqn([game], DqnSettings().with_changes({"hidden": "8", **changes}), 1, "kernel")


@pytest.mark.parametrize("name", ["dqn", "nfsp", "actor-critic"])
def test_optimizers_have_the_rate_and_the_norm_they_are_told(name: str) -> None:
    changes = {"learning_rate": 0.01, "max_norm": 0.3} | ({"policy_rate": 0.002} if name == "nfsp" else {})
    settings = algorithm(name).settings_class().with_changes(changes)
    made: Any = make_learner(name, [make("uno", 2, "rlcard")], settings, device="kernel")
    assert made.online.optimizer == Adam(0.01, 0.3)
    assert name != "nfsp" or made.policy.optimizer == Adam(0.002, 0.3)


@pytest.mark.parametrize(("reward", "paid"), [("pay-off", 0.0), ("win", 0.0), ("win-only", -1.0)])
def test_rounds_that_nobody_wins_pay_as_told(reward: str, paid: float) -> None:
    made = dqn("turn-limit=10", rules="simplified", reward=reward)
    while made.rounds < 3:
        made.cycle()
    memory, written = made.memory, len(made.memory)
    assert made.collector.tally["voids"][0] == 3
    assert set(memory.rewards[:written][memory.last[:written]].tolist()) == {paid}


@pytest.mark.parametrize(
    ("reward", "paid"), [("pay-off", make("uno", 2, "official").payoff_range), ("win", (-1.0, 1.0))]
)
def test_a_network_says_what_rounds_paid(reward: str, paid: tuple[float, float]) -> None:
    assert dqn(rules="official", reward=reward).network().reward == paid


def test_a_past_self_is_added_every_so_many_rounds() -> None:
    made = dqn("hand-size=2", opponents="past", past_every=5, past_pool=3)
    while made.rounds < 31:
        made.cycle()
        assert made.opponents.selves == 1 + made.rounds // 5


def test_rounds_or_decisions_end_a_training_whichever_come_first() -> None:
    by_rounds = dqn(rounds=4, decisions=10**6)
    while by_rounds.rounds < 2:
        by_rounds.cycle()
    assert by_rounds.fraction_done == by_rounds.rounds / 4
    by_decisions = dqn(decisions=60)
    while not by_decisions.finished:
        by_decisions.cycle()
    assert 60 <= by_decisions.decisions < 200 and by_decisions.fraction_done == 1


@pytest.mark.parametrize("every", [1, 3])
def test_an_update_follows_so_many_decisions(every: int) -> None:
    made = dqn(memory_init=50, train_every=every, batch=4)
    while made.rounds < 12:
        made.cycle()
        assert made.online.steps == max(0, (made.decisions - 50) // every + 1)
    assert made.online.steps > 20


def test_a_memory_with_priorities_is_told_how_far_each_decision_was_off(monkeypatch: pytest.MonkeyPatch) -> None:
    made = dqn(priority=0.6, priority_weight=0.3, memory_init=40, batch=16)
    while made.online.steps < 20:
        made.cycle()
    assert isinstance(made.memory, PrioritizedReplay) and (made.memory.alpha, made.memory.beta) == (0.6, 0.3)
    told: dict[int, float] = {}

    def noted(outputs: Any, targets: Any, batch: Any) -> Any:
        errors, gradient = Dqn.errors(made, outputs, targets, batch)
        told.update(zip(batch.rows.tolist(), errors.tolist(), strict=True))
        return errors, gradient

    monkeypatch.setattr(made, "errors", noted)
    made.update()
    priorities = made.memory.state()["priorities"]
    assert told
    for row, error in told.items():
        assert priorities[row] == pytest.approx((abs(error) + 0.01) ** 0.6)
