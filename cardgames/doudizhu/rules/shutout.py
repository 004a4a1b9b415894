"""Rule `shutout`: effect on the stake if a seat, on either side, has never played a card (paper 004)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.core.rules import Axis
from cardgames.kernels.jit import njit


@dataclass(frozen=True)
class Shutout(Axis):
    """Effect on the stake if a seat, on either side, has never played a card (paper 004)."""

    value: str = "none"
    name: ClassVar[str] = "shutout"
    choices: ClassVar[Mapping[str, str]] = {
        "none": "nothing",
        "double": "doubles it",
    }


@njit
def shutout_factor(rules, state):
    """Return the factor (2 if the rules double, else 1) of the stake if some seat has never played; 1 if all have played."""
    return (
        rules.shutout + 1 if state.play_counts[0] == 0 or state.play_counts[1] == 0 or state.play_counts[2] == 0 else 1
    )
