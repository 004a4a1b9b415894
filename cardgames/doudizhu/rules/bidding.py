"""How the landlord is found."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.core.rules import Axis

SCORE, CALL_ROB, NO_AUCTION = range(3)


@dataclass(frozen=True)
class Bidding(Axis):
    """How the landlord is found."""

    value: str = "score"
    name: ClassVar[str] = "bidding"
    choices: ClassVar[Mapping[str, str]] = {
        "score": "by bids of 1, 2 or 3, each higher than the one before; the highest is the stake",
        "call-rob": "somebody calls, then the others may rob; each rob doubles the stake, which is 1 to begin with",
        "none": "there is no auction: the seat that would speak first is the landlord, at stake 1",
    }
