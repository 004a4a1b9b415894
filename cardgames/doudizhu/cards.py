"""Cards and hands of Dou Di Zhu, with bit operations on them.

A hand is one 64-bit word: bits 4r to 4r+3 hold the number of cards of rank r. Ranks 0 to 14 are
`3 4 5 6 7 8 9 T J Q K A 2 B R` (B the black joker, R the red joker). Suits never matter. A *rank set* is a hand with one
card of each of its ranks (bit 4r for rank r). A *rank mask* has 15 bits (bit r for rank r). Hands and rank sets are
`uint64`, rank masks are `int64`.
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
"""The lowest bit of each rank's count."""
_PAIRS_OF_BITS = np.uint64(0x0303_0303_0303_0303)
_NIBBLES_OF_BITS = np.uint64(0x000F_000F_000F_000F)
_BYTES_OF_BITS = np.uint64(0x0000_00FF_0000_00FF)
_LOW_BITS = np.uint64(0xFFFF)


def normalize_card_text(text: str) -> str:
    """Return cards in the spelling of `RANKS`: no blanks, upper case, a ten as `T` even if it is written `10`."""
    return "".join(text.split()).upper().replace("10", "T")


def hand_from_text(text: str) -> int:
    """Return the hand written as `text`, in any order (`33344456`; a ten is `T` or `10`).

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
    """Return the cards of a hand in ascending order as text."""
    return "".join(letter * copies_of_rank(int(hand), rank) for rank, letter in enumerate(RANKS))


def ranks_of(hand: int) -> list[int]:
    """Return the ranks of a hand's cards, ascending."""
    return [rank for rank in range(NUM_RANKS) for _ in range(copies_of_rank(int(hand), rank))]


def copies_of_rank(hand: int, rank: int) -> int:
    """Return the number of cards of `rank` in a hand (a Python integer)."""
    return hand >> 4 * rank & 15


def hand_size(hand: int) -> int:
    """Return the number of cards in a hand (a Python integer)."""
    return len(ranks_of(hand))


def subtract_cards(hand: int, cards: int) -> int:
    """Return a hand without `cards`; those of `cards` that it does not hold are ignored (Python integers)."""
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
    """Return four rank sets: the ranks of which a hand holds at least one, two, three and four cards."""
    odd, half, four = hand & RANK_LOW_BITS, hand >> np.uint64(1) & RANK_LOW_BITS, hand >> np.uint64(2) & RANK_LOW_BITS
    two = half | four
    return odd | two, two, odd & half | four, four


@njit
def exact_rank_sets(hand):
    """Return four rank sets: the ranks of which a hand holds exactly one, two, three and four cards."""
    one, two, three, four = rank_sets(hand)
    return one ^ two, two ^ three, three ^ four, four


@njit
def exact_rank_sets_and_rocket(hand):
    """Return `exact_rank_sets` of a hand without its rocket, and 1 if it has the rocket, else 0."""
    rocket = has_rocket(hand)
    one, two, three, four = exact_rank_sets(hand)
    return one ^ (JOKERS if rocket else NONE), two, three, four, rocket


@njit
def lowest_ranks(ranks, n):
    """Return the n lowest ranks of a rank set, as a rank set."""
    lowest = np.uint64(0)
    for _ in range(n):
        lowest |= ranks & ~(ranks - np.uint64(1))
        ranks &= ranks - np.uint64(1)
    return lowest


@njit
def highest_rank(ranks):
    """Return the highest rank of a rank set, as a rank set."""
    while ranks & (ranks - np.uint64(1)):
        ranks &= ranks - np.uint64(1)
    return ranks


@njit
def _mask_of(ranks):
    """Return a rank set as a rank mask."""
    bits = (ranks | ranks >> np.uint64(3)) & _PAIRS_OF_BITS
    bits = (bits | bits >> np.uint64(6)) & _NIBBLES_OF_BITS
    bits = (bits | bits >> np.uint64(12)) & _BYTES_OF_BITS
    return np.int64((bits | bits >> np.uint64(24)) & _LOW_BITS)


@njit
def rank_masks(hand):
    """Return four rank masks: the ranks of which a hand holds at least one, two, three and four cards."""
    one, two, three, four = rank_sets(hand)
    return _mask_of(one), _mask_of(two), _mask_of(three), _mask_of(four)


@njit
def rank_count(hand, rank):
    """Return the number of cards of `rank` in a hand."""
    return np.int64(hand >> np.uint64(4 * rank) & np.uint64(15))


@njit
def precedes_lexicographically(cards, others):
    """Return whether `cards` come before `others` in lexicographic order.

    Both are hands with the same number of cards, compared as lists of ranks in ascending order.
    """
    rank = lowest_bit(cards ^ others) >> 2
    return rank < NUM_RANKS and rank_count(cards, rank) > rank_count(others, rank)
