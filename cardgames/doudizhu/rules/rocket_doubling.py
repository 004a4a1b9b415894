"""Rule `rocket-doubling`: effect of the rocket on the stake."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from cardgames.core.rules import Axis
from cardgames.kernels.jit import njit

NONE, DOUBLE = range(2)


@dataclass(frozen=True)
class RocketDoubling(Axis):
    """Effect of the rocket on the stake."""

    value: str = "none"
    name: ClassVar[str] = "rocket-doubling"
    choices: ClassVar[Mapping[str, str]] = {
        "none": "nothing",
        "double": "playing the rocket doubles it",
    }


@njit
def rocket_factor(rules, state):
    """Return the factor by which the rocket multiplies the stake: 2 if it was played and the rules double it, else 1."""
    return 1 << np.int64(state.rockets) if rules.rocket_doubling == DOUBLE else 1
