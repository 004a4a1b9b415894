"""Rule `equal-kickers`: number of single kickers of one move that may have the same rank."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.doudizhu.rules.move_restrictions import FOUR_EQUAL, THREE_EQUAL, TWO_EQUAL, MoveRestriction


@dataclass(frozen=True)
class EqualKickers(MoveRestriction):
    """Number of single kickers of one move that may have the same rank."""

    value: str = "different"
    name: ClassVar[str] = "equal-kickers"
    choices: ClassVar[Mapping[str, str]] = {
        "different": "all of different ranks",
        "two": "two",
        "three": "three",
        "four": "four, so a plane may take a bomb as its kickers",
    }
    forbids: ClassVar[Mapping[str, int]] = {
        "different": TWO_EQUAL | THREE_EQUAL | FOUR_EQUAL,
        "two": THREE_EQUAL | FOUR_EQUAL,
        "three": FOUR_EQUAL,
        "four": 0,
    }
