"""Tests of AFDQN: loss and targets of paper 002 (equations 5 and 6), and saved networks with Q only."""

import math

import numpy as np
import pytest

import cardgames
from cardgames.kernels import masks
from cardgames.learners.algorithms.afdqn import Afdqn, AfdqnSettings
from cardgames.learners.memory.replay_buffer import Batch

SETTINGS = {"hidden": (8,), "memory_init": 40, "target_every": 7, "learning_rate": 0.01}


def learner(**changes: object) -> Afdqn:
    """Return a learner after some rounds and updates."""
    game = cardgames.make("uno", players=2, rules="rlcard-2022")
    trained = Afdqn([game], AfdqnSettings().with_changes({**SETTINGS, **changes}), 4)
    while trained.online.steps < 20:
        trained.cycle()
    return trained


def expected_loss(trained: Afdqn, outputs: np.ndarray, batch: Batch, targets: np.ndarray) -> float:
    """Return the loss of equations 5 and 6 for outputs [n, 122], in plain Python."""
    total, legal = 0.0, masks.to_bools(trained.memory.legal[batch.rows], 61)
    for row, (action, target) in enumerate(zip(batch.actions, targets, strict=True)):
        error, focus_loss = float(outputs[row, action]) - float(target), 0.0
        for a in range(61):
            probability, is_legal = 1 / (1 + math.exp(-float(outputs[row, 61 + a]))), float(legal[row, a])
            if trained.settings.focus_loss == "mse":
                focus_loss += (probability - is_legal) ** 2
            else:
                focus_loss -= is_legal * math.log(probability) + (1 - is_legal) * math.log(1 - probability)
        total += float(batch.weights[row]) * (error**2 + trained.settings.focus_weight * focus_loss / 61)
    return total / len(targets)


@pytest.mark.parametrize("loss", ["bce", "mse"])
def test_gradient_is_that_of_equations_5_and_6(loss: str) -> None:
    trained = learner(focus_loss=loss, focus_weight=0.7)
    random, batch = np.random.default_rng(1), trained.memory.sample(3)
    batch.weights[:] = 1, 0.5, 0.25  # as in prioritized replay
    outputs, targets = random.normal(size=(3, 122)).astype(np.float32), random.normal(size=3).astype(np.float32)
    errors, gradient = trained.errors(outputs, targets, batch)
    assert np.allclose(errors, outputs[range(3), batch.actions] - targets)
    assert gradient.dtype == np.float32
    exact, step = outputs.astype(np.float64), 1e-5
    for row in range(3):
        for column in (*random.choice(122, 20, replace=False), batch.actions[row]):
            losses = []
            for sign in (1, -1):
                moved = exact.copy()
                moved[row, column] += sign * step
                losses.append(expected_loss(trained, moved, batch, targets))
            assert gradient[row, column] == pytest.approx((losses[0] - losses[1]) / (2 * step), abs=1e-6)


def test_targets_are_dqns_over_legal_actions() -> None:
    trained = learner()
    batch = trained.memory.sample(40)
    q = trained.target.outputs(batch.next_observations)[:, :61]
    legal = masks.to_bools(batch.next_legal, 61)
    assert batch.last.any() and not batch.last.all()
    for i, target in enumerate(trained.targets(batch)):
        next_value = 0.0 if batch.last[i] else max(float(q[i, a]) for a in range(61) if legal[i, a])
        assert target == pytest.approx(batch.rewards[i] + 0.99 * next_value, rel=1e-5)


def test_saved_network_has_only_q() -> None:
    trained = learner()
    inputs = trained.memory.observations[:30]
    assert trained.network().sizes == (240, 8, 61) and trained.online.sizes == (240, 8, 122)
    assert np.allclose(trained.network()(inputs), trained.scores(inputs), atol=1e-5)
    assert np.array_equal(trained.scores(inputs), trained.online.outputs(inputs)[:, :61])


def test_legality_is_learned() -> None:
    trained = learner(hidden=(64,), learning_rate=0.003, batch=64)
    while trained.online.steps < 2000:
        trained.cycle()
    trained.means.clear()
    while trained.online.steps < 2200:
        trained.cycle()
    shares = masks.to_bools(trained.memory.legal[: len(trained.memory)], 61).mean(axis=0).clip(1e-6, 1 - 1e-6)
    constant = -(shares * np.log(shares) + (1 - shares) * np.log(1 - shares)).mean()
    assert trained.metrics()["focus"] < 0.75 * constant, "no better than the frequency of each action's legality"


def test_focus_head_is_unchanged_with_weight_zero() -> None:
    trained = learner(focus_weight=0.0)
    before = trained.online.tensors()["2.weight"][61:]
    for _ in range(60):
        trained.cycle()
    assert np.array_equal(trained.online.tensors()["2.weight"][61:], before)


def test_invalid_settings_are_refused() -> None:
    with pytest.raises(cardgames.InvalidInput, match="unknown focus_loss 'huber': choose from bce, mse"):
        AfdqnSettings(focus_loss="huber")
    with pytest.raises(cardgames.InvalidInput, match="focus_weight is from 0, not -1"):
        AfdqnSettings(focus_weight=-1.0)
