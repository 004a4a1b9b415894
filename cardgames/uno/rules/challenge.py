"""Whether a wild draw four can be challenged."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.core.rules import Axis
from cardgames.kernels.bits import NONE
from cardgames.kernels.jit import njit
from cardgames.uno.cards import COLOR_MASK, WILD_FOUR, face_of

VICTIM, OFF = range(2)
FAILED_CHALLENGE_CARDS = 2  # cards beyond the penalty


@dataclass(frozen=True)
class Challenge(Axis):
    """Whether a wild draw four can be challenged."""

    value: str = "victim"
    name: ClassVar[str] = "challenge"
    choices: ClassVar[Mapping[str, str]] = {
        "victim": "the player who would have to take the cards may challenge",
        "off": "nobody may",
    }
    requires: ClassVar[Mapping[str, Mapping[str, tuple[str, ...]]]] = {"victim": {"wild-four": ("bluff",)}}


@njit
def may_challenge(rules, state):
    """Return whether the pending penalty can be challenged: its top card is a wild draw four that somebody laid."""
    return rules.challenge == VICTIM and face_of(state.top) == WILD_FOUR and state.top_card_seat >= 0


@njit
def was_bluff(state):
    """Return whether the layer of the wild draw four holds a card of the colour that was in force before it."""
    return state.once[state.top_card_seat] & COLOR_MASK[state.prior_color] != NONE
