"""Rule `opener`: player who has the first turn."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from cardgames.core.rules import Axis
from cardgames.kernels.jit import njit

LEFT_OF_DEALER, DEALER, SEAT_0 = range(3)


@dataclass(frozen=True)
class Opener(Axis):
    """Player who has the first turn."""

    value: str = "left-of-dealer"
    name: ClassVar[str] = "opener"
    choices: ClassVar[Mapping[str, str]] = {
        "left-of-dealer": "the dealer's left neighbor",
        "dealer": "the dealer",
        "seat-0": "seat 0; the last seat counts as the dealer",
    }


@njit
def opener_seat(rules, state):
    """Return the seat that would open the round if the start card had no effect."""
    if rules.opener == DEALER:
        return np.int64(state.dealer)
    return (state.dealer + 1) % state.players
