"""Rule `wild-four`: condition for playing a wild draw four."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.core.rules import Axis
from cardgames.kernels.bits import NONE
from cardgames.kernels.jit import njit
from cardgames.uno.cards import COLOR_MASK

BLUFF, NO_COLOR, LAST_RESORT, ANY_TIME = range(4)


@dataclass(frozen=True)
class WildFour(Axis):
    """Condition for playing a wild draw four."""

    value: str = "bluff"
    name: ClassVar[str] = "wild-four"
    choices: ClassVar[Mapping[str, str]] = {
        "bluff": "none; playing it while holding a card of the color in force is a bluff",
        "no-color": "no card of the color in force in hand",
        "last-resort": "no other card can be played",
        "any-time": "none",
    }


@njit
def may_play_wild_four(rules, hand, color, others):
    """Return whether a hand that holds a wild draw four may play it while `color` is in force.

    `hand` is the bit mask of the cards in the hand, `others` the mask of its other cards that could be played instead.
    """
    if rules.wild_four == LAST_RESORT:
        return others == NONE
    if rules.wild_four == NO_COLOR:
        return hand & COLOR_MASK[color] == NONE
    return True
