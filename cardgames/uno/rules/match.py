"""Rule `match`: cards of other colors that match the top card."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.core.rules import Axis
from cardgames.kernels.jit import njit
from cardgames.uno.cards import COLOR_MASK, FACE_MASK, SKIP, face_of

SYMBOL, NUMBER = range(2)


@dataclass(frozen=True)
class Match(Axis):
    """Cards of other colors that match the top card."""

    value: str = "symbol"
    name: ClassVar[str] = "match"
    choices: ClassVar[Mapping[str, str]] = {
        "symbol": "cards with the same number or symbol",
        "number": "cards with the same number only",
    }


@njit
def matches_by_face(rules, face):
    """Return whether a colored card with this `face` may be played on one with the same face in another color.

    Under the rule `match=number` that holds for numbers only, otherwise also for skips, reverses and draw twos.
    """
    return rules.match == SYMBOL or face < SKIP


@njit
def matching_cards(rules, top, color):
    """Return the bit mask of colored cards that may be played on the card id `top` while `color` is in force."""
    face = face_of(top)
    mask = COLOR_MASK[color]
    if matches_by_face(rules, face):
        mask |= FACE_MASK[face]
    return mask
