"""Rule `multiplier-cap`: upper limit of the multiplier of the stake."""

from dataclasses import dataclass
from typing import ClassVar

from cardgames.core.rules import Axis
from cardgames.kernels.jit import njit


@dataclass(frozen=True)
class MultiplierCap(Axis):
    """Upper limit of the multiplier of the stake, 0 for no limit."""

    value: int = 0
    name: ClassVar[str] = "multiplier-cap"
    numbers: ClassVar[range | None] = range(0, 1_000_001)


@njit
def cap_multiplier(rules, multiplier):
    """Return `multiplier`, a multiplier of the stake, limited to the rules' `multiplier-cap` unless that is 0."""
    return min(multiplier, rules.multiplier_cap) if rules.multiplier_cap else multiplier
