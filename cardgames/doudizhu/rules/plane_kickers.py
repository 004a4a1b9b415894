"""Rule `plane-kickers`: legality of planes (consecutive trios) with one single card or one pair per trio as kickers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.doudizhu.rules.move_restrictions import PLANE_KICKERS, MoveRestriction


@dataclass(frozen=True)
class PlaneKickers(MoveRestriction):
    """Planes (consecutive trios) with one single card or one pair per trio as kickers."""

    value: str = "allowed"
    name: ClassVar[str] = "plane-kickers"
    choices: ClassVar[Mapping[str, str]] = {
        "allowed": "allowed",
        "banned": "not allowed",
    }
    forbids: ClassVar[Mapping[str, int]] = {
        "allowed": 0,
        "banned": PLANE_KICKERS,
    }
