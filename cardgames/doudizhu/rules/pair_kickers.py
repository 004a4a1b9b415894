"""Rule `pair-kickers`: legality of moves with two pairs of the same rank among their kickers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.doudizhu.rules.move_restrictions import EQUAL_PAIRS, MoveRestriction


@dataclass(frozen=True)
class PairKickers(MoveRestriction):
    """Two pair kickers of the same rank in one move."""

    value: str = "different"
    name: ClassVar[str] = "pair-kickers"
    choices: ClassVar[Mapping[str, str]] = {
        "different": "not allowed",
        "equal": "allowed, so a bomb may be used as two pairs",
    }
    forbids: ClassVar[Mapping[str, int]] = {
        "different": EQUAL_PAIRS,
        "equal": 0,
    }
