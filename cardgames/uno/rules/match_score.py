"""Rule `match-score`: number of points that wins a match of several rounds."""

from dataclasses import dataclass
from typing import ClassVar

from cardgames.core.rules import Axis


@dataclass(frozen=True)
class MatchScore(Axis):
    """Points that win a match of several rounds."""

    value: int = 500
    name: ClassVar[str] = "match-score"
    numbers: ClassVar[range | None] = range(1, 100001)
