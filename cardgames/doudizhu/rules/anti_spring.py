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
    """Return the factor (1 to 3) by which an anti-spring multiplies the stake of a finished round; 1 if there is none.

    An anti-spring is a win of the peasants in which the landlord has played only once.
    """
    return rules.anti_spring + 1 if state.winner != state.landlord and state.play_counts[state.landlord] == 1 else 1
