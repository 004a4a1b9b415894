"""How many cards each player is dealt."""

from dataclasses import dataclass
from typing import ClassVar

from cardgames.core.rules import Axis


@dataclass(frozen=True)
class HandSize(Axis):
    """How many cards each player is dealt."""

    value: int = 7
    name: ClassVar[str] = "hand-size"
    numbers: ClassVar[range | None] = range(1, 21)
