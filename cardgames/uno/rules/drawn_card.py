"""Rule `drawn-card`: whether a drawn card that can be played may, must or must not be played at once."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.core.rules import Axis
from cardgames.kernels.jit import njit

MAY_PLAY, MUST_PLAY, AUTO_PLAY, MUST_KEEP, RLCARD = range(5)


@dataclass(frozen=True)
class DrawnCard(Axis):
    """Use of a drawn card that can be played."""

    value: str = "may-play"
    name: ClassVar[str] = "drawn-card"
    choices: ClassVar[Mapping[str, str]] = {
        "may-play": "play it or keep it",
        "must-play": "it must be played",
        "auto-play": "it is played at once; the player chooses only the color of a wild",
        "keep": "it must be kept",
        "rlcard": "a wild (random color, nobody draws) or a card of the color in force is played at once, others are kept",
    }
    requires: ClassVar[Mapping[str, Mapping[str, tuple[str, ...]]]] = {"rlcard": {"draw-how": ("one",)}}


@njit
def always_plays_drawn_card(rules):
    """Return whether the rule `drawn-card` has every playable drawn card played.

    If so, a drawn card kept in hand was not playable.
    """
    return rules.drawn_card != MAY_PLAY and rules.drawn_card != MUST_KEEP
