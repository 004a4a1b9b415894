"""Rule `re-entry`: right of a seat that has passed in the auction to bid when its turn comes again."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.core.rules import Axis

ALLOWED, BANNED = range(2)


@dataclass(frozen=True)
class ReEntry(Axis):
    """Bidding again after a pass, when the turn comes back."""

    value: str = "allowed"
    name: ClassVar[str] = "re-entry"
    choices: ClassVar[Mapping[str, str]] = {
        "allowed": "allowed",
        "banned": "not allowed",
    }
