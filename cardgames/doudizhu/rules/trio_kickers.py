"""Rule `trio-kickers`: legality of a single trio with a card or a pair as its kicker."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.doudizhu.rules.move_restrictions import TRIO_PAIR, TRIO_SOLO, MoveRestriction


@dataclass(frozen=True)
class TrioKickers(MoveRestriction):
    """A single trio with a card or a pair as its kicker."""

    value: str = "allowed"
    name: ClassVar[str] = "trio-kickers"
    added_later: ClassVar[bool] = True
    choices: ClassVar[Mapping[str, str]] = {
        "allowed": "allowed",
        "solos": "a card is allowed, a pair is not",
        "none": "not allowed",
    }
    forbids: ClassVar[Mapping[str, int]] = {
        "allowed": 0,
        "solos": TRIO_PAIR,
        "none": TRIO_SOLO | TRIO_PAIR,
    }
