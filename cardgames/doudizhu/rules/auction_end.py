"""Rule `auction-end`: end of an auction by bids in which nobody bids 3."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.core.rules import Axis

TWO_PASSES, ONCE = range(2)


@dataclass(frozen=True)
class AuctionEnd(Axis):
    """End of an auction by bids in which nobody bids 3."""

    value: str = "two-passes"
    name: ClassVar[str] = "auction-end"
    choices: ClassVar[Mapping[str, str]] = {
        "two-passes": "when the turn comes back to the highest bidder",
        "once": "when everybody has spoken once",
    }
