"""Rule `adjoining-kickers`: legality of three equal kickers next to the plane (333444555+666 is also 444555666+333)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.doudizhu.rules.move_restrictions import NEXT_TO_PLANE, TWOS_NEXT_TO_ACES, MoveRestriction


@dataclass(frozen=True)
class AdjoiningKickers(MoveRestriction):
    """Three or four equal single kickers of a rank next to the plane (333444555+666 is also 444555666+333)."""

    value: str = "allowed"
    name: ClassVar[str] = "adjoining-kickers"
    choices: ClassVar[Mapping[str, str]] = {
        "allowed": "allowed; a player chooses which trios are the plane",
        "twos": "only twos next to aces, because twos cannot be part of a plane",
        "banned": "not allowed",
    }
    forbids: ClassVar[Mapping[str, int]] = {
        "allowed": 0,
        "twos": NEXT_TO_PLANE,
        "banned": NEXT_TO_PLANE | TWOS_NEXT_TO_ACES,
    }
