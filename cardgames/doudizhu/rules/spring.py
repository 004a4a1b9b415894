"""Rule `spring`: effect on the stake if the landlord wins and neither peasant has played a card."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from cardgames.core.rules import Axis
from cardgames.kernels.jit import njit


@dataclass(frozen=True)
class Spring(Axis):
    """Effect on the stake of a spring (the landlord wins and neither peasant has played a card)."""

    value: str = "none"
    name: ClassVar[str] = "spring"
    choices: ClassVar[Mapping[str, str]] = {
        "none": "nothing",
        "double": "doubles it",
        "triple": "triples it",
    }


@njit
def spring_factor(rules, state):
    """Return the factor by which a spring multiplies the stake of a round: that of the rule `spring`, 1 without a spring.

    A spring is a win of the landlord in which neither peasant has played a card.
    """
    landlord = np.int64(state.landlord)
    peasants_never_played = state.play_counts[(landlord + 1) % 3] == 0 and state.play_counts[(landlord + 2) % 3] == 0
    return rules.spring + 1 if state.winner == landlord and peasants_never_played else 1
