"""Tests of the targets of each algorithm against its formula in plain Python."""

from collections.abc import Callable

import numpy as np
import pytest

import cardgames
from cardgames.kernels import masks
from cardgames.learners.algorithms.algorithm_registry import algorithm
from cardgames.learners.base.value_learner import ValueLearner
from cardgames.learners.memory.replay_buffer import Batch

CHANGES = {"hidden": "8", "memory_init": 40, "target_every": 7, "learning_rate": 0.02, "discount": 0.9}
NextValue = Callable[[np.ndarray, np.ndarray, list[int], int], float]
"""Value of a next state from Q of the online and of the target network, the legal actions, and the action taken."""


def best_by_target_network(q: np.ndarray, old: np.ndarray, legal: list[int], taken: int) -> float:
    return max(old[a] for a in legal)


NEXT_VALUES: dict[str, NextValue] = {
    "dqn": best_by_target_network,
    "nfsp": best_by_target_network,
    "candqn": best_by_target_network,
    "ddqn": lambda q, old, legal, taken: old[max(legal, key=lambda a: q[a])],
    "sarsa": lambda q, old, legal, taken: q[taken],
}


def learner(name: str) -> ValueLearner:
    """Return a learner after some updates, six of them since its target network was copied."""
    cls = algorithm(name)
    defaults = cls.settings_class().to_dict()
    settings = cls.settings_class().with_changes({key: value for key, value in CHANGES.items() if key in defaults})
    trained = cls([cardgames.make("uno", players=2, rules="rlcard")], settings, 4)
    assert isinstance(trained, ValueLearner)
    while trained.online.steps < 60:
        trained.cycle()
    while trained.online.steps % 7 != 6:
        trained.update()
    return trained


def expected_targets(trained: ValueLearner, batch: Batch, next_value: NextValue) -> list[float]:
    """Return the targets of a batch by the value of the next state."""
    q = trained.online.outputs(batch.next_observations)
    old = getattr(trained, "target", trained.online).outputs(batch.next_observations)
    legal = masks.to_bools(batch.next_legal, trained.outputs)
    targets = batch.rewards.tolist()
    for i in np.flatnonzero(~batch.last):
        targets[i] += 0.9 * float(next_value(q[i], old[i], np.flatnonzero(legal[i]).tolist(), batch.next_actions[i]))
    return targets


@pytest.mark.parametrize("name", NEXT_VALUES)
def test_targets_are_those_of_the_algorithm_and_no_other(name: str) -> None:
    trained = learner(name)
    batch = trained.memory.sample(300)
    assert batch.last.any() and not batch.last.all()
    targets = trained.targets(batch)
    assert np.allclose(targets, expected_targets(trained, batch, NEXT_VALUES[name]), atol=1e-5)
    for other, next_value in NEXT_VALUES.items():
        same = next_value is NEXT_VALUES[name]
        assert np.allclose(targets, expected_targets(trained, batch, next_value), atol=1e-3) == same, other


def test_dmc_targets_are_returns() -> None:
    trained = learner("dmc")
    batch = trained.memory.sample(300)
    assert np.array_equal(trained.targets(batch), batch.returns)
    assert np.array_equal(batch.returns[batch.last], batch.rewards[batch.last])
    assert set(np.abs(batch.returns[batch.last]).tolist()) == {1.0}


@pytest.mark.parametrize("name", ["dqn", "ddqn", "nfsp", "candqn", "ddqn-mcts"])
def test_target_network_is_copied_every_target_every_updates(name: str) -> None:
    trained = learner(name)
    inputs = trained.memory.observations[:20]
    outputs_after = {}
    while trained.online.steps < 85:
        trained.update()
        outputs_after[trained.online.steps] = trained.online.outputs(inputs)
        renewed = trained.online.steps // 7 * 7
        if renewed in outputs_after:
            target_outputs = trained.target.outputs(inputs)
            assert [steps for steps, outputs in outputs_after.items() if np.array_equal(outputs, target_outputs)] == [
                renewed
            ]
