"""Whether consecutive trios may each take a single card or a pair along."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.doudizhu.rules.grammar import PLANE_KICKERS, GrammarAxis


@dataclass(frozen=True)
class PlaneKickers(GrammarAxis):
    """Whether consecutive trios may each take a single card or a pair along."""

    value: str = "allowed"
    name: ClassVar[str] = "plane-kickers"
    choices: ClassVar[Mapping[str, str]] = {
        "allowed": "yes",
        "banned": "no",
    }
    forbids: ClassVar[Mapping[str, int]] = {
        "allowed": 0,
        "banned": PLANE_KICKERS,
    }
