"""How many cards a move may have."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.doudizhu.rules.grammar import OVERSIZE, GrammarAxis


@dataclass(frozen=True)
class SizeCap(GrammarAxis):
    """How many cards a move may have."""

    value: str = "20"
    name: ClassVar[str] = "size-cap"
    choices: ClassVar[Mapping[str, str]] = {
        "20": "as many as the landlord holds",
        "none": "any number, though no hand can hold the longer ones",
    }
    forbids: ClassVar[Mapping[str, int]] = {
        "20": OVERSIZE,
        "none": 0,
    }
