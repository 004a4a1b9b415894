"""What each algorithm has Q become is what its formula says, number by number."""

from collections.abc import Callable

import numpy as np
import pytest

import cardgames
from cardgames.kernels import masks
from cardgames.learners.algorithms.algorithm_registry import algorithm
from cardgames.learners.base.value_learner import ValueLearner
from cardgames.learners.memory.replay_buffer import Batch

CHANGES = {"hidden": "8", "memory_init": 40, "target_every": 7, "learning_rate": 0.02, "discount": 0.9}
Following = Callable[[np.ndarray, np.ndarray, list[int], int], float]
"""Returns what comes next is worth: of Q by the network, Q by its target network, the legal actions, the one taken."""


def best_by_the_old(q: np.ndarray, old: np.ndarray, legal: list[int], taken: int) -> float:
    return max(old[a] for a in legal)


FOLLOWING: dict[str, Following] = {
    "dqn": best_by_the_old,
    "nfsp": best_by_the_old,
    "candqn": best_by_the_old,
    "ddqn": lambda q, old, legal, taken: old[max(legal, key=lambda a: q[a])],
    "sarsa": lambda q, old, legal, taken: q[taken],
}


def learner(name: str) -> ValueLearner:
    """One that has learned a little, and more since its target network was renewed."""
    found = algorithm(name)
    known = found.settings_class().to_dict()
    settings = found.settings_class().with_changes({key: value for key, value in CHANGES.items() if key in known})
    made = found([cardgames.make("uno", players=2, rules="rlcard")], settings, 4)
    assert isinstance(made, ValueLearner)
    while made.online.steps < 60:
        made.cycle()
    while made.online.steps % 7 != 6:
        made.update()
    return made


def by_hand(made: ValueLearner, batch: Batch, following: Following) -> list[float]:
    """The targets of a batch, given how the next decision counts."""
    q = made.online.outputs(batch.next_observations)
    old = getattr(made, "target", made.online).outputs(batch.next_observations)
    legal = masks.to_bools(batch.next_legal, made.outputs)
    found = batch.rewards.tolist()
    for i in np.flatnonzero(~batch.last):
        found[i] += 0.9 * float(following(q[i], old[i], np.flatnonzero(legal[i]).tolist(), batch.next_actions[i]))
    return found


@pytest.mark.parametrize("name", FOLLOWING)
def test_targets_are_those_of_the_algorithm_and_of_no_other(name: str) -> None:
    made = learner(name)
    batch = made.memory.sample(300)
    assert batch.last.any() and not batch.last.all()
    targets = made.targets(batch)
    assert np.allclose(targets, by_hand(made, batch, FOLLOWING[name]), atol=1e-5)
    for other, following in FOLLOWING.items():
        same = following is FOLLOWING[name]
        assert np.allclose(targets, by_hand(made, batch, following), atol=1e-3) == same, other


def test_deep_monte_carlo_takes_what_the_round_paid() -> None:
    made = learner("dmc")
    batch = made.memory.sample(300)
    assert np.array_equal(made.targets(batch), batch.returns)
    assert np.array_equal(batch.returns[batch.last], batch.rewards[batch.last])
    assert set(np.abs(batch.returns[batch.last]).tolist()) == {1.0}


@pytest.mark.parametrize("name", ["dqn", "ddqn", "nfsp", "candqn", "ddqn-mcts"])
def test_the_target_network_is_the_network_of_some_updates_ago(name: str) -> None:
    made = learner(name)
    seen = made.memory.observations[:20]
    were = {}
    while made.online.steps < 85:
        made.update()
        were[made.online.steps] = made.online.outputs(seen)
        renewed = made.online.steps // 7 * 7
        if renewed in were:
            known = made.target.outputs(seen)
            assert [steps for steps, outputs in were.items() if np.array_equal(outputs, known)] == [renewed]
