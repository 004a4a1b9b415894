"""Tests of REINFORCE for the linear policy: rounds, gradient, Adam steps, averaged weights."""

from typing import Any

import numpy as np
import pytest

import cardgames
from cardgames.arena.match import play_match
from cardgames.core.game_registry import make
from cardgames.kernels import rng
from cardgames.kernels.record_type import new_record
from cardgames.learners.algorithms import linear_reinforce
from cardgames.learners.algorithms.linear_reinforce import BATCHES, mean_gradient, train
from cardgames.support.errors import InvalidInput
from cardgames.support.tensor_file import read_tensors
from cardgames.uno.policies import linear_policy
from cardgames.uno.policies.linear_weights import add_weights


def test_training_beats_random_and_is_deterministic(tmp_path):
    game = make("uno", players=2, rules="rlcard")
    shares = []
    weights = train(game, rounds=40_000, seed=3, progress=shares.append)
    assert shares[-1] == 1.0 and shares == sorted(shares)
    assert np.array_equal(weights, train(game, rounds=40_000, seed=3))
    path = str(tmp_path / "own.safetensors")
    add_weights(path, game, weights, 3)
    add_weights(path, make("uno", players=3, rules="common"), weights, 4)
    with pytest.raises(InvalidInput, match="holds weights for rlcard-2 already"):
        add_weights(path, game, weights, 5)  # as if another training had written them in the meantime
    tables, notes = read_tensors(path)
    assert set(tables) == {"rlcard-2", "common-3"} and notes["game"] == "uno"
    assert notes["rlcard-2"] == f"rules {game.rules.hash}, 2 players, seed 3, version {cardgames.__version__}"
    result = play_match(game, [f"linear:weights={path}", "random"], games=20_000, seed=1)
    assert result.agents[0].ci95[0] > 0.58


@pytest.mark.parametrize("rounds", [BATCHES, 1000, 1234])
def test_training_plays_exactly_the_given_rounds(rounds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[int] = []

    def mean_gradient(rules: object, state: object, weights: object, batch: int, *rest: object) -> None:
        played.append(batch)

    monkeypatch.setattr(linear_reinforce, "mean_gradient", mean_gradient)
    train(make("uno", players=2, rules="rlcard"), rounds=rounds)
    assert sum(played) == rounds and max(played) - min(played) <= 1


def test_gradient_has_baseline_of_equal_chances() -> None:
    game, gradient = make("uno", 3, "rlcard"), np.zeros(linear_policy.NUM_WEIGHTS)
    state, traces = new_record(game.state_dtype), np.zeros((3, linear_policy.NUM_WEIGHTS))
    work_arrays = np.zeros(game.num_distinct_actions, np.int32), np.zeros(game.num_distinct_actions)
    weights = np.zeros(linear_policy.NUM_WEIGHTS, np.float32)
    mean_gradient(game.kernel_rules, state, weights, 1, np.uint64(5), rng.stream(1), *work_arrays, traces, gradient)
    expected = sum(((state.winner == seat) - 1 / 3) * traces[seat] for seat in range(3))
    assert state.winner >= 0 and gradient == pytest.approx(expected) and traces.any()


def test_weights_follow_adam_and_result_is_mean_of_second_half(monkeypatch: pytest.MonkeyPatch) -> None:
    gradients, weights_seen = np.random.default_rng(1).normal(size=(BATCHES, linear_policy.NUM_WEIGHTS)), list[Any]()

    def fake_mean_gradient(*arguments: Any) -> None:
        weights_seen.append(arguments[2])
        arguments[-1][:] = gradients[len(weights_seen) - 1]

    monkeypatch.setattr(linear_reinforce, "mean_gradient", fake_mean_gradient)
    result = train(make("uno", 2, "rlcard"), rounds=BATCHES)
    weights, mean, square, history = weights_seen[0].astype(float), 0.0, 0.0, []
    for step, gradient in enumerate(gradients, 1):
        mean, square = 0.9 * mean + 0.1 * gradient, 0.99 * square + 0.01 * gradient**2
        learning_rate = 0.2 * (1 - (step - 1) / BATCHES)
        weights = weights + learning_rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
        history.append(weights)
    assert result == pytest.approx(np.mean(history[BATCHES // 2 :], axis=0), rel=1e-4, abs=1e-5)
