"""What the start card does."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.core.rules import Axis
from cardgames.kernels.jit import njit
from cardgames.uno.cards import DRAW_TWO, REVERSE, SKIP

OFFICIAL, RIGHT_FIRST, RLCARD, NO_EFFECTS = range(4)


@dataclass(frozen=True)
class StartEffects(Axis):
    """What the start card does."""

    value: str = "official"
    name: ClassVar[str] = "start-effects"
    choices: ClassVar[Mapping[str, str]] = {
        "official": "skip and draw two: the opener is passed over (and draws); reverse: the dealer plays first; wild: named",
        "right-first": "as official, but a reverse lets the dealer's right neighbour play first",
        "rlcard": "as official, but a draw two's opener still plays, a reverse lets the seat before him, a wild is random",
        "none": "nothing; the opener names the colour of a wild",
    }


@njit
def opener_draws(rules, face):
    """Return how many cards a start card with `face` makes the opener draw."""
    return 2 if face == DRAW_TWO and rules.start_effects != NO_EFFECTS else 0


@njit
def first_seat(rules, state, opener, face):
    """Return the seat that has the first turn after a start card with `face`; a reverse turns the direction."""
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
