"""The one interval every win rate is shown with."""

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
