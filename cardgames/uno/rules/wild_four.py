"""When a wild draw four may be played."""

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
    """When a wild draw four may be played."""

    value: str = "bluff"
    name: ClassVar[str] = "wild-four"
    choices: ClassVar[Mapping[str, str]] = {
        "bluff": "always; holding a card of the colour in force makes it a bluff",
        "no-color": "only without a card of the colour in force",
        "last-resort": "only when no other card can be played",
        "any-time": "always",
    }


@njit
def may_play_wild_four(rules, hand, color, others):
    """Return whether a hand with the cards `hand`, of which `others` could be played instead, may play a wild draw
    four.
    """
    if rules.wild_four == LAST_RESORT:
        return others == NONE
    if rules.wild_four == NO_COLOR:
        return hand & COLOR_MASK[color] == NONE
    return True
