"""Rule `jump-in`: playing, out of turn, a card identical to the top card."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from cardgames.core.rules import Axis
from cardgames.kernels.bits import NONE, ONE
from cardgames.kernels.jit import njit
from cardgames.uno.cards import WILD, face_of
from cardgames.uno.rules.last_card import allowed_last_cards

NO_JUMPING, IDENTICAL = range(2)


@dataclass(frozen=True)
class JumpIn(Axis):
    """Playing, out of turn, a card identical to the top card."""

    value: str = "identical"
    name: ClassVar[str] = "jump-in"
    choices: ClassVar[Mapping[str, str]] = {
        "none": "not allowed",
        "identical": "any player who holds the identical colored card may play it",
    }


@njit
def may_jump(rules, state, seat):
    """Return whether `seat` holds a card identical to the colored top card and may play it."""
    if face_of(state.top) >= WILD:
        return False
    card = ONE << np.uint64(state.top)
    if state.once[seat] & card == NONE:
        return False
    return state.counts[seat] > 1 or allowed_last_cards(rules, card) != NONE
