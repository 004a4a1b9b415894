"""What an anti-spring does to the stake: the peasants win and the landlord played only once."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.core.rules import Axis
from cardgames.kernels.jit import njit


@dataclass(frozen=True)
class AntiSpring(Axis):
    """What an anti-spring does to the stake: the peasants win and the landlord played only once."""

    value: str = "none"
    name: ClassVar[str] = "anti-spring"
    choices: ClassVar[Mapping[str, str]] = {
        "none": "nothing",
        "double": "doubles it",
        "triple": "triples it",
    }


@njit
def anti_spring_factor(rules, state):
    """Return what the stake is multiplied by for an anti-spring."""
    return rules.anti_spring + 1 if state.winner != state.landlord and state.play_counts[state.landlord] == 1 else 1
