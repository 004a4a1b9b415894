"""Rule `size-cap`: upper limit of the number of cards in a move."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.doudizhu.rules.move_restrictions import OVERSIZE, MoveRestriction


@dataclass(frozen=True)
class SizeCap(MoveRestriction):
    """Upper limit of the number of cards in a move."""

    value: str = "20"
    name: ClassVar[str] = "size-cap"
    choices: ClassVar[Mapping[str, str]] = {
        "20": "20, the size of the landlord's hand",
        "none": "no limit, although no hand can hold moves of more than 20 cards",
    }
    forbids: ClassVar[Mapping[str, int]] = {
        "20": OVERSIZE,
        "none": 0,
    }
