"""Whether players may double once the landlord is known."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.core.rules import Axis

NO_DOUBLING, DOUBLE, SUPER_DOUBLE = range(3)


@dataclass(frozen=True)
class Doubling(Axis):
    """Whether players may double once the landlord is known."""

    value: str = "none"
    name: ClassVar[str] = "doubling"
    choices: ClassVar[Mapping[str, str]] = {
        "none": "no",
        "double": "yes: the two peasants, then the landlord, each may double what he wins from or loses to each opponent",
        "super": "the same, and each may quadruple it instead",
    }
