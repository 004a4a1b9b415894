"""Rule `seven-zero`: a seven swaps two hands, a zero passes every hand to the next seat."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from cardgames.core.rules import Axis
from cardgames.kernels.jit import njit
from cardgames.uno.cards import face_of

NO_SWAPS, SEVEN, ZERO, BOTH = range(4)


@dataclass(frozen=True)
class SevenZero(Axis):
    """Sevens swap two hands, zeros pass all hands on."""

    value: str = "both"
    name: ClassVar[str] = "seven-zero"
    choices: ClassVar[Mapping[str, str]] = {
        "none": "not played",
        "seven": "the player of a seven swaps hands with another player of their choice",
        "zero": "a zero passes every hand to the next seat",
        "both": "both sevens and zeros",
    }


@njit
def is_swap_card(rules, card):
    """Return whether playing `card` swaps two hands."""
    return face_of(card) == 7 and (rules.seven_zero == SEVEN or rules.seven_zero == BOTH)


@njit
def is_rotation_card(rules, card):
    """Return whether playing `card` passes every hand to the next seat."""
    return face_of(card) == 0 and (rules.seven_zero == ZERO or rules.seven_zero == BOTH)


@njit
def swap_hands(state, a, b):
    """Exchange the hands of seats `a` and `b`, with the public evidence from their draws (`cards_since_draw`)."""
    once, twice, count = state.once[a], state.twice[a], state.counts[a]
    state.once[a], state.twice[a], state.counts[a] = state.once[b], state.twice[b], state.counts[b]
    state.once[b], state.twice[b], state.counts[b] = once, twice, count
    word = state.cards_since_draw[a]
    state.cards_since_draw[a] = state.cards_since_draw[b]
    state.cards_since_draw[b] = word


@njit
def rotate_hands(state):
    """Pass every hand to the next seat in the direction of play."""
    n = state.players
    for i in range(n - 1):
        seat = i if state.direction < 0 else n - 1 - i
        swap_hands(state, seat, (seat - state.direction) % n)
