"""Random dealing: draws hands from sets of physical cards stored as bits.

*Card bits* are a `uint64` in which bits 4r to 4r+3 stand for the four physical cards of rank r. Drawing random set bits
makes each physical card equally likely, which a hand (a `uint64` with a 4-bit count per rank) does not allow.
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
    """Convert card bits (one bit per physical card) to a hand (a 4-bit count per rank)."""
    pairs = cards - (cards >> ONE & _EVEN_BITS)
    return (pairs & _BIT_PAIRS) + (pairs >> np.uint64(2) & _BIT_PAIRS)


@njit
def hand_to_card_bits(hand):
    """Convert a hand (a 4-bit count per rank) to card bits (one bit per physical card).

    A rank with n cards has the lowest n of its four bits set.
    """
    one, two, three, four = rank_sets(hand)
    return one | two << ONE | three << np.uint64(2) | four << np.uint64(3)


@njit
def draw_card_bits(cards, size, n, rng):
    """Return `n` cards drawn at random without replacement from the `size` cards in `cards`.

    Input and result are card bits (one bit per physical card).
    """
    remaining = cards
    for i in range(n):
        remaining ^= ONE << np.uint64(nth_bit(remaining, below(rng, size - i)))
    return cards ^ remaining


@njit
def deal_hands(state):
    """Deal the bottom cards and three hands of 17 at random from a full deck into `state`, with its own random stream."""
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
