"""Inputs and outputs of the model of auctions: cards that a seat sees, the landlord, evidence on the other seats' hands.

A hand's *level* is its probability to win as the landlord, from 17 cards and without other knowledge: weak, fair (from
`FAIR` on) or strong (from `STRONG` on). Fair hands open an auction, strong ones also outbid or rob. So what a seat said is
evidence on its level, an interval of levels. In doubling, the evidence is whether a seat has passed or doubled.
"""

import numpy as np

from cardgames.doudizhu.auction_model.outcomes import NUM_OUTCOMES
from cardgames.doudizhu.cards import NUM_CARDS
from cardgames.doudizhu.encodings.encode import write_hand
from cardgames.doudizhu.state import DOUBLING
from cardgames.kernels.jit import njit

FAIR, STRONG = 0.52, 0.61
"""Smallest probability to win as the landlord, from 17 cards, of a fair and of a strong hand."""
NUM_LEVELS = 3
"""Number of levels: 0 is weak, 1 fair, 2 strong."""
NOT_ASKED, PASSED, DOUBLED = range(3)
"""Evidence on a seat in doubling."""

_BOTTOM, _BOTTOM_KNOWN, _LANDLORD, _LEVELS = NUM_CARDS, 2 * NUM_CARDS, 2 * NUM_CARDS + 1, 2 * NUM_CARDS + 4
_DOUBLING = _LEVELS + 8
NUM_INPUTS = _DOUBLING + 4
"""Number of inputs: hand (54), bottom (54), whether it is known, the landlord's place (3), evidence (2 x 4, 2 x 2)."""
LEVELS = NUM_OUTCOMES
"""First of the outputs for the levels of the two other seats: one for each pair, 3 * (next seat's) + (seat before's)."""
LANDLORD_DOUBLES = LEVELS + NUM_LEVELS**2
"""First of the two outputs for the landlord in doubling: it passes, it doubles."""
NUM_OUTPUTS = LANDLORD_DOUBLES + 2
"""Number of outputs: outcome classes, pairs of levels, the landlord in doubling."""
NOBODY = -1
"""Place of the landlord as long as there is none. Other places are 0 for the seat itself, 1 for the next, 2 for the last."""


@njit
def write_inputs(hand, bottom, landlord, low, high, doubling, out):
    """Write the inputs of the model for one seat.

    Args:
        hand: Cards of the seat, with the bottom if it is the landlord and the bottom is known.
        bottom: Bottom cards; no cards if they are unknown.
        landlord: Place of the landlord, seen from the seat: 0 itself, 1 the next seat, 2 the seat before, or `NOBODY`.
        low: Lowest possible level of the next seat and of the seat before, int64 [2].
        high: Highest possible level of these seats, int64 [2].
        doubling: Evidence on these seats in doubling (`NOT_ASKED`, `PASSED`, `DOUBLED`), int64 [2].
        out: Output: int8 [NUM_INPUTS].
    """
    out[:] = 0
    write_hand(hand, out, 0)
    write_hand(bottom, out, _BOTTOM)
    out[_BOTTOM_KNOWN] = bottom != np.uint64(0)
    if landlord >= 0:
        out[_LANDLORD + landlord] = 1
    for place in range(2):
        levels = _LEVELS + 4 * place
        out[levels], out[levels + 1] = low[place] >= 1, low[place] >= 2
        out[levels + 2], out[levels + 3] = high[place] < 1, high[place] < 2
        if doubling[place] != NOT_ASKED:
            out[_DOUBLING + 2 * place + doubling[place] - 1] = 1


@njit
def read_evidence(state, seat, low, high, doubling):
    """Write what the auction so far says about the hands of the two other seats, as arguments of `write_inputs`.

    A seat that opened or called has at least a fair hand, one that bid higher or robbed a strong one. A seat that passed
    before anybody bid has a weak hand, one that passed later no strong one.

    Args:
        state: State or observation, in the auction or in doubling.
        seat: Seat that looks at the others.
        low: Output: lowest possible levels of the next seat and of the seat before, int64 [2].
        high: Output: highest possible levels.
        doubling: Output: what these seats did in doubling.
    """
    for place in range(2):
        other = (seat + 1 + place) % 3
        low[place], high[place] = _levels_of(state, other)
        doubling[place] = _doubling_of(state, other)


@njit
def _levels_of(state, seat):
    """Return the lowest and the highest possible level of a seat, by what it last said in the auction."""
    order = (seat - state.dealer) % 3
    if order >= state.spoken:
        return np.int64(0), np.int64(NUM_LEVELS - 1)
    opened = True
    for earlier in range(order):
        opened &= np.int64(state.passed) >> ((state.dealer + earlier) % 3) & 1 == 1
    if np.int64(state.passed) >> seat & 1 == 1 and seat != state.bidder:
        return np.int64(0), np.int64(0 if opened else 1)
    robbed_back = seat == state.caller and seat == state.bidder and state.robs > 0
    return np.int64(1 if opened and not robbed_back else 2), np.int64(NUM_LEVELS - 1)


@njit
def _doubling_of(state, seat):
    """Return what a seat did in doubling: `NOT_ASKED`, `PASSED` or `DOUBLED`. The landlord is asked last."""
    if state.phase != DOUBLING or seat == state.landlord:
        return np.int64(NOT_ASKED)
    if state.doubles[seat] > 1:
        return np.int64(DOUBLED)
    is_earlier = (seat - state.landlord - 1) % 3 < (state.to_move - state.landlord - 1) % 3
    return np.int64(PASSED if is_earlier else NOT_ASKED)
