"""Cards and hands of Dou Di Zhu as 64-bit integers, their text, and bit operations on them.

A hand is one 64-bit integer: bits 4r to 4r+3 hold the number of cards of rank r. Ranks 0 to 14 are `3 4 5 6 7 8 9 T J Q
K A 2 B R` (B the black joker, R the red joker). Suits never matter. A *rank set* is a hand with one card of each of its
ranks (bit 4r for rank r). A *rank mask* has 15 bits (bit r for rank r). Hands and rank sets are `uint64`, rank masks
are `int64`.
"""

import numpy as np

from cardgames.kernels.bits import NONE, lowest_bit, popcount
from cardgames.kernels.jit import njit
from cardgames.support.errors import InvalidInput, short_repr

RANKS = "3456789TJQKA2BR"
NUM_RANKS = 15
NUM_CARDS = 54
ACE, TWO, BLACK_JOKER, RED_JOKER = 11, 12, 13, 14

DECK_COPIES = (4,) * 13 + (1, 1)
"""Number of cards of each rank in the deck."""

DECK = sum(copies << 4 * rank for rank, copies in enumerate(DECK_COPIES))
"""All 54 cards as one hand."""
JOKERS = np.uint64(0x11 << 4 * BLACK_JOKER)
"""Both jokers as a hand: the cards of the rocket."""

RANK_LOW_BITS = np.uint64(0x111_1111_1111_1111)
"""Hand with one card of each of the 15 ranks: a mask of the lowest bit of each rank's 4-bit count."""
_PAIRS_OF_BITS = np.uint64(0x0303_0303_0303_0303)
_NIBBLES_OF_BITS = np.uint64(0x000F_000F_000F_000F)
_BYTES_OF_BITS = np.uint64(0x0000_00FF_0000_00FF)
_LOW_BITS = np.uint64(0xFFFF)


def normalize_card_text(text: str) -> str:
    """Return card text in the spelling of `RANKS`: without blanks, in upper case, and with `10` replaced by `T`."""
    return "".join(text.split()).upper().replace("10", "T")


def hand_from_text(text: str) -> int:
    """Parse card text in any order, such as `33344456` (a ten is `T` or `10`), into a hand.

    Raises:
        InvalidInput: If a letter is not a card, or if there are more cards of a rank than in the deck.
    """
    hand = 0
    for letter in normalize_card_text(text):
        if letter not in RANKS:
            raise InvalidInput(
                f"{letter!r} in {short_repr(text)} is not a card; cards are {' '.join(RANKS)} (B black joker, R red joker)"
            )
        hand += 1 << 4 * RANKS.index(letter)
        if copies_of_rank(hand, RANKS.index(letter)) > DECK_COPIES[RANKS.index(letter)]:
            raise InvalidInput(
                f"{short_repr(text)} has too many cards of rank {letter}; the deck has {DECK_COPIES[RANKS.index(letter)]}"
            )
    return hand


def hand_to_text(hand: int) -> str:
    """Return the cards of a hand as text, one letter per card, in ascending order of rank."""
    return "".join(letter * copies_of_rank(int(hand), rank) for rank, letter in enumerate(RANKS))


def ranks_of(hand: int) -> list[int]:
    """Return the rank index (0 to 14) of every card of a hand, ascending, with repeats."""
    return [rank for rank in range(NUM_RANKS) for _ in range(copies_of_rank(int(hand), rank))]


def copies_of_rank(hand: int, rank: int) -> int:
    """Return the number of cards of `rank` in a hand (a Python integer)."""
    return hand >> 4 * rank & 15


def hand_size(hand: int) -> int:
    """Return the number of cards in a hand (a Python integer)."""
    return len(ranks_of(hand))


def subtract_cards(hand: int, cards: int) -> int:
    """Return `hand` without `cards`, both Python integers. Cards that `hand` does not hold are ignored."""
    return sum(
        max(0, copies_of_rank(hand, rank) - copies_of_rank(cards, rank)) << 4 * rank for rank in range(NUM_RANKS)
    )


@njit
def card_count(hand):
    """Return the number of cards in a hand."""
    halves = popcount(hand >> np.uint64(1) & RANK_LOW_BITS)
    return popcount(hand & RANK_LOW_BITS) + 2 * halves + 4 * popcount(hand >> np.uint64(2) & RANK_LOW_BITS)


@njit
def holds(hand, cards):
    """Return whether a hand contains all of `cards`."""
    guard = RANK_LOW_BITS << np.uint64(3)
    return ((hand | guard) - cards) & guard == guard


@njit
def has_rocket(hand):
    """Return 1 if a hand holds both jokers, else 0."""
    return np.int64(hand & JOKERS == JOKERS)


@njit
def rank_sets(hand):
    """Return four rank sets: the ranks with at least one, two, three and four cards in a hand.

    A rank set is a `uint64` with bit 4r set for each rank r in it.
    """
    odd, half, four = hand & RANK_LOW_BITS, hand >> np.uint64(1) & RANK_LOW_BITS, hand >> np.uint64(2) & RANK_LOW_BITS
    two = half | four
    return odd | two, two, odd & half | four, four


@njit
def exact_rank_sets(hand):
    """Return four rank sets: the ranks with exactly one, two, three and four cards in a hand.

    A rank set is a `uint64` with bit 4r set for each rank r in it.
    """
    one, two, three, four = rank_sets(hand)
    return one ^ two, two ^ three, three ^ four, four


@njit
def exact_rank_sets_and_rocket(hand):
    """Return four rank sets of a hand and a flag: 1 if the hand has both jokers (the rocket), else 0.

    The rank sets are the ranks with exactly one, two, three and four cards; the two jokers of a rocket are left out.
    """
    rocket = has_rocket(hand)
    one, two, three, four = exact_rank_sets(hand)
    return one ^ (JOKERS if rocket else NONE), two, three, four, rocket


@njit
def lowest_ranks(ranks, n):
    """Return a rank set (bit 4r set for rank r) of the `n` lowest ranks in the rank set `ranks`."""
    lowest = np.uint64(0)
    for _ in range(n):
        lowest |= ranks & ~(ranks - np.uint64(1))
        ranks &= ranks - np.uint64(1)
    return lowest


@njit
def highest_rank(ranks):
    """Return the highest rank in a rank set (bit 4r set for rank r), as a rank set with that one bit."""
    while ranks & (ranks - np.uint64(1)):
        ranks &= ranks - np.uint64(1)
    return ranks


@njit
def _mask_of(ranks):
    """Convert a rank set (`uint64`, bit 4r for rank r) to a rank mask (`int64`, bit r for rank r)."""
    bits = (ranks | ranks >> np.uint64(3)) & _PAIRS_OF_BITS
    bits = (bits | bits >> np.uint64(6)) & _NIBBLES_OF_BITS
    bits = (bits | bits >> np.uint64(12)) & _BYTES_OF_BITS
    return np.int64((bits | bits >> np.uint64(24)) & _LOW_BITS)


@njit
def rank_masks(hand):
    """Return four rank masks (bit r for rank r): the ranks with at least one, two, three and four cards in a hand."""
    one, two, three, four = rank_sets(hand)
    return _mask_of(one), _mask_of(two), _mask_of(three), _mask_of(four)


@njit
def rank_count(hand, rank):
    """Return the number of cards of `rank` in a hand."""
    return np.int64(hand >> np.uint64(4 * rank) & np.uint64(15))


@njit
def precedes_lexicographically(cards, others):
    """Return whether the hand `cards` precedes the hand `others` when their ascending lists of ranks are compared.

    The lists are compared lexicographically. Both hands must have the same number of cards.
    """
    rank = lowest_bit(cards ^ others) >> 2
    return rank < NUM_RANKS and rank_count(cards, rank) > rank_count(others, rank)
