"""Rule `uno-penalty`: number of cards drawn by a player who is caught without an uno call."""

from dataclasses import dataclass
from typing import ClassVar

from cardgames.core.rules import Axis


@dataclass(frozen=True)
class UnoPenalty(Axis):
    """Number of cards drawn by a player who is caught without an uno call."""

    value: int = 2
    name: ClassVar[str] = "uno-penalty"
    numbers: ClassVar[range | None] = range(1, 11)
