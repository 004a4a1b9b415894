"""Tests of evaluations: opponents, seats, seeds, void rounds, intervals."""

from pathlib import Path

import numpy as np
import pytest

import cardgames
from cardgames.core.game_registry import make
from cardgames.learners.algorithms.algorithm_registry import algorithm, make_learner
from cardgames.learners.algorithms.dqn import Dqn, DqnSettings
from cardgames.learners.runs import evaluation
from cardgames.learners.runs.evaluation import Evaluation, _mean_rate, evaluate, evaluate_all, evaluate_roles
from cardgames.support.errors import InvalidInput
from cardgames.support.intervals import student_variance, wilson
from tests.learners.tiny_run import TINY, start


def test_invalid_evaluate_setting_is_refused_before_writing(tmp_path: Path) -> None:
    for text, message in (
        ("random,reflex", "several opponents: random\\+rlcard-rule\\): unknown agent for uno 'random,reflex'"),
        ("past", "not past selves"),
        ("random + 2*past", "cannot have shares"),
        ("random + 2*reflex", "cannot have shares"),
        ("random+random", "random is named twice"),
        ("", "evaluate="),
    ):
        with pytest.raises(InvalidInput, match=message):
            start(tmp_path / "run", evaluate=text)
        assert not (tmp_path / "run").exists()


def test_evaluation_counts_void_rounds() -> None:
    game = make("uno", players=2, rules="common", overrides=["turn-limit=4"])
    learner = make_learner("dqn", [game], algorithm("dqn").settings_class().with_changes(TINY), 1, "kernel")
    result = evaluate(learner, game, "random", 20, 1)
    assert result.voids == 20 and str(result).endswith("against random (2 players), 100.0% void")


def test_variance_of_mean_rate_is_over_deals() -> None:
    games = np.array([[1, 1], [2, 2]])
    assert _mean_rate(np.array([[1, 0], [2, 0]]), games) == (0.5, pytest.approx(0.25)), "deals 1/2 away from the mean"
    assert _mean_rate(np.array([[1, 0], [0, 2]]), games) == (0.5, 0.0), "the differences of the two roles cancel"
    assert _mean_rate(np.array([[1]]), np.array([[2]])) == (0.5, 0.0)


def test_variance_of_few_deals_is_widened(monkeypatch: pytest.MonkeyPatch) -> None:
    game = make("doudizhu", rules="rlcard")
    monkeypatch.setattr(evaluation, "_mean_rate", lambda *_: (0.5, 0.01))
    result = evaluate_roles(game.policy("frugal"), game, "random", 6, 0, landlord=False)
    assert result.variance == student_variance(0.01, -(-6 // len(game.seatings(2))) - 1) > 0.01


def test_interval_is_wider_for_correlated_rounds() -> None:
    assert Evaluation("", 100, 50, 0, 0.0, variance=0.005).interval == pytest.approx(wilson(25, 50))
    assert Evaluation("", 100, 50, 0, 0.0, variance=0.001).interval == wilson(50, 100)


@pytest.mark.parametrize("rules", ["openspiel", "rlcard"])
def test_variance_matches_spread_over_seeds_of_correlated_deals(rules: str) -> None:
    game = make("doudizhu", rules=rules)
    policy = game.policy("frugal")
    result = [evaluate_roles(policy, game, "rlcard-rule", 240, seed, landlord=False) for seed in range(40)]
    spread = np.var([evaluation_of_seed.win_rate for evaluation_of_seed in result], ddof=1)
    assert 0.5 < np.mean([evaluation_of_seed.variance for evaluation_of_seed in result]) / spread < 2
    alone = evaluate_roles(policy, game, "rlcard-rule", 240, 0, landlord=True) if game.seats_are_roles else None
    assert alone is None or alone.variance == 0, "a round for each deal"


def test_evaluation_with_all_seats_is_refused() -> None:
    learner = make_learner("dqn", [cardgames.make("uno", 2, "rlcard")])
    with pytest.raises(InvalidInput, match="evaluations need seats=any or first"):
        evaluate(learner, learner.games[0], "random", 2, 0, "all")


@pytest.mark.parametrize(("seats", "expected"), [("first", "first"), ("any", "any"), ("all", "any")])
def test_evaluations_use_learners_seats_and_new_seeds(
    seats: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    learner = Dqn([make("uno", 2, "rlcard")], DqnSettings(hidden=(8,), seats=seats), 1, "kernel")
    calls: list[tuple[object, object]] = []
    monkeypatch.setattr(evaluation, "evaluate", lambda *arguments: calls.append(arguments[4:6]))
    for rounds in (0, 10):
        evaluate_all(learner, rounds)
    (first, where), (second, again) = calls
    assert where == again == expected and first != second
