"""How many single kickers of one move may be of one rank."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.doudizhu.rules.grammar import FOUR_EQUAL, THREE_EQUAL, TWO_EQUAL, GrammarAxis


@dataclass(frozen=True)
class EqualKickers(GrammarAxis):
    """How many single kickers of one move may be of one rank."""

    value: str = "different"
    name: ClassVar[str] = "equal-kickers"
    choices: ClassVar[Mapping[str, str]] = {
        "different": "all of different ranks",
        "two": "two",
        "three": "three",
        "four": "four: a bomb may go with a plane",
    }
    forbids: ClassVar[Mapping[str, int]] = {
        "different": TWO_EQUAL | THREE_EQUAL | FOUR_EQUAL,
        "two": THREE_EQUAL | FOUR_EQUAL,
        "three": FOUR_EQUAL,
        "four": 0,
    }
