"""Rule `doubling`: doubling of one's own stake once the landlord is known."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.core.rules import Axis

NO_DOUBLING, DOUBLE, SUPER_DOUBLE = range(3)


@dataclass(frozen=True)
class Doubling(Axis):
    """Doubling of one's own stake once the landlord is known."""

    value: str = "none"
    name: ClassVar[str] = "doubling"
    choices: ClassVar[Mapping[str, str]] = {
        "none": "no",
        "double": "the peasants, then the landlord, may each double what they win from or lose to each opponent",
        "super": "the same, or quadruple it",
    }
