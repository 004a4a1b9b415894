"""Rule `start-effects`: effect of the start card, which begins the discard pile, on the first turn."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.core.rules import Axis
from cardgames.kernels.jit import njit
from cardgames.uno.cards import DRAW_TWO, REVERSE, SKIP

OFFICIAL, RIGHT_FIRST, RLCARD, NO_EFFECTS = range(4)


@dataclass(frozen=True)
class StartEffects(Axis):
    """Effect of the start card."""

    value: str = "official"
    name: ClassVar[str] = "start-effects"
    choices: ClassVar[Mapping[str, str]] = {
        "official": "the opener is skipped after a skip or draw two (and draws), the dealer opens after a reverse, "
        "the opener names the color of a wild",
        "right-first": "as official, but after a reverse the dealer's right neighbor opens",
        "rlcard": "as official, but draw two skips nobody, the seat before the opener opens after a reverse, "
        "a wild gets a random color",
        "none": "none; the opener names the color of a wild",
    }


@njit
def opener_draws(rules, face):
    """Return the number of cards that a start card with this `face` makes the opener draw."""
    return 2 if face == DRAW_TWO and rules.start_effects != NO_EFFECTS else 0


@njit
def first_seat(rules, state, opener, face):
    """Return the seat that has the first turn after a start card with this `face`.

    `opener` is the seat that has it if the card has no effect. A reverse changes `state.direction`.
    """
    effects = rules.start_effects
    if effects == NO_EFFECTS:
        return opener
    if face == SKIP or (face == DRAW_TWO and effects != RLCARD):
        return (opener + 1) % state.players
    if face == REVERSE:
        state.direction = -1
        first = state.dealer if effects == OFFICIAL else state.dealer - 1 if effects == RIGHT_FIRST else opener - 1
        return first % state.players
    return opener
