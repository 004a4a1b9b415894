"""The interval every win rate is shown with, that of the difference of two, and that of a mean."""

import math

Z95 = 1.959963984540054
"""The 97.5 % point of the normal distribution."""


def wilson(wins: int, games: int, z: float = Z95) -> tuple[float, float]:
    """Return Wilson's score interval (95 % by default) of a win rate; (0, 1) without a game.

    Source: E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", 1927.
    """
    if games == 0:
        return 0.0, 1.0
    middle = wins + z * z / 2
    half = z * math.sqrt(wins * (games - wins) / games + z * z / 4)
    return max(0.0, (middle - half) / (games + z * z)), min(1.0, (middle + half) / (games + z * z))


def difference(wins: tuple[int, int], games: tuple[int, int], z: float = Z95) -> tuple[float, float]:
    """Return the interval (95 % by default) of the difference of two win rates, the first less the second.

    Source: R. G. Newcombe, "Interval Estimation for the Difference between Independent Proportions", 1998, method 10.
    """
    first, second = wins[0] / games[0], wins[1] / games[1]
    (low, high), (low2, high2) = wilson(wins[0], games[0], z), wilson(wins[1], games[1], z)
    between = first - second
    return between - math.hypot(first - low, high2 - second), between + math.hypot(high - first, second - low2)


def mean_interval(mean: float, mean_square: float, count: int, z: float = Z95) -> tuple[float, float]:
    """Return the normal interval (95 % by default) of a mean of `count` independent numbers, from the mean of their squares;
    nothing is known before two.
    """
    if count < 2:
        return -math.inf, math.inf
    half = z * math.sqrt(max(0.0, mean_square - mean**2) / (count - 1))
    return mean - half, mean + half
