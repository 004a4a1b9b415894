"""Rule `last-card`: cards that may be played as the last card of a hand."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.core.rules import Axis
from cardgames.kernels.jit import njit
from cardgames.uno.cards import ALL_WILDS, NUMBERS

ANY, NUMBER_ONLY, NO_WILD = range(3)


@dataclass(frozen=True)
class LastCard(Axis):
    """Cards that may be played as the last card of a hand."""

    value: str = "any"
    name: ClassVar[str] = "last-card"
    choices: ClassVar[Mapping[str, str]] = {
        "any": "any card",
        "number-only": "numbers only",
        "no-wild": "no wild of either kind",
    }


@njit
def allowed_last_cards(rules, cards):
    """Return the bit mask of those cards in the mask `cards` that may be played as the last card of a hand."""
    if rules.last_card == NUMBER_ONLY:
        return cards & NUMBERS
    if rules.last_card == NO_WILD:
        return cards & ~ALL_WILDS
    return cards
