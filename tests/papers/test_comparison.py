"""Comparison of published and reproduced values: intervals and verdicts."""

import json
import math

import numpy as np
import pytest

from cardgames.papers.comparison import (
    HONEST_WIN_RATE,
    Mean,
    Published,
    Wins,
    highest,
    lead,
    pool,
    reward,
    win_loss_interval,
    win_rate,
)
from cardgames.support.intervals import training_interval, wilson


def test_values_agree_if_their_difference_can_be_chance() -> None:
    assert win_rate("", [Wins(4100, 10_000)], Published(0.40, 1000))["verdict"] == "agrees"
    assert win_rate("", [Wins(4600, 10_000)], Published(0.40, 1000))["verdict"] == "differs"
    assert reward("", "reward", [Mean(-0.18, 1.0, 10_000)], Published(-0.2, 1000))["agrees"]
    assert not reward("", "reward", [Mean(-0.1, 1.0, 10_000)], Published(-0.2, 1000))["agrees"]


def test_seeds_are_pooled_and_listed() -> None:
    row = win_rate("", [Wins(10, 100), Wins(30, 100)], Published(0.5, 1000))
    assert (row["reproduced"], row["seeds"], row["games"]) == (0.2, [0.1, 0.3], 200)
    assert row["ci95"][0] < 0.2 < row["ci95"][1]
    paid = reward("", "reward", [Mean(0.0, 1.0, 50), Mean(0.0, 1.0, 50)], Published(0.0, 100))
    assert paid["reproduced"] == 0.0 and paid["ci95"][1] == pytest.approx(1.96 / math.sqrt(100), rel=1e-3)
    assert pool([Wins(1, 2), Wins(3, 4)]) == Wins(4, 6)


def test_deviation_of_rewards_is_pooled_over_seeds() -> None:
    samples = [np.array([1.0, 1.0, -1.0 if seed % 2 else 0.0]) for seed in range(10)]
    row = reward("", "reward", [Mean(float(sample.mean()), float(sample.std()), 3) for sample in samples])
    pool = np.concatenate(samples)
    half = 1.96 * pool.std() / math.sqrt(30)
    assert row["reproduced"] == pytest.approx(pool.mean())
    assert row["ci95"] == pytest.approx([pool.mean() - half, pool.mean() + half], rel=1e-4)


def test_equal_rewards_have_the_interval_of_wins_and_losses() -> None:
    row = reward("", "reward", [Mean(1.0, 0.0, 5)], Published(0.5, 1000))
    assert row["ci95"] == list(win_loss_interval(1.0, 5)) and row["ci95"][0] < 0.5 and row["agrees"]


def test_interval_of_a_lead_in_the_same_games_covers_95_percent() -> None:
    random, covered = np.random.default_rng(3), 0
    for _ in range(400):
        first, second, _ = random.multinomial(300, [0.7, 0.2, 0.1])
        low, high = lead("", [Wins(int(first), 300)], [Wins(int(second), 300)], same_games=True)["ci95"]
        covered += low < 0.5 < high
    assert 0.92 < covered / 400 < 0.98
    row = lead("", [Wins(210, 300)], [Wins(60, 300)], same_games=True)
    differences = np.repeat([1.0, -1.0, 0.0], [210, 60, 30])
    assert row["ci95"][1] - row["reproduced"] == pytest.approx(1.96 * differences.std() / math.sqrt(300), rel=1e-4)


def test_variation_between_trainings_widens_the_interval() -> None:
    # Student's interval of 0.4, 0.5, 0.6: 0.5 +- 4.303 * 0.1 / sqrt(3)
    row = win_rate("", [Wins(4_000, 10_000), Wins(5_000, 10_000), Wins(6_000, 10_000)], Published(0.3, 100_000))
    assert row["ci95"] == pytest.approx([0.25157, 0.74843], abs=1e-4) and row["agrees"]
    alike = win_rate("", [Wins(5_000, 10_000)] * 3, Published(0.3, 100_000))
    assert alike["ci95"] == pytest.approx(wilson(15_000, 30_000)) and not alike["agrees"]
    assert training_interval([0.7], (0.6, 0.8)) == (0.6, 0.8)
    assert win_rate("", [Wins(990, 1_000), Wins(1_000, 1_000)])["ci95"][1] == 1, "no rate is above 1"
    few = reward("", "reward", [Mean(-1 / 3, 0.94, 3)])
    assert few["ci95"][0] == -1, "nor is a reward below -1"
    far = lead("", [Wins(5_000, 10_000), Wins(4_000, 10_000)], [Wins(4_000, 10_000)] * 2)
    assert far["verdict"].startswith("not significantly different")


def test_interval_of_a_published_reward_stays_within_minus_1_and_1() -> None:
    assert win_loss_interval(0.0, 1000) == pytest.approx((-0.062, 0.062), abs=5e-4)
    low, high = win_loss_interval(1.0, 100)
    assert 0.9 < low < high <= 1, "a hundred wins of a hundred leave uncertainty"


def test_highest_evaluation_is_compared_with_its_expectation_by_luck() -> None:
    row = highest("", -0.05, 100, 1000, [-0.02, -0.06, 0.0], -0.092)
    assert row["reproduced"] == pytest.approx(-0.08 / 3) and row["agrees"] is None and row["games"] == 300_000
    assert row["verdict"].startswith("exceeded with 2 of 3 seeds") and row["verdict"].endswith(
        "would reach about -0.013"
    )
    assert highest("", None, 100, 1000, [0.0], -0.092)["verdict"] == ""
    json.dumps(row)


def test_verdict_names_published_values_above_honest_play() -> None:
    honest_limit = HONEST_WIN_RATE[3]
    far = win_rate("", [Wins(400, 1000)], Published(0.635, 1000), honest_limit=honest_limit)["verdict"]
    assert far == "differs; published is above 0.464, the best known honest play"
    near = win_rate("", [Wins(620, 1000)], Published(0.635, 1000), honest_limit=honest_limit, sees_hidden=True)[
        "verdict"
    ]
    assert near.startswith("agrees; ") and near.endswith("so is ours, which sees the other hands")
    below = win_rate("", [Wins(450, 1000)], Published(0.635, 1000), honest_limit=honest_limit, sees_hidden=True)[
        "verdict"
    ]
    assert below.endswith("the best known honest play")
    assert win_rate("", [Wins(420, 1000)], Published(0.42, 1000), honest_limit=honest_limit)["verdict"] == "agrees"


def test_row_without_published_value_has_no_verdict() -> None:
    row = win_rate("x", [Wins(4, 10)])
    assert (row["agrees"], row["published_ci95"], row["verdict"]) == (None, None, "")
    json.dumps(row)


@pytest.mark.parametrize(
    ("first", "verdict"),
    [
        (5000, "more (more with 2 of 2 seeds)"),
        (4050, "not significantly different"),
        (3000, "less (more with 0 of 2 seeds)"),
    ],
)
def test_verdict_of_a_lead_follows_its_interval(first: int, verdict: str) -> None:
    tests = [Wins(first, 10_000)] * 2, [Wins(4000, 10_000)] * 2
    row = lead("", *tests, (Published(0.4, 1000), Published(0.3, 1000)))
    assert f"; {verdict}" in row["verdict"]
    assert row["published"] == pytest.approx(0.1) and row["published_ci95"][0] > 0
    assert row["agrees"] is (first == 5000) and row["verdict"].startswith("agrees" if first == 5000 else "differs")
    assert lead("", *tests)["published"] is None
