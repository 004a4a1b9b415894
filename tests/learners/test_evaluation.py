"""Evaluations: against whom, on which seat, and rounds that nobody wins."""

from pathlib import Path

import numpy as np
import pytest

import cardgames
from cardgames.core.errors import InvalidInput
from cardgames.core.games import make
from cardgames.learners.algorithms import algorithm, make_learner
from cardgames.learners.evaluation import _mean_rate, evaluate, in_roles
from tests.learners.tiny_run import TINY, start


def test_whom_to_evaluate_against_is_checked_before_anything_is_written(tmp_path: Path) -> None:
    for text, words in (
        ("random,reflex", "several written random\\+rlcard-rule: unknown agent for uno 'random,reflex'"),
        ("past", "not against past selves"),
        ("random + 2*past", "they have no shares"),
        ("random + 2*reflex", "they have no shares"),
        ("random+random", "random is named twice"),
        ("", "evaluate="),
    ):
        with pytest.raises(InvalidInput, match=words):
            start(tmp_path / "run", evaluate=text)
        assert not (tmp_path / "run").exists()


def test_rounds_that_nobody_wins_are_told() -> None:
    game = make("uno", players=2, rules="common", overrides=["turn-limit=4"])
    learner = make_learner("dqn", [game], algorithm("dqn").settings_class().changed(TINY), 1, "kernel")
    found = evaluate(learner, game, "random", 20, 1)
    assert found.voids == 20 and str(found).endswith("against random (2 players), 100.0% void")


def test_the_variance_of_a_mean_of_rates_is_over_deals() -> None:
    games = np.array([[1, 1], [2, 2]])
    assert _mean_rate(np.array([[1, 0], [2, 0]]), games) == (0.5, pytest.approx(0.25)), "deals 1/2 away from the mean"
    assert _mean_rate(np.array([[1, 0], [0, 2]]), games) == (0.5, 0.0), "in one role as much more as in the other less"
    assert _mean_rate(np.array([[1]]), np.array([[2]])) == (0.5, 0.0)


@pytest.mark.parametrize("rules", ["openspiel", "rlcard"])
def test_rounds_of_one_deal_hang_together(rules: str) -> None:
    game = make("doudizhu", rules=rules)
    policy = game.policy("frugal")
    found = [in_roles(policy, game, "rlcard-rule", 240, seed, landlord=False) for seed in range(40)]
    spread = np.var([one.win_rate for one in found], ddof=1)
    assert 0.5 < np.mean([one.variance for one in found]) / spread < 2
    alone = in_roles(policy, game, "rlcard-rule", 240, 0, landlord=True) if game.seats_are_roles else None
    assert alone is None or alone.variance == 0, "a round for each deal"


def test_a_learner_on_all_seats_is_evaluated_on_one() -> None:
    learner = make_learner("dqn", [cardgames.make("uno", 2, "rlcard")])
    with pytest.raises(InvalidInput, match="evaluate it in one"):
        evaluate(learner, learner.games[0], "random", 2, 0, "all")
