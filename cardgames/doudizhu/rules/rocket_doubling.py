"""What a rocket does to the stake."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from cardgames.core.rules import Axis
from cardgames.kernels.jit import njit

NONE, DOUBLE = range(2)


@dataclass(frozen=True)
class RocketDoubling(Axis):
    """What a rocket does to the stake."""

    value: str = "none"
    name: ClassVar[str] = "rocket-doubling"
    choices: ClassVar[Mapping[str, str]] = {
        "none": "nothing",
        "double": "the rocket played doubles it",
    }


@njit
def rocket_factor(rules, state):
    """Return what the stake is multiplied by for the rocket, if it was played."""
    return 1 << np.int64(state.rockets) if rules.rocket_doubling == DOUBLE else 1
