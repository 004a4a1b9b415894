"""AFDQN's loss and targets are those of paper 002, equations 5 and 6; only Q is what is saved."""

import math

import numpy as np
import pytest

import cardgames
from cardgames.kernels import masks
from cardgames.learners.algorithms.afdqn import Afdqn, AfdqnSettings
from cardgames.learners.memory.replay_buffer import Batch

SETTINGS = {"hidden": (8,), "memory_init": 40, "target_every": 7, "learning_rate": 0.01}


def learner(**changes: object) -> Afdqn:
    """One that has remembered some rounds and learned a little from them."""
    game = cardgames.make("uno", players=2, rules="rlcard-2022")
    made = Afdqn([game], AfdqnSettings().with_changes({**SETTINGS, **changes}), 4)
    while made.online.steps < 20:
        made.cycle()
    return made


def loss_by_hand(made: Afdqn, outputs: np.ndarray, batch: Batch, targets: np.ndarray) -> float:
    """Equations 5 and 6 for outputs [n, 122], number by number."""
    total, legal = 0.0, masks.to_bools(made.memory.legal[batch.rows], 61)
    for row, (action, target) in enumerate(zip(batch.actions, targets, strict=True)):
        error, wrong = float(outputs[row, action]) - float(target), 0.0
        for a in range(61):
            chance, true = 1 / (1 + math.exp(-float(outputs[row, 61 + a]))), float(legal[row, a])
            if made.settings.focus_loss == "mse":
                wrong += (chance - true) ** 2
            else:
                wrong -= true * math.log(chance) + (1 - true) * math.log(1 - chance)
        total += float(batch.weights[row]) * (error**2 + made.settings.focus_weight * wrong / 61)
    return total / len(targets)


@pytest.mark.parametrize("loss", ["bce", "mse"])
def test_the_gradient_is_that_of_the_papers_loss(loss: str) -> None:
    made = learner(focus_loss=loss, focus_weight=0.7)
    random, batch = np.random.default_rng(1), made.memory.sample(3)
    batch.weights[:] = 1, 0.5, 0.25  # as prioritised replay has them
    outputs, targets = random.normal(size=(3, 122)).astype(np.float32), random.normal(size=3).astype(np.float32)
    errors, gradient = made.errors(outputs, targets, batch)
    assert np.allclose(errors, outputs[range(3), batch.actions] - targets)
    assert gradient.dtype == np.float32
    exact, step = outputs.astype(np.float64), 1e-5
    for row in range(3):
        for column in (*random.choice(122, 20, replace=False), batch.actions[row]):
            found = []
            for sign in (1, -1):
                moved = exact.copy()
                moved[row, column] += sign * step
                found.append(loss_by_hand(made, moved, batch, targets))
            assert gradient[row, column] == pytest.approx((found[0] - found[1]) / (2 * step), abs=1e-6)


def test_targets_are_the_reward_and_the_best_legal_q_of_the_target_network() -> None:
    made = learner()
    batch = made.memory.sample(40)
    q = made.target.outputs(batch.next_observations)[:, :61]
    legal = masks.to_bools(batch.next_legal, 61)
    assert batch.last.any() and not batch.last.all()
    for i, target in enumerate(made.targets(batch)):
        following = 0.0 if batch.last[i] else max(float(q[i, a]) for a in range(61) if legal[i, a])
        assert target == pytest.approx(batch.rewards[i] + 0.99 * following, rel=1e-5)


def test_what_is_saved_is_q_alone() -> None:
    made = learner()
    seen = made.memory.observations[:30]
    assert made.network().sizes == (240, 8, 61) and made.online.sizes == (240, 8, 122)
    assert np.allclose(made.network()(seen), made.scores(seen), atol=1e-5)
    assert np.array_equal(made.scores(seen), made.online.outputs(seen)[:, :61])


def test_what_is_legal_is_learned() -> None:
    made = learner(hidden=(64,), learning_rate=0.003, batch=64)
    while made.online.steps < 2000:
        made.cycle()
    made.means.clear()
    while made.online.steps < 2200:
        made.cycle()
    shares = masks.to_bools(made.memory.legal[: len(made.memory)], 61).mean(axis=0).clip(1e-6, 1 - 1e-6)
    constant = -(shares * np.log(shares) + (1 - shares) * np.log(1 - shares)).mean()
    assert made.metrics()["focus"] < 0.75 * constant, "no better than knowing how often each action is legal"


def test_without_weight_the_second_head_learns_nothing() -> None:
    made = learner(focus_weight=0.0)
    before = made.online.tensors()["2.weight"][61:]
    for _ in range(60):
        made.cycle()
    assert np.array_equal(made.online.tensors()["2.weight"][61:], before)


def test_settings_out_of_range_are_refused() -> None:
    with pytest.raises(cardgames.InvalidInput, match="unknown focus_loss 'huber': choose from bce, mse"):
        AfdqnSettings(focus_loss="huber")
    with pytest.raises(cardgames.InvalidInput, match="focus_weight is from 0, not -1"):
        AfdqnSettings(focus_weight=-1.0)
