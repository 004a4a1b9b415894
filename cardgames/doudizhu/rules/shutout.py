"""What it does to the stake if a player, on either side, never played a card (paper 004)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.core.rules import Axis
from cardgames.kernels.jit import njit


@dataclass(frozen=True)
class Shutout(Axis):
    """What it does to the stake if a player, on either side, never played a card (paper 004)."""

    value: str = "none"
    name: ClassVar[str] = "shutout"
    choices: ClassVar[Mapping[str, str]] = {
        "none": "nothing",
        "double": "doubles it",
    }


@njit
def shutout_factor(rules, state):
    """Return what the stake is multiplied by for a player without a play."""
    return (
        rules.shutout + 1 if state.play_counts[0] == 0 or state.play_counts[1] == 0 or state.play_counts[2] == 0 else 1
    )
