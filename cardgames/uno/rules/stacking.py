"""Rule `stacking`: answering a draw card with another, so that the next player draws for both."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.core.rules import Axis
from cardgames.kernels.bits import NONE
from cardgames.kernels.jit import njit
from cardgames.uno.cards import DRAW_TWO, FACE_MASK, WILD_FOUR, WILD_FOURS, face_of

NO_STACKING, SAME, UP, ANY = range(4)


@dataclass(frozen=True)
class Stacking(Axis):
    """Answering a draw card with another, so that the next player draws for both."""

    value: str = "same"
    name: ClassVar[str] = "stacking"
    choices: ClassVar[Mapping[str, str]] = {
        "none": "not allowed",
        "same": "a draw two on a draw two, a wild draw four on a wild draw four",
        "up": "also a wild draw four on a draw two",
        "any": "any draw card on any draw card",
    }


@njit
def stackable(rules, top):
    """Return the bit mask of cards that may be stacked on the draw card `top` (a card id) by the rule `stacking`."""
    twos = FACE_MASK[DRAW_TWO]
    if rules.stacking == NO_STACKING:
        return NONE
    if rules.stacking == ANY:
        return twos | WILD_FOURS
    if face_of(top) == WILD_FOUR:
        return WILD_FOURS
    return twos | WILD_FOURS if rules.stacking == UP else twos
