"""The encoding `evidence`: that called `seat`, then what the draws of the others tell of their hands.

For each of the next three seats, in the order of play, and for each colour: at most how many cards it took since it last
drew with that colour in force (`uno.void_counts`), as a thermometer; then since it last drew at all. Last who laid the top
card.
"""

import numpy as np

from cardgames.kernels.jit import njit
from cardgames.uno.encodings import seat_inputs
from cardgames.uno.encodings.seat_inputs import SEATS, at_most, seat_on
from cardgames.uno.void_counts import UNKNOWN, cards_since

_SINCE = np.array([0, 1, 2, 4])  # cards taken, told by "at most"
_WIDTH = SEATS * len(_SINCE)

LAYOUT = (
    *seat_inputs.LAYOUT,
    (4, _WIDTH),  # cards taken since drawing, for each colour
    (1, _WIDTH),  # since drawing at all, when there was no wild
    (1, 1 + SEATS),  # who laid the top card: the seat itself, or one of the next
)
"""As `seat_inputs.LAYOUT`."""

NUM_INPUTS = sum(rows * width for rows, width in LAYOUT)


@njit
def _lacked(word, out, at):
    """Write what is known of one seat."""
    fewest = UNKNOWN
    for color in range(4):
        count = cards_since(word, color)
        at_most(count, _SINCE, out, at + _WIDTH * color)
        fewest = min(fewest, count)
    at_most(fewest, _SINCE, out, at + _WIDTH * 4)


@njit
def write(rules, state, player, out):
    """Write the inputs (int8 [NUM_INPUTS], all 0 before)."""
    first = seat_inputs.write(rules, state, player, out)
    layers = first + 5 * _WIDTH
    out[layers] = state.layer == player
    for row in range(min(state.players - 1, SEATS)):
        seat = seat_on(state, player, row + 1)
        _lacked(np.uint64(state.lacked[seat]), out, first + row * len(_SINCE))
        out[layers + 1 + row] = state.layer == seat
