"""Tests that settings take effect in learners, memories and optimizers."""

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
def test_learning_rate_and_max_norm_reach_optimizers(name: str) -> None:
    changes = {"learning_rate": 0.01, "max_norm": 0.3} | ({"policy_rate": 0.002} if name == "nfsp" else {})
    settings = algorithm(name).settings_class().with_changes(changes)
    trained: Any = make_learner(name, [make("uno", 2, "rlcard")], settings, device="kernel")
    assert trained.online.optimizer == Adam(0.01, 0.3)
    assert name != "nfsp" or trained.policy.optimizer == Adam(0.002, 0.3)


@pytest.mark.parametrize(("reward", "expected"), [("pay-off", 0.0), ("win", 0.0), ("win-only", -1.0)])
def test_reward_of_void_rounds_follows_setting(reward: str, expected: float) -> None:
    trained = dqn("turn-limit=10", rules="simplified", reward=reward)
    while trained.rounds < 3:
        trained.cycle()
    memory, written = trained.memory, len(trained.memory)
    assert trained.collector.tally["voids"][0] == 3
    assert set(memory.rewards[:written][memory.last[:written]].tolist()) == {expected}


@pytest.mark.parametrize(
    ("reward", "expected"), [("pay-off", make("uno", 2, "official").payoff_range), ("win", (-1.0, 1.0))]
)
def test_network_has_reward_range_of_setting(reward: str, expected: tuple[float, float]) -> None:
    assert dqn(rules="official", reward=reward).network().reward == expected


def test_past_self_is_added_every_past_every_rounds() -> None:
    trained = dqn("hand-size=2", opponents="past", past_every=5, past_pool=3)
    while trained.rounds < 31:
        trained.cycle()
        assert trained.opponents.selves == 1 + trained.rounds // 5


def test_training_ends_at_rounds_or_decisions() -> None:
    by_rounds = dqn(rounds=4, decisions=10**6)
    while by_rounds.rounds < 2:
        by_rounds.cycle()
    assert by_rounds.fraction_done == by_rounds.rounds / 4
    by_decisions = dqn(decisions=60)
    while not by_decisions.finished:
        by_decisions.cycle()
    assert 60 <= by_decisions.decisions < 200 and by_decisions.fraction_done == 1


@pytest.mark.parametrize("every", [1, 3])
def test_one_update_per_train_every_decisions(every: int) -> None:
    trained = dqn(memory_init=50, train_every=every, batch=4)
    while trained.rounds < 12:
        trained.cycle()
        assert trained.online.steps == max(0, (trained.decisions - 50) // every + 1)
    assert trained.online.steps > 20


def test_update_sets_priorities_from_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    trained = dqn(priority=0.6, priority_weight=0.3, memory_init=40, batch=16)
    while trained.online.steps < 20:
        trained.cycle()
    assert isinstance(trained.memory, PrioritizedReplay) and (trained.memory.alpha, trained.memory.beta) == (0.6, 0.3)
    recorded: dict[int, float] = {}

    def record_errors(outputs: Any, targets: Any, batch: Any) -> Any:
        errors, gradient = Dqn.errors(trained, outputs, targets, batch)
        recorded.update(zip(batch.rows.tolist(), errors.tolist(), strict=True))
        return errors, gradient

    monkeypatch.setattr(trained, "errors", record_errors)
    trained.update()
    priorities = trained.memory.state()["priorities"]
    assert recorded
    for row, error in recorded.items():
        assert priorities[row] == pytest.approx((abs(error) + 0.01) ** 0.6)
