"""Random cards: sets of physical cards as bits, from which hands are drawn.

Bits 4r to 4r+3 of a word of *cards* are the copies of rank r, so that of equal cards each can be drawn.
"""

import numpy as np

from cardgames.doudizhu.cards import COPIES, NUM_CARDS, rank_sets
from cardgames.doudizhu.state import BOTTOM, DEALT
from cardgames.kernels.bits import ONE, nth_bit
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import below

ALL_CARDS = np.uint64(sum((1 << copies) - 1 << 4 * rank for rank, copies in enumerate(COPIES)))
_EVEN_BITS = np.uint64(0x5555_5555_5555_5555)
_BIT_PAIRS = np.uint64(0x3333_3333_3333_3333)


@njit
def hand_of_cards(cards):
    """Return a word of cards as a hand."""
    pairs = cards - (cards >> ONE & _EVEN_BITS)
    return (pairs & _BIT_PAIRS) + (pairs >> np.uint64(2) & _BIT_PAIRS)


@njit
def cards_of_hand(hand):
    """Return a hand as a word of cards, the first copies of each rank."""
    one, two, three, four = rank_sets(hand)
    return one | two << ONE | three << np.uint64(2) | four << np.uint64(3)


@njit
def draw_cards(cards, size, n, rng):
    """Return `n` random ones of `size` cards."""
    left = cards
    for i in range(n):
        left ^= ONE << np.uint64(nth_bit(left, below(rng, size - i)))
    return cards ^ left


@njit
def deal_hands(state):
    """Deal three hands and the bottom from the whole deck."""
    left, size = ALL_CARDS, NUM_CARDS
    drawn = draw_cards(left, size, BOTTOM, state)
    state.bottom = hand_of_cards(drawn)
    for seat in range(2):
        left, size = left ^ drawn, size - (BOTTOM if seat == 0 else DEALT)
        drawn = draw_cards(left, size, DEALT, state)
        state.hands[seat] = hand_of_cards(drawn)
    state.hands[2] = hand_of_cards(left ^ drawn)
    for seat in range(3):
        state.counts[seat] = DEALT
