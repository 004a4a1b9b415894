"""95 % confidence intervals of win rates, of means, of differences, and of the results of several training runs."""

import math
from collections.abc import Sequence
from statistics import fmean, stdev

Interval = tuple[float, float]
"""Lower and upper end of a confidence interval."""

Z95 = 1.959963984540054
"""97.5 % quantile of the standard normal distribution, the half width of a 95 % interval in standard errors."""
_STUDENT95 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262)
"""97.5 % quantiles of Student's distribution with 1, 2, ... degrees of freedom."""
UNBOUNDED = (-math.inf, math.inf)
"""Interval from minus to plus infinity, for an estimate from too few data."""


def student95(degrees_of_freedom: int) -> float:
    """Return the 97.5 % quantile of Student's distribution with 1 or more degrees of freedom, to three decimals.

    Source: M. Abramowitz, I. A. Stegun, "Handbook of Mathematical Functions", 1964, 26.7.5 (from ten degrees on).
    """
    if degrees_of_freedom <= len(_STUDENT95):
        return _STUDENT95[degrees_of_freedom - 1]
    z, n = Z95, float(degrees_of_freedom)
    terms = (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96, (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + terms[0] / n + terms[1] / n**2 + terms[2] / n**3


def student_variance(variance: float, degrees_of_freedom: int) -> float:
    """Return a variance enlarged so that an interval by the normal distribution is as wide as one by Student's.

    Args:
        variance: Variance, estimated from data with `degrees_of_freedom`.
        degrees_of_freedom: Degrees of freedom; 0 if the variance is not estimated, which is then returned unchanged.
    """
    return variance * (student95(degrees_of_freedom) / Z95) ** 2 if degrees_of_freedom else variance


def wilson(wins: float, games: float, variance: float = 0.0) -> Interval:
    """Return Wilson's score interval of a win rate; (0, 1) without a game.

    If the games are correlated, the win rate has a greater variance than with independent games. The interval is then
    computed from a smaller number of games: that for which independent games have this variance.

    Args:
        wins: Number of wins.
        games: Number of games.
        variance: Variance of the win rate; ignored if it is less than that of independent games.

    Sources: E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", 1927; for the number of
    games that count L. Kish, "Survey Sampling", 1965, section 8.2 (the design effect).
    """
    if games == 0:
        return 0.0, 1.0
    independent = wins * (games - wins) / games**3
    if variance > independent > 0:
        share = independent / variance
        wins, games = wins * share, games * share
    middle = wins + Z95**2 / 2
    half = Z95 * math.sqrt(wins * (games - wins) / games + Z95**2 / 4)
    return max(0.0, (middle - half) / (games + Z95**2)), min(1.0, (middle + half) / (games + Z95**2))


def win_rate_difference(wins: tuple[int, int], games: tuple[int, int]) -> Interval:
    """Return the 95 % interval of the difference of two independent win rates, the first minus the second.

    `wins` and `games` have the number of wins and of games of each.

    Source: R. G. Newcombe, "Interval Estimation for the Difference between Independent Proportions", 1998, method 10.
    """
    first, second = (won / played for won, played in zip(wins, games, strict=True))
    return difference_interval(first, wilson(wins[0], games[0]), second, wilson(wins[1], games[1]))


def difference_interval(first: float, first_ci: Interval, second: float, second_ci: Interval) -> Interval:
    """Return the interval of the difference of two independent estimates, `first` minus `second`.

    It is computed from the estimates and their own intervals, `first_ci` and `second_ci`.

    Source: G. Y. Zou, A. Donner, "Construction of Confidence Limits about Effect Measures", 2008, equation 4.
    """
    (low, high), (low2, high2), difference = first_ci, second_ci, first - second
    return difference - math.hypot(first - low, high2 - second), difference + math.hypot(high - first, second - low2)


def are_consistent(first: float, first_ci: Interval, second: float, second_ci: Interval) -> bool:
    """Return whether two independent estimates are not significantly different (`difference_interval` contains 0)."""
    low, high = difference_interval(first, first_ci, second, second_ci)
    return low <= 0 <= high


def mean_interval(mean: float, mean_square: float, count: int, variance: float = 0.0) -> Interval:
    """Return the 95 % interval of a mean by the normal distribution.

    Args:
        mean: Mean of the numbers.
        mean_square: Mean of the squares of the numbers.
        count: How many numbers there are.
        variance: Variance of the mean if the numbers are correlated; ignored if it is less than for
            independent numbers.

    Returns:
        The interval; `UNBOUNDED` for fewer than two numbers or if all are equal.
    """
    if count < 2:
        return UNBOUNDED
    half = Z95 * max(standard_error(mean, mean_square, count), math.sqrt(variance))
    return (mean - half, mean + half) if half > 0 else UNBOUNDED


def standard_error(mean: float, mean_square: float, count: int) -> float:
    """Return the standard error of a mean of `count` >= 2 independent numbers, from `mean` and the mean of their squares."""
    return math.sqrt(max(0.0, mean_square - mean**2) / (count - 1))


def ratio_estimate(parts: Sequence[int], wholes: Sequence[int]) -> tuple[float, Interval]:
    """Return the share of events of one sort among all events of several rounds, and its 95 % interval.

    Events within a round may be correlated; rounds are independent.

    Args:
        parts: Number of events of this sort in each round, for example correct predictions.
        wholes: Number of all events in each round, for example predictions.

    Returns:
        sum(parts) / sum(wholes) and its interval: (0, 1) from one round. If all rounds have the same share, the
        interval is Wilson's, with each round as one game.

    Source: W. G. Cochran, "Sampling Techniques", 1977, chapter 2, on the estimation of a ratio.
    """
    share, (low, high) = clustered_mean(parts, wholes)
    if (low, high) == UNBOUNDED and len(parts) > 1:
        return share, wilson(share * len(parts), len(parts))
    return share, (max(0.0, low), min(1.0, high))


def clustered_mean(sums: Sequence[float], counts: Sequence[int]) -> tuple[float, Interval]:
    """Return the mean of numbers that come from independent rounds, several from each, and its 95 % interval.

    The numbers of one round may be correlated. The interval is computed over rounds, by Student's distribution.

    Args:
        sums: Sum of the numbers of each round.
        counts: How many numbers each round has.

    Returns:
        The mean and its interval; `UNBOUNDED` for one round, or if all rounds have the same mean.

    Source: W. G. Cochran, "Sampling Techniques", 1977, chapter 2, on the estimation of a ratio.
    """
    mean = math.fsum(sums) / sum(counts)
    rounds = list(zip(sums, counts, strict=True))
    if len(rounds) < 2 or all(math.isclose(total, mean * count) for total, count in rounds):
        return mean, UNBOUNDED
    squares = math.fsum((total - mean * count) ** 2 for total, count in rounds)
    half = student95(len(rounds) - 1) * math.sqrt(ratio_variance(squares, len(rounds), sum(counts)))
    return mean, (mean - half, mean + half)


def ratio_variance(squares: float, rounds: int, count: int) -> float:
    """Return the variance of the mean of numbers that come from independent rounds, several from each.

    Args:
        squares: Sum over rounds of (sum of the round - mean * count of the round)**2.
        rounds: Number of rounds, at least 2.
        count: How many numbers all rounds have together.

    Source: W. G. Cochran, "Sampling Techniques", 1977, chapter 2, on the estimation of a ratio.
    """
    return squares * rounds / (rounds - 1) / count**2


def training_interval(rates: Sequence[float], games: Interval, within: Interval = UNBOUNDED) -> Interval:
    """Return the 95 % interval of the mean result of training runs that differ only in their seed.

    It is the wider one of two intervals: that of the mean of `rates` by Student's distribution, and `games`. With one run
    it is `games`.

    Args:
        rates: Result of each run, from equally many games.
        games: Interval of the mean result from all games of all runs together.
        within: Range of possible results, to which the interval is cut, such as (0, 1) for a win rate.
    """
    low, high = games
    if len(rates) > 1:
        mean, half = fmean(rates), student95(len(rates) - 1) * stdev(rates) / math.sqrt(len(rates))
        if 2 * half > high - low:
            low, high = mean - half, mean + half
    return max(within[0], low), min(within[1], high)
