"""Random dealing: sets of distinct physical cards as bits, from which hands are drawn.

In a word of *card bits*, bits 4r to 4r+3 stand for the four physical cards of rank r. So each physical card is equally
likely to be drawn, which a hand word (a count per rank) cannot express.
"""

import numpy as np

from cardgames.doudizhu.cards import DECK_COPIES, NUM_CARDS, rank_sets
from cardgames.doudizhu.state import BOTTOM_SIZE, HAND_SIZE
from cardgames.kernels.bits import ONE, nth_bit
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import below

DECK_CARD_BITS = np.uint64(sum((1 << copies) - 1 << 4 * rank for rank, copies in enumerate(DECK_COPIES)))
_EVEN_BITS = np.uint64(0x5555_5555_5555_5555)
_BIT_PAIRS = np.uint64(0x3333_3333_3333_3333)


@njit
def card_bits_to_hand(cards):
    """Return card bits as a hand."""
    pairs = cards - (cards >> ONE & _EVEN_BITS)
    return (pairs & _BIT_PAIRS) + (pairs >> np.uint64(2) & _BIT_PAIRS)


@njit
def hand_to_card_bits(hand):
    """Return a hand as card bits, with the lowest bits of each rank set."""
    one, two, three, four = rank_sets(hand)
    return one | two << ONE | three << np.uint64(2) | four << np.uint64(3)


@njit
def draw_card_bits(cards, size, n, rng):
    """Return `n` random cards out of `cards`, which has `size` cards (both as card bits)."""
    remaining = cards
    for i in range(n):
        remaining ^= ONE << np.uint64(nth_bit(remaining, below(rng, size - i)))
    return cards ^ remaining


@njit
def deal_hands(state):
    """Deal three hands and the bottom cards from a full deck into `state`."""
    remaining, size = DECK_CARD_BITS, NUM_CARDS
    drawn = draw_card_bits(remaining, size, BOTTOM_SIZE, state)
    state.bottom = card_bits_to_hand(drawn)
    for seat in range(2):
        remaining, size = remaining ^ drawn, size - (BOTTOM_SIZE if seat == 0 else HAND_SIZE)
        drawn = draw_card_bits(remaining, size, HAND_SIZE, state)
        state.hands[seat] = card_bits_to_hand(drawn)
    state.hands[2] = card_bits_to_hand(remaining ^ drawn)
    for seat in range(3):
        state.counts[seat] = HAND_SIZE
