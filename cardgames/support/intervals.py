"""The 95 % intervals of win rates, of the difference of two, of means, and of what several trainings come to."""

import math
from collections.abc import Sequence
from statistics import fmean, stdev

Interval = tuple[float, float]
"""Its lower and its upper end."""

Z95 = 1.959963984540054
"""The 97.5 % point of the normal distribution."""
_STUDENT95 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262)
"""The 97.5 % points of Student's distribution with 1, 2, ... degrees of freedom."""
UNBOUNDED = (-math.inf, math.inf)
"""The interval of what nothing is known of."""


def student95(degrees_of_freedom: int) -> float:
    """Return the 97.5 % point of Student's distribution with so many degrees of freedom, 1 or more, to three decimals.

    Source: M. Abramowitz, I. A. Stegun, "Handbook of Mathematical Functions", 1964, 26.7.5 (of ten degrees and more).
    """
    if degrees_of_freedom <= len(_STUDENT95):
        return _STUDENT95[degrees_of_freedom - 1]
    z, n = Z95, float(degrees_of_freedom)
    terms = (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96, (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + terms[0] / n + terms[1] / n**2 + terms[2] / n**3


def student_variance(variance: float, degrees_of_freedom: int) -> float:
    """Return a `variance` estimated with so many degrees of freedom, as large as the normal distribution needs it to give
    the intervals of Student's; as it is where `degrees_of_freedom` is 0: then it is no such estimate.
    """
    return variance * (student95(degrees_of_freedom) / Z95) ** 2 if degrees_of_freedom else variance


def wilson(wins: float, games: float, variance: float = 0.0) -> Interval:
    """Return Wilson's score interval of a win rate; (0, 1) without a game. Where that rate has a greater `variance` than
    independent games would give it, games count as the fewer independent ones that would give it this.

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
    """Return the interval of the difference of two win rates, the first less the second.

    Source: R. G. Newcombe, "Interval Estimation for the Difference between Independent Proportions", 1998, method 10.
    """
    first, second = (won / played for won, played in zip(wins, games, strict=True))
    return difference_interval(first, wilson(wins[0], games[0]), second, wilson(wins[1], games[1]))


def difference_interval(first: float, first_ci: Interval, second: float, second_ci: Interval) -> Interval:
    """Return the interval of the difference of two independent estimates, the first less the second, from theirs.

    Source: G. Y. Zou, A. Donner, "Construction of Confidence Limits about Effect Measures", 2008, equation 4.
    """
    (low, high), (low2, high2), apart = first_ci, second_ci, first - second
    return apart - math.hypot(first - low, high2 - second), apart + math.hypot(high - first, second - low2)


def are_consistent(first: float, first_ci: Interval, second: float, second_ci: Interval) -> bool:
    """Return whether two independent estimates differ by no more than chance allows, both with intervals (`difference_interval`)."""
    low, high = difference_interval(first, first_ci, second, second_ci)
    return low <= 0 <= high


def mean_interval(mean: float, mean_square: float, count: int, variance: float = 0.0) -> Interval:
    """Return the normal interval of a mean of `count` independent numbers, from the mean of their squares, or from the
    `variance` of that mean if it is greater, where they are not independent. Nothing is known before two, nor from numbers
    that are all the same.
    """
    if count < 2:
        return UNBOUNDED
    half = Z95 * max(standard_error(mean, mean_square, count), math.sqrt(variance))
    return (mean - half, mean + half) if half > 0 else UNBOUNDED


def standard_error(mean: float, mean_square: float, count: int) -> float:
    """Return that of a mean of `count` independent numbers, two or more, from the mean of their squares."""
    return math.sqrt(max(0.0, mean_square - mean**2) / (count - 1))


def ratio_estimate(parts: Sequence[int], wholes: Sequence[int]) -> tuple[float, Interval]:
    """Return the share of `parts` in `wholes`, a number each for every round, and its interval: what is
    counted within a round may hang together, rounds do not. Nothing is known from one round; of rounds that all have the
    same share each counts as one game (`wilson`).

    Source: W. G. Cochran, "Sampling Techniques", 1977, chapter 2, on the estimation of a ratio.
    """
    share, (low, high) = clustered_mean(parts, wholes)
    if (low, high) == UNBOUNDED and len(parts) > 1:
        return share, wilson(share * len(parts), len(parts))
    return share, (max(0.0, low), min(1.0, high))


def clustered_mean(sums: Sequence[float], counts: Sequence[int]) -> tuple[float, Interval]:
    """Return the mean of numbers of which rounds bring several, a sum and a count for each, and its interval over rounds by
    Student's distribution. Nothing is known from one round, nor from rounds of one mean.

    Source: as `ratio_estimate`.
    """
    mean = math.fsum(sums) / sum(counts)
    rounds = list(zip(sums, counts, strict=True))
    if len(rounds) < 2 or all(math.isclose(total, mean * count) for total, count in rounds):
        return mean, UNBOUNDED
    squares = math.fsum((total - mean * count) ** 2 for total, count in rounds)
    half = student95(len(rounds) - 1) * math.sqrt(ratio_variance(squares, len(rounds), sum(counts)))
    return mean, (mean - half, mean + half)


def ratio_variance(squares: float, rounds: int, count: int) -> float:
    """Return the variance of a mean of `count` numbers of which independent `rounds`, two or more, bring several each:
    `squares` adds up, over rounds, the square of a round's sum less the mean times its count. Source: as `ratio_estimate`.
    """
    return squares * rounds / (rounds - 1) / count**2


def training_interval(rates: Sequence[float], games: Interval, within: Interval = UNBOUNDED) -> Interval:
    """Return the 95 % interval of what trainings come to that differ in their seed alone, given what each came to.

    That is Student's interval of the mean of `rates`, each from as many games, or, where it is wider or there is but one
    training, that of the `games` played with all of them. It ends where what is measured does (`within`: a win rate in
    [0, 1]), of which neither need know.
    """
    low, high = games
    if len(rates) > 1:
        mean, half = fmean(rates), student95(len(rates) - 1) * stdev(rates) / math.sqrt(len(rates))
        if 2 * half > high - low:
            low, high = mean - half, mean + half
    return max(within[0], low), min(within[1], high)
