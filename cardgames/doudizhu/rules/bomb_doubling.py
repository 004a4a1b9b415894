"""Rule `bomb-doubling`: effect of a bomb on the stake."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from cardgames.core.rules import Axis
from cardgames.kernels.jit import njit

NONE, DOUBLE = range(2)


@dataclass(frozen=True)
class BombDoubling(Axis):
    """Effect of a bomb on the stake."""

    value: str = "none"
    name: ClassVar[str] = "bomb-doubling"
    choices: ClassVar[Mapping[str, str]] = {
        "none": "nothing",
        "double": "each bomb played doubles it",
    }


@njit
def bomb_factor(rules, state):
    """Return the factor by which the bombs played multiply the stake: 2 to their number, or 1 if the rules do not double."""
    return 1 << np.int64(state.bombs) if rules.bomb_doubling == DOUBLE else 1
