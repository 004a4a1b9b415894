"""Rule `joker-kickers`: legality of moves with both jokers among their kickers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.doudizhu.rules.move_restrictions import ONLY_JOKERS, TWO_JOKERS, MoveRestriction


@dataclass(frozen=True)
class JokerKickers(MoveRestriction):
    """Both jokers as kickers of one move."""

    value: str = "never"
    name: ClassVar[str] = "joker-kickers"
    choices: ClassVar[Mapping[str, str]] = {
        "never": "not allowed",
        "with-others": "allowed with a third kicker, but not as the only two",
        "allowed": "allowed",
    }
    forbids: ClassVar[Mapping[str, int]] = {
        "never": TWO_JOKERS,
        "with-others": ONLY_JOKERS,
        "allowed": 0,
    }
