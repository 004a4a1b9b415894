"""What a hand is worth by the look of it: the verb `evaluate_hand`, paper 001's evaluation of a hand (section 4.0.1)."""

import numpy as np

from cardgames.core import ops
from cardgames.kernels.bits import lowest_bit, popcount
from cardgames.kernels.jit import njit
from cardgames.uno.cards import (
    ACCEPT,
    ALL_WILDS,
    COLOR_MASK,
    DRAW,
    NUM_CARDS,
    TAKE,
    WILD,
    face_of,
    without,
)
from cardgames.uno.rules import UNO_RULES
from cardgames.uno.state import OVER

EVALUATION_WEIGHTS = {"colors": 1.0, "cards": -2.0, "wilds": 1.0, "result": 0.0}
"""What a hand's number of colours, cards and wilds count for (paper 001), and what a win adds and a loss takes off."""

_COLORS, _CARDS, _WILDS, _RESULT = range(4)
_WILD_PROBABILITY = 8 / NUM_CARDS
_OFF_COLOR_PROBABILITY = 1.0 - 25 / NUM_CARDS


@njit
def _hand_after(once, twice, action):
    """Return the planes of a hand without the card `action` lays: a wild's id names a colour, any wild will do."""
    return without(once, twice, lowest_bit(once & ALL_WILDS) if face_of(action) >= WILD else np.int64(action))


@njit
def _evaluate_cards(once, twice, hand_size, weights):
    """Return the evaluation of a hand of so many `hand_size`; those beyond its planes are any of the whole deck."""
    num_unknown = hand_size - popcount(once) - popcount(twice)
    colors = 0.0
    for color in range(4):
        colors += 1.0 if once & COLOR_MASK[color] else 1.0 - _OFF_COLOR_PROBABILITY**num_unknown
    wilds = popcount(once & ALL_WILDS) + _WILD_PROBABILITY * num_unknown
    return weights[_COLORS] * colors + weights[_CARDS] * hand_size + weights[_WILDS] * wilds


@ops.evaluate_hand.register(UNO_RULES)
@njit
def evaluate_hand(rules, state, player, action, weights):
    """Uno's verb `evaluate_hand`; the weights are those of `EVALUATION_WEIGHTS`, in that order."""
    once, twice, cards = state.once[player], state.twice[player], np.int64(state.counts[player])
    if action >= 0 and action < DRAW:
        once, twice = _hand_after(once, twice, action)
        cards -= 1
    elif action == DRAW:
        cards += 1
    elif action == TAKE or action == ACCEPT:
        cards += state.pending
    value = _evaluate_cards(once, twice, cards, weights)
    if cards == 0:
        return value + weights[_RESULT]
    return value - weights[_RESULT] if state.phase == OVER else value
