"""Rule `turn-limit`: number of decisions without a winner after which a round is void."""

from dataclasses import dataclass
from typing import ClassVar

from cardgames.core.rules import Axis


@dataclass(frozen=True)
class TurnLimit(Axis):
    """Number of decisions without a winner after which a round is void."""

    value: int = 100000
    name: ClassVar[str] = "turn-limit"
    numbers: ClassVar[range | None] = range(1, 1000001)
