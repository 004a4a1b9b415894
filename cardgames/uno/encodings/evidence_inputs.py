"""The encoding `evidence`: that called `seat`, then what the draws of the others tell of their hands.

For each of the next three seats, in the order of play, and for each colour: at most how many cards it took since it last
drew with that colour in force (`uno.void_counts`), as a thermometer; then since it last drew at all. Last who laid the top
card.
"""

import numpy as np

from cardgames.kernels.jit import njit
from cardgames.uno.encodings import seat_inputs
from cardgames.uno.encodings.seat_inputs import NUM_NEXT_SEATS, seat_ahead, write_at_most
from cardgames.uno.void_counts import UNKNOWN_COUNT, cards_since_draw

_THRESHOLDS = np.array([0, 1, 2, 4])  # cards taken, told by "at most"
_WIDTH = NUM_NEXT_SEATS * len(_THRESHOLDS)

LAYOUT = (
    *seat_inputs.LAYOUT,
    (4, _WIDTH),  # cards taken since drawing, for each colour
    (1, _WIDTH),  # since drawing at all, when there was no wild
    (1, 1 + NUM_NEXT_SEATS),  # who laid the top card: the seat itself, or one of the next
)
"""As `seat_inputs.LAYOUT`."""

NUM_INPUTS = sum(rows * width for rows, width in LAYOUT)


@njit
def _write_void_counts(word, out, offset):
    """Write what is known of one seat."""
    fewest = UNKNOWN_COUNT
    for color in range(4):
        count = cards_since_draw(word, color)
        write_at_most(count, _THRESHOLDS, out, offset + _WIDTH * color)
        fewest = min(fewest, count)
    write_at_most(fewest, _THRESHOLDS, out, offset + _WIDTH * 4)


@njit
def write_inputs(rules, state, player, out):
    """Write the inputs (int8 [NUM_INPUTS], all 0 before)."""
    first = seat_inputs.write_inputs(rules, state, player, out)
    layer_offset = first + 5 * _WIDTH
    out[layer_offset] = state.top_card_seat == player
    for row in range(min(state.players - 1, NUM_NEXT_SEATS)):
        seat = seat_ahead(state, player, row + 1)
        _write_void_counts(np.uint64(state.void_counts[seat]), out, first + row * len(_THRESHOLDS))
        out[layer_offset + 1 + row] = state.top_card_seat == seat
