"""Which cards match the top card besides those of its colour."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.core.rules import Axis
from cardgames.kernels.jit import njit
from cardgames.uno.cards import COLOR_MASK, FACE_MASK, SKIP, face_of

SYMBOL, NUMBER = range(2)


@dataclass(frozen=True)
class Match(Axis):
    """Which cards match the top card besides those of its colour."""

    value: str = "symbol"
    name: ClassVar[str] = "match"
    choices: ClassVar[Mapping[str, str]] = {
        "symbol": "the same number or symbol",
        "number": "the same number only",
    }


@njit
def matches_by_face(rules, face):
    """Return whether cards of a coloured card's `face` match it whatever their colour."""
    return rules.match == SYMBOL or face < SKIP


@njit
def matching_cards(rules, top, color):
    """Return the mask of coloured cards that match the card id `top` with `color` in force."""
    face = face_of(top)
    mask = COLOR_MASK[color]
    if matches_by_face(rules, face):
        mask |= FACE_MASK[face]
    return mask
