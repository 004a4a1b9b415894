"""Rule `quad-kickers`: legality of four of a kind with two single cards or two pairs as kickers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.doudizhu.rules.move_restrictions import QUAD_KICKERS, MoveRestriction


@dataclass(frozen=True)
class QuadKickers(MoveRestriction):
    """Four of a kind with two single cards or two pairs as kickers."""

    value: str = "allowed"
    name: ClassVar[str] = "quad-kickers"
    choices: ClassVar[Mapping[str, str]] = {
        "allowed": "allowed; with kickers it is not a bomb",
        "banned": "not allowed",
    }
    forbids: ClassVar[Mapping[str, int]] = {
        "allowed": 0,
        "banned": QUAD_KICKERS,
    }
