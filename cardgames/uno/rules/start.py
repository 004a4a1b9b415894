"""Rule `start`: cards that may start the discard pile."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.core.rules import Axis
from cardgames.kernels.jit import njit
from cardgames.uno.cards import WILD, WILD_FOUR, face_of

NOT_WILD_FOUR, NOT_WILD, NUMBER, ANY = range(4)


@dataclass(frozen=True)
class Start(Axis):
    """Cards that may start the discard pile."""

    value: str = "not-wild-four"
    name: ClassVar[str] = "start"
    choices: ClassVar[Mapping[str, str]] = {
        "not-wild-four": "any card except a wild draw four",
        "not-wild": "no wild of either kind",
        "number": "numbers only",
        "any": "any card",
    }


@njit
def may_start(rules, card):
    """Return whether the rule `start` allows `card` as start card, the first card of the discard pile."""
    face = face_of(card)
    if rules.start == ANY:
        return True
    if rules.start == NOT_WILD_FOUR:
        return face != WILD_FOUR
    if rules.start == NOT_WILD:
        return face < WILD
    return face < 10
