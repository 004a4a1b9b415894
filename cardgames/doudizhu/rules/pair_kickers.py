"""Whether two pair kickers of one move may be of one rank."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.doudizhu.rules.grammar import EQUAL_PAIRS, GrammarAxis


@dataclass(frozen=True)
class PairKickers(GrammarAxis):
    """Whether two pair kickers of one move may be of one rank."""

    value: str = "different"
    name: ClassVar[str] = "pair-kickers"
    choices: ClassVar[Mapping[str, str]] = {
        "different": "no",
        "equal": "yes: a bomb may go as two pairs",
    }
    forbids: ClassVar[Mapping[str, int]] = {
        "different": EQUAL_PAIRS,
        "equal": 0,
    }
