"""The 54 cards of Dou Di Zhu. A hand is one 64-bit word: bits 4r to 4r+3 count its cards of rank r.

Ranks 0 to 14 are `3 4 5 6 7 8 9 T J Q K A 2 B R` (B the black joker, R the red one); suits never matter. A *set* of ranks
is a hand with one card of each (bit 4r for rank r), a *mask* of ranks has 15 bits. Hands are `uint64`, masks `int64`.
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
"""How many cards of each rank the deck holds."""

DECK = sum(copies << 4 * rank for rank, copies in enumerate(DECK_COPIES))
"""All 54 cards as one hand."""
JOKERS = np.uint64(0x11 << 4 * BLACK_JOKER)
"""Both jokers as a hand: the rocket's cards."""

RANK_LOW_BITS = np.uint64(0x111_1111_1111_1111)
"""The lowest bit of each rank's count."""
_PAIRS_OF_BITS = np.uint64(0x0303_0303_0303_0303)
_NIBBLES_OF_BITS = np.uint64(0x000F_000F_000F_000F)
_BYTES_OF_BITS = np.uint64(0x0000_00FF_0000_00FF)
_LOW_BITS = np.uint64(0xFFFF)


def normalize_card_text(text: str) -> str:
    """Return cards as the table of ranks spells them: without blanks, in upper case, a ten `T` though it be written `10`."""
    return "".join(text.split()).upper().replace("10", "T")


def hand_from_text(text: str) -> int:
    """Return the cards written as `text`, in any order (`33344456`; a ten is `T` or `10`), as a hand.

    Raises `InvalidInput` for a letter that is no card and for more cards of a rank than the deck holds.
    """
    hand = 0
    for letter in normalize_card_text(text):
        if letter not in RANKS:
            raise InvalidInput(
                f"{letter!r} in {short_repr(text)} is not a card: write {' '.join(RANKS)} (B black joker, R red)"
            )
        hand += 1 << 4 * RANKS.index(letter)
        if copies_of_rank(hand, RANKS.index(letter)) > DECK_COPIES[RANKS.index(letter)]:
            raise InvalidInput(f"{short_repr(text)} has more cards {letter} than the deck")
    return hand


def hand_to_text(hand: int) -> str:
    """Return the cards of a hand in ascending order as text."""
    return "".join(letter * copies_of_rank(int(hand), rank) for rank, letter in enumerate(RANKS))


def ranks_of(hand: int) -> list[int]:
    """Return the ranks of a hand's cards, ascending."""
    return [rank for rank in range(NUM_RANKS) for _ in range(copies_of_rank(int(hand), rank))]


def copies_of_rank(hand: int, rank: int) -> int:
    """Return how many cards of `rank` a hand (a Python integer) holds."""
    return hand >> 4 * rank & 15


def hand_size(hand: int) -> int:
    """Return how many cards a hand (a Python integer) holds."""
    return len(ranks_of(hand))


def subtract_cards(hand: int, cards: int) -> int:
    """Return what is left of a hand when as many of `cards` as it holds are taken away."""
    return sum(
        max(0, copies_of_rank(hand, rank) - copies_of_rank(cards, rank)) << 4 * rank for rank in range(NUM_RANKS)
    )


@njit
def card_count(hand):
    """Return how many cards a hand holds."""
    halves = popcount(hand >> np.uint64(1) & RANK_LOW_BITS)
    return popcount(hand & RANK_LOW_BITS) + 2 * halves + 4 * popcount(hand >> np.uint64(2) & RANK_LOW_BITS)


@njit
def holds(hand, cards):
    """Return whether a hand holds all of `cards`."""
    guard = RANK_LOW_BITS << np.uint64(3)
    return ((hand | guard) - cards) & guard == guard


@njit
def has_rocket(hand):
    """Return 1 if a hand holds both jokers, else 0."""
    return np.int64(hand & JOKERS == JOKERS)


@njit
def rank_sets(hand):
    """Return the sets of ranks of which a hand holds at least one, two, three and four cards."""
    odd, half, four = hand & RANK_LOW_BITS, hand >> np.uint64(1) & RANK_LOW_BITS, hand >> np.uint64(2) & RANK_LOW_BITS
    two = half | four
    return odd | two, two, odd & half | four, four


@njit
def exact_rank_sets(hand):
    """Return the sets of ranks of which a hand holds exactly one, two, three and four cards."""
    one, two, three, four = rank_sets(hand)
    return one ^ two, two ^ three, three ^ four, four


@njit
def exact_rank_sets_and_rocket(hand):
    """Return `exact_rank_sets` of a hand without its rocket, and 1 if it has one, else 0."""
    rocket = has_rocket(hand)
    one, two, three, four = exact_rank_sets(hand)
    return one ^ (JOKERS if rocket else NONE), two, three, four, rocket


@njit
def lowest_ranks(ranks, n):
    """Return the n lowest ranks of a set."""
    lowest = np.uint64(0)
    for _ in range(n):
        lowest |= ranks & ~(ranks - np.uint64(1))
        ranks &= ranks - np.uint64(1)
    return lowest


@njit
def highest_rank(ranks):
    """Return the highest rank of a set."""
    while ranks & (ranks - np.uint64(1)):
        ranks &= ranks - np.uint64(1)
    return ranks


@njit
def _mask_of(ranks):
    """Return a set of ranks as a mask."""
    bits = (ranks | ranks >> np.uint64(3)) & _PAIRS_OF_BITS
    bits = (bits | bits >> np.uint64(6)) & _NIBBLES_OF_BITS
    bits = (bits | bits >> np.uint64(12)) & _BYTES_OF_BITS
    return np.int64((bits | bits >> np.uint64(24)) & _LOW_BITS)


@njit
def rank_masks(hand):
    """Return four masks of ranks: those of which a hand holds at least one, two, three and four cards."""
    one, two, three, four = rank_sets(hand)
    return _mask_of(one), _mask_of(two), _mask_of(three), _mask_of(four)


@njit
def rank_count(hand, rank):
    """Return how many cards of `rank` a hand holds."""
    return np.int64(hand >> np.uint64(4 * rank) & np.uint64(15))


@njit
def precedes_lexicographically(cards, others):
    """Return whether cards, written in ascending order, come before as many others, as words do in a dictionary."""
    rank = lowest_bit(cards ^ others) >> 2
    return rank < NUM_RANKS and rank_count(cards, rank) > rank_count(others, rank)
