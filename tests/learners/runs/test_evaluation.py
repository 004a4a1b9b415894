"""Evaluations: against whom, on which seat and cards, rounds that nobody wins, and how sure they are."""

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


def test_whom_to_evaluate_against_is_checked_before_anything_is_written(tmp_path: Path) -> None:
    for text, words in (
        ("random,reflex", "several opponents: random\\+rlcard-rule\\): unknown agent for uno 'random,reflex'"),
        ("past", "not past selves"),
        ("random + 2*past", "cannot have shares"),
        ("random + 2*reflex", "cannot have shares"),
        ("random+random", "random is named twice"),
        ("", "evaluate="),
    ):
        with pytest.raises(InvalidInput, match=words):
            start(tmp_path / "run", evaluate=text)
        assert not (tmp_path / "run").exists()


def test_rounds_that_nobody_wins_are_told() -> None:
    game = make("uno", players=2, rules="common", overrides=["turn-limit=4"])
    learner = make_learner("dqn", [game], algorithm("dqn").settings_class().with_changes(TINY), 1, "kernel")
    found = evaluate(learner, game, "random", 20, 1)
    assert found.voids == 20 and str(found).endswith("against random (2 players), 100.0% void")


def test_the_variance_of_a_mean_of_rates_is_over_deals() -> None:
    games = np.array([[1, 1], [2, 2]])
    assert _mean_rate(np.array([[1, 0], [2, 0]]), games) == (0.5, pytest.approx(0.25)), "deals 1/2 away from the mean"
    assert _mean_rate(np.array([[1, 0], [0, 2]]), games) == (0.5, 0.0), "in one role as much more as in the other less"
    assert _mean_rate(np.array([[1]]), np.array([[2]])) == (0.5, 0.0)


def test_the_variance_of_few_deals_is_widened(monkeypatch: pytest.MonkeyPatch) -> None:
    game = make("doudizhu", rules="rlcard")
    monkeypatch.setattr(evaluation, "_mean_rate", lambda *_: (0.5, 0.01))
    found = evaluate_roles(game.policy("frugal"), game, "random", 6, 0, landlord=False)
    assert found.variance == student_variance(0.01, -(-6 // len(game.seatings(2))) - 1) > 0.01


def test_rounds_that_hang_together_count_as_fewer() -> None:
    assert Evaluation("", 100, 50, 0, 0.0, variance=0.005).interval == pytest.approx(wilson(25, 50))
    assert Evaluation("", 100, 50, 0, 0.0, variance=0.001).interval == wilson(50, 100)


@pytest.mark.parametrize("rules", ["openspiel", "rlcard"])
def test_rounds_of_one_deal_hang_together(rules: str) -> None:
    game = make("doudizhu", rules=rules)
    policy = game.policy("frugal")
    found = [evaluate_roles(policy, game, "rlcard-rule", 240, seed, landlord=False) for seed in range(40)]
    spread = np.var([one.win_rate for one in found], ddof=1)
    assert 0.5 < np.mean([one.variance for one in found]) / spread < 2
    alone = evaluate_roles(policy, game, "rlcard-rule", 240, 0, landlord=True) if game.seats_are_roles else None
    assert alone is None or alone.variance == 0, "a round for each deal"


def test_a_learner_on_all_seats_is_evaluated_on_one() -> None:
    learner = make_learner("dqn", [cardgames.make("uno", 2, "rlcard")])
    with pytest.raises(InvalidInput, match="evaluations need seats=any or first"):
        evaluate(learner, learner.games[0], "random", 2, 0, "all")


@pytest.mark.parametrize(("seats", "expected"), [("first", "first"), ("any", "any"), ("all", "any")])
def test_a_learner_is_evaluated_where_it_learned_with_other_cards_each_time(
    seats: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    learner = Dqn([make("uno", 2, "rlcard")], DqnSettings(hidden=(8,), seats=seats), 1, "kernel")
    asked: list[tuple[object, object]] = []
    monkeypatch.setattr(evaluation, "evaluate", lambda *told: asked.append(told[4:6]))
    for rounds in (0, 10):
        evaluate_all(learner, rounds)
    (first, where), (second, again) = asked
    assert where == again == expected and first != second
