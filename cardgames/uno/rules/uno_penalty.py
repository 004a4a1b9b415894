"""How many cards a player caught without an uno call draws."""

from dataclasses import dataclass
from typing import ClassVar

from cardgames.core.rules import Axis


@dataclass(frozen=True)
class UnoPenalty(Axis):
    """How many cards a player caught without an uno call draws."""

    value: int = 2
    name: ClassVar[str] = "uno-penalty"
    numbers: ClassVar[range | None] = range(1, 11)
