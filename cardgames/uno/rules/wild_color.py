"""Rule `wild-color`: color that a wild puts in force."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from cardgames.core.rules import Axis
from cardgames.kernels.jit import njit

ANY, MUST_CHANGE, IGNORED = range(3)
_WILD_ACTIONS_OF_COLOR = np.array([1 << (15 * c + 13) | 1 << (15 * c + 14) for c in range(4)], np.uint64)


@dataclass(frozen=True)
class WildColor(Axis):
    """Color that a wild puts in force."""

    value: str = "any"
    name: ClassVar[str] = "wild-color"
    choices: ClassVar[Mapping[str, str]] = {
        "any": "the color its player names",
        "must-change": "the color its player names, which must differ from the color in force",
        "ignored": "the color printed on the card (one wild of each color), whatever its player names",
    }


@njit
def nameable_wild_actions(rules, color):
    """Return a bit mask of action ids that has the wild actions which name an allowed color while `color` is in force.

    Under `wild-color=must-change` that is any color except `color`. Bits of all other actions are set as well.
    """
    if rules.wild_color == MUST_CHANGE:
        return ~_WILD_ACTIONS_OF_COLOR[color]
    return ~np.uint64(0)
