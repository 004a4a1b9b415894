"""Rule `bidding`: kind of auction that decides who is the landlord."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.core.rules import Axis

SCORE, CALL_ROB, NO_AUCTION = range(3)


@dataclass(frozen=True)
class Bidding(Axis):
    """Kind of auction that decides who is the landlord."""

    value: str = "score"
    name: ClassVar[str] = "bidding"
    choices: ClassVar[Mapping[str, str]] = {
        "score": "by bids of 1, 2 or 3, each higher than the one before; the highest is the stake",
        "call-rob": "a seat calls, then the others may rob; the stake starts at 1 and each rob doubles it",
        "none": "no auction: the seat that would act first is the landlord, at stake 1",
    }
