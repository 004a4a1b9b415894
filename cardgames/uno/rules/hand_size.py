"""Rule `hand-size`: number of cards dealt to each player."""

from dataclasses import dataclass
from typing import ClassVar

from cardgames.core.rules import Axis


@dataclass(frozen=True)
class HandSize(Axis):
    """Number of cards dealt to each player."""

    value: int = 7
    name: ClassVar[str] = "hand-size"
    numbers: ClassVar[range | None] = range(1, 21)
