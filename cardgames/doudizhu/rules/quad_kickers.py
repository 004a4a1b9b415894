"""Whether four of a kind may take two single cards or two pairs along."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.doudizhu.rules.grammar import QUAD_KICKERS, GrammarAxis


@dataclass(frozen=True)
class QuadKickers(GrammarAxis):
    """Whether four of a kind may take two single cards or two pairs along."""

    value: str = "allowed"
    name: ClassVar[str] = "quad-kickers"
    choices: ClassVar[Mapping[str, str]] = {
        "allowed": "yes; it is then no bomb",
        "banned": "no",
    }
    forbids: ClassVar[Mapping[str, int]] = {
        "allowed": 0,
        "banned": QUAD_KICKERS,
    }
