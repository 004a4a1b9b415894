"""Tests of the 95 % intervals: against published tables, and of their coverage in simulations."""

import math

import numpy as np
import pytest

from cardgames.support.intervals import (
    are_consistent,
    clustered_mean,
    difference_interval,
    mean_interval,
    ratio_estimate,
    student95,
    student_variance,
    training_interval,
    wilson,
    win_rate_difference,
)


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [
        (0, 10, 0.0, 0.27753),
        (8, 10, 0.49016, 0.94332),
        (5, 5, 0.56552, 1.0),
        (500, 1000, 0.46907, 0.53093),
        (0, 0, 0, 1),
    ],
)
def test_wilson_interval(wins: int, games: int, low: float, high: float) -> None:
    assert wilson(wins, games) == pytest.approx((low, high), abs=1e-5)


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    # Newcombe 1998, table II, method 10: contrasts a, b and h
    [((56, 48), (70, 80), 0.0524, 0.3339), ((9, 3), (10, 10), 0.1705, 0.8090), ((10, 0), (10, 20), 0.6791, 1.0)],
)
def test_win_rate_difference_equals_newcombe(
    wins: tuple[int, int], games: tuple[int, int], low: float, high: float
) -> None:
    assert win_rate_difference(wins, games) == pytest.approx((low, high), abs=1e-4)


def test_mean_interval_equals_normal_interval() -> None:
    numbers = np.random.default_rng(1).normal(2, 3, 50)
    half = 1.959964 * numbers.std(ddof=1) / np.sqrt(50)
    interval = mean_interval(float(numbers.mean()), float((numbers**2).mean()), 50)
    assert interval == pytest.approx((numbers.mean() - half, numbers.mean() + half), rel=1e-6)
    assert mean_interval(1.0, 1.0, 1) == mean_interval(1.0, 1.0, 20) == (-np.inf, np.inf)


def test_difference_interval_of_two_estimates() -> None:
    assert difference_interval(0.5, wilson(50, 100), 0.4, wilson(80, 200)) == win_rate_difference((50, 80), (100, 200))
    assert difference_interval(0.5, (0.47, 0.53), 0.1, (0.06, 0.14)) == pytest.approx((0.35, 0.45))


def test_ratio_estimate_covers_share_of_correlated_events() -> None:
    random = np.random.default_rng(1)
    covered = 0
    for _ in range(400):
        rates, wholes = random.choice([0.2, 0.8], 200), random.integers(5, 15, 200).tolist()
        won = [random.binomial(int(n), p) for n, p in zip(wholes, rates, strict=True)]
        low, high = ratio_estimate(won, wholes)[1]
        covered += low < 0.5 < high
    assert 0.92 < covered / 400 < 0.98
    assert ratio_estimate([3], [4]) == (0.75, (0.0, 1.0))
    assert ratio_estimate([4, 7], [4, 7]) == (1.0, wilson(2, 2)), "two rounds with the same share count as two games"


@pytest.mark.parametrize("rounds", [2, 3, 8, 20])
def test_clustered_mean_covers_mean_of_few_rounds(rounds: int) -> None:
    random, covered = np.random.default_rng(rounds), 0
    for _ in range(1000):
        counts = random.integers(8, 13, rounds)
        sums = counts * random.normal(0.0, 1.0, rounds)
        low, high = clustered_mean(sums.tolist(), counts.tolist())[1]
        covered += low < 0 < high
    assert 0.92 < covered / 1000 < 0.98
    assert clustered_mean([4.0, 6.0], [2, 3])[1] == (-math.inf, math.inf), "all rounds have the same mean"


@pytest.mark.parametrize(
    ("games", "expected"),
    [
        ((0.476, 0.525), (0.475157, 0.524843)),  # slightly narrower than Student's interval
        ((0.475, 0.525), (0.475, 0.525)),  # slightly wider than Student's interval
        ((0.3, 0.7), (0.3, 0.7)),
        ((0.5, 0.5), (0.475157, 0.524843)),
    ],
)
def test_training_interval_is_the_wider_of_students_interval_and_that_of_the_games(
    games: tuple[float, float], expected: tuple[float, float]
) -> None:
    """Student's interval of 0.49, 0.5 and 0.51 is 0.5 +- 4.303 * 0.01 / sqrt(3), which is 0.0497 wide."""
    assert training_interval([0.49, 0.5, 0.51], games) == pytest.approx(expected, abs=1e-6)
    assert training_interval([0.5], games) == games, "the results of a single run have no variance"
    low, high = training_interval([0.49, 0.5, 0.51], games, within=(0.48, 0.52))
    assert (low, high) == pytest.approx((max(expected[0], 0.48), min(expected[1], 0.52)), abs=1e-6)


@pytest.mark.parametrize(
    ("degrees_of_freedom", "factor"), [(0, 1.0), (1, 42.026), (9, 1.33196), (10, 1.2924), (100, 1.02466)]
)
def test_student_variance_grows_with_few_degrees_of_freedom(degrees_of_freedom: int, factor: float) -> None:
    assert student_variance(0.01, degrees_of_freedom) == pytest.approx(0.01 * factor, rel=1e-3)


def test_mean_interval_uses_the_greater_of_independent_and_given_variance() -> None:
    independent = mean_interval(0.0, 1.0, 101)
    assert independent == pytest.approx((-0.195996, 0.195996), abs=1e-6)
    assert mean_interval(0.0, 1.0, 101, 0.0099) == independent
    assert mean_interval(0.0, 1.0, 101, 0.0225) == pytest.approx((-0.293995, 0.293995), abs=1e-6)


def test_estimates_are_consistent_if_the_interval_of_their_difference_contains_zero() -> None:
    """Half-widths of 0.03 and 0.04 give one of 0.05 for the difference."""
    for second, consistent in ((0.5, True), (0.549, True), (0.451, True), (0.551, False), (0.449, False)):
        assert are_consistent(0.5, (0.47, 0.53), second, (second - 0.04, second + 0.04)) == consistent


@pytest.mark.parametrize(
    ("degrees_of_freedom", "point"), [(1, 12.706), (9, 2.262), (10, 2.228), (20, 2.086), (60, 2.000)]
)
def test_student95_equals_table(degrees_of_freedom: int, point: float) -> None:
    assert student95(degrees_of_freedom) == pytest.approx(point, abs=6e-4)
