"""The encoding `evidence`: that called `seat`, then what the draws of the others tell of their hands.

For each of the next three seats, in the order of play, and for each colour and the wilds: at most how many cards it took
since it last drew with that colour in force (`uno.lacking`), as a thermometer. Then who laid the top card.
"""

import numpy as np

from cardgames.core.jit import njit
from cardgames.uno import seat_inputs
from cardgames.uno.lacking import COLORS_AND_WILDS, cards_since

_SEATS = 3
_SINCE = np.array([0, 1, 2, 4])
_WIDTH = _SEATS * len(_SINCE)

LAYOUT = (
    *seat_inputs.LAYOUT,
    (4, _WIDTH),  # cards taken since drawing, for each colour
    (1, _WIDTH),  # the same for wilds
    (1, 1 + _SEATS),  # who laid the top card: the seat itself, or one of the next
)
"""As `seat_inputs.LAYOUT`."""

NUM_INPUTS = sum(rows * width for rows, width in LAYOUT)


@njit
def _lacked(word, out, at):
    """Write what is known of one seat."""
    for place in range(COLORS_AND_WILDS):
        count = cards_since(word, place)
        for i in range(len(_SINCE)):
            out[at + _WIDTH * place + i] = count <= _SINCE[i]


@njit
def write(rules, state, player, out):
    """Write the inputs (int8 [NUM_INPUTS], all 0 before)."""
    first = seat_inputs.write(rules, state, player, out)
    layers = first + COLORS_AND_WILDS * _WIDTH
    out[layers] = state.layer == player
    for row in range(min(state.players - 1, _SEATS)):
        seat = (player + (row + 1) * state.direction + state.players) % state.players
        _lacked(np.uint64(state.lacked[seat]), out, first + row * len(_SINCE))
        out[layers + 1 + row] = state.layer == seat
