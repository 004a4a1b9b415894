"""Heuristic value of a hand: Uno's kernel for `ops.evaluate_hand`, paper 001's evaluation (section 4.0.1)."""

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
"""Weights in the value of a hand: of each color held, each card and each wild (paper 001), and of the result.

The last is added for a win and subtracted for a loss.
"""

_COLORS, _CARDS, _WILDS, _RESULT = range(4)
_WILD_PROBABILITY = 8 / NUM_CARDS
_OFF_COLOR_PROBABILITY = 1.0 - 25 / NUM_CARDS


@njit
def _hand_after(once, twice, action):
    """Return the masks `once` and `twice` of a hand after `action` plays a card.

    For a wild, whose action id names a color, any wild is removed.
    """
    return without(once, twice, lowest_bit(once & ALL_WILDS) if face_of(action) >= WILD else np.int64(action))


@njit
def _evaluate_cards(once, twice, hand_size, weights):
    """Return the weighted value of a hand of `hand_size` cards: its numbers of colors, cards and wilds.

    Cards that are not in the masks `once` and `twice` are unknown and count as random cards of the deck.
    """
    num_unknown = hand_size - popcount(once) - popcount(twice)
    colors = 0.0
    for color in range(4):
        colors += 1.0 if once & COLOR_MASK[color] else 1.0 - _OFF_COLOR_PROBABILITY**num_unknown
    wilds = popcount(once & ALL_WILDS) + _WILD_PROBABILITY * num_unknown
    return weights[_COLORS] * colors + weights[_CARDS] * hand_size + weights[_WILDS] * wilds


@ops.evaluate_hand.register(UNO_RULES)
@njit
def evaluate_hand(rules, state, player, action, weights):
    """Implement `ops.evaluate_hand` for Uno: return the value of the hand of `player` after `action`.

    `weights` are those of `EVALUATION_WEIGHTS`, in that order.
    """
    once, twice, num_cards = state.once[player], state.twice[player], np.int64(state.counts[player])
    if action >= 0 and action < DRAW:
        once, twice = _hand_after(once, twice, action)
        num_cards -= 1
    elif action == DRAW:
        num_cards += 1
    elif action == TAKE or action == ACCEPT:
        num_cards += state.pending
    value = _evaluate_cards(once, twice, num_cards, weights)
    if num_cards == 0:
        return value + weights[_RESULT]
    return value - weights[_RESULT] if state.phase == OVER else value
