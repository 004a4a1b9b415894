"""Rule `challenge`: player who may challenge a wild draw four."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.core.rules import Axis
from cardgames.kernels.bits import NONE
from cardgames.kernels.jit import njit
from cardgames.uno.cards import COLOR_MASK, WILD_FOUR, face_of

VICTIM, OFF = range(2)
FAILED_CHALLENGE_CARDS = 2  # drawn by a challenger who is wrong, in addition to the penalty


@dataclass(frozen=True)
class Challenge(Axis):
    """Player who may challenge a wild draw four."""

    value: str = "victim"
    name: ClassVar[str] = "challenge"
    choices: ClassVar[Mapping[str, str]] = {
        "victim": "the player who would have to draw the cards",
        "off": "nobody",
    }
    requires: ClassVar[Mapping[str, Mapping[str, tuple[str, ...]]]] = {"victim": {"wild-four": ("bluff",)}}


@njit
def may_challenge(rules, state):
    """Return whether the pending penalty can be challenged.

    It can if the rule `challenge` is `victim` and the top card is a wild draw four that a player played.
    """
    return rules.challenge == VICTIM and face_of(state.top) == WILD_FOUR and state.top_card_seat >= 0


@njit
def was_bluff(state):
    """Return whether the player of the wild draw four on top holds a card of the color that was in force before it."""
    return state.once[state.top_card_seat] & COLOR_MASK[state.prior_color] != NONE
