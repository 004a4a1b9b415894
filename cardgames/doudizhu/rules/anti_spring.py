"""Rule `anti-spring`: effect on the stake if the peasants win and the landlord has played only once."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.core.rules import Axis
from cardgames.kernels.jit import njit


@dataclass(frozen=True)
class AntiSpring(Axis):
    """Effect on the stake of an anti-spring (the peasants win and the landlord has played only once)."""

    value: str = "none"
    name: ClassVar[str] = "anti-spring"
    choices: ClassVar[Mapping[str, str]] = {
        "none": "nothing",
        "double": "doubles it",
        "triple": "triples it",
    }


@njit
def anti_spring_factor(rules, state):
    """Return the factor of the stake for an anti-spring, 1 if there is none."""
    return rules.anti_spring + 1 if state.winner != state.landlord and state.play_counts[state.landlord] == 1 else 1
