"""The most the stake may be multiplied by."""

from dataclasses import dataclass
from typing import ClassVar

from cardgames.core.rules import Axis
from cardgames.kernels.jit import njit


@dataclass(frozen=True)
class MultiplierCap(Axis):
    """The most the stake may be multiplied by, 0 for any number."""

    value: int = 0
    name: ClassVar[str] = "multiplier-cap"
    numbers: ClassVar[range | None] = range(0, 1_000_001)


@njit
def cap_multiplier(rules, multiplier):
    """Return a multiplier of the stake, or the most it may be."""
    return min(multiplier, rules.multiplier_cap) if rules.multiplier_cap else multiplier
