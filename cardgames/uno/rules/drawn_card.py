"""What may or must be done with a drawn card that can be played."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.core.rules import Axis
from cardgames.kernels.jit import njit

MAY_PLAY, MUST_PLAY, AUTO_PLAY, MUST_KEEP, RLCARD = range(5)


@dataclass(frozen=True)
class DrawnCard(Axis):
    """What may or must be done with a drawn card that can be played."""

    value: str = "may-play"
    name: ClassVar[str] = "drawn-card"
    choices: ClassVar[Mapping[str, str]] = {
        "may-play": "play it or keep it",
        "must-play": "it must be played",
        "auto-play": "it is laid at once; only the colour of a wild is chosen",
        "keep": "it must be kept",
        "rlcard": "laid at once if it is a wild (colour at random, no cards drawn) or has the colour in force, else kept",
    }
    requires: ClassVar[Mapping[str, Mapping[str, tuple[str, ...]]]] = {"rlcard": {"draw-how": ("one",)}}


@njit
def always_plays_drawn_card(rules):
    """Return whether a drawn card that can be played is laid, so that one that is kept could not be."""
    return rules.drawn_card != MAY_PLAY and rules.drawn_card != MUST_KEEP
