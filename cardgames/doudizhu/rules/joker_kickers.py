"""Whether both jokers may be kickers of one move."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.doudizhu.rules.grammar import ONLY_JOKERS, TWO_JOKERS, GrammarAxis


@dataclass(frozen=True)
class JokerKickers(GrammarAxis):
    """Whether both jokers may be kickers of one move."""

    value: str = "never"
    name: ClassVar[str] = "joker-kickers"
    choices: ClassVar[Mapping[str, str]] = {
        "never": "no",
        "with-others": "with a third kicker, but not as the only two",
        "allowed": "yes",
    }
    forbids: ClassVar[Mapping[str, int]] = {
        "never": TWO_JOKERS,
        "with-others": ONLY_JOKERS,
        "allowed": 0,
    }
