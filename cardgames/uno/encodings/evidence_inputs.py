"""The encoding `evidence`: the encoding `seat`, then evidence about other hands from their draws.

For each of the next three seats in the order of play and each color, a thermometer (inputs that are 1 if a count is at
most 0, 1, 2 or 4) shows how few cards the seat took since it last drew with that color in force
(`uno.cards_since_draw`). Another thermometer for each of these seats shows how few it took since it last drew at all.
The last inputs show which seat played the top card.
"""

import numpy as np

from cardgames.kernels.jit import njit
from cardgames.uno.cards_since_draw import UNKNOWN_COUNT, cards_since_draw
from cardgames.uno.encodings import seat_inputs
from cardgames.uno.encodings.seat_inputs import NUM_NEXT_SEATS, seat_ahead, write_at_most

_THRESHOLDS = np.array([0, 1, 2, 4])  # an input is 1 if at most this number of cards was taken
_WIDTH = NUM_NEXT_SEATS * len(_THRESHOLDS)

LAYOUT = (
    *seat_inputs.LAYOUT,
    (4, _WIDTH),  # cards taken since the last draw with each color in force
    (1, _WIDTH),  # cards taken since the last draw, when the hand had no wild
    (1, 1 + NUM_NEXT_SEATS),  # seat that played the top card: the player or one of the next seats
)
"""Groups of the inputs `(rows, width)` in order, in the format of `seat_inputs.LAYOUT`."""

NUM_INPUTS = sum(rows * width for rows, width in LAYOUT)


@njit
def _write_cards_since_draw(word, out, offset):
    """Write the five thermometers of one seat: cards taken since its last draw, for each color and for any color.

    `word` has the seat's packed counts (`uno.cards_since_draw`). The first thermometer begins at `out[offset]`, and
    each of the others `_WIDTH` inputs after the one before.
    """
    lowest_count = UNKNOWN_COUNT
    for color in range(4):
        count = cards_since_draw(word, color)
        write_at_most(count, _THRESHOLDS, out, offset + _WIDTH * color)
        lowest_count = min(lowest_count, count)
    write_at_most(lowest_count, _THRESHOLDS, out, offset + _WIDTH * 4)


@njit
def write_inputs(rules, state, player, out):
    """Write the encoding `evidence` of what `player` sees into `out` (`[NUM_INPUTS] int8`, all 0 before)."""
    evidence_offset = seat_inputs.write_inputs(rules, state, player, out)
    top_seat_offset = evidence_offset + 5 * _WIDTH
    out[top_seat_offset] = state.top_card_seat == player
    for row in range(min(state.players - 1, NUM_NEXT_SEATS)):
        seat = seat_ahead(state, player, row + 1)
        _write_cards_since_draw(np.uint64(state.cards_since_draw[seat]), out, evidence_offset + row * len(_THRESHOLDS))
        out[top_seat_offset + 1 + row] = state.top_card_seat == seat
