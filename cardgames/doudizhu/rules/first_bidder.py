"""Rule `first-bidder`: seat that acts first in the auction."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from cardgames.core.rules import Axis
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import below

RANDOM, SEAT_0 = range(2)


@dataclass(frozen=True)
class FirstBidder(Axis):
    """Seat that acts first in the auction."""

    value: str = "random"
    name: ClassVar[str] = "first-bidder"
    choices: ClassVar[Mapping[str, str]] = {
        "random": "the seat that was dealt the card turned up: each seat is equally likely",
        "seat-0": "seat 0",
    }


@njit
def draw_first_bidder(rules, state):
    """Return the seat that acts first in the auction: a random seat, or seat 0, as the rules say.

    A random seat is drawn in both cases, so that later random events are the same under both rules.
    """
    seat = below(state, 3)
    return seat if rules.first_bidder == RANDOM else np.int64(0)
