"""The 108 cards of Uno as bits, and the action ids.

A card id is `15 * colour + face`, 0 to 59; a wild's colour is the one printed on it. No card id exists more than twice,
so a hand is two 64-bit planes: the cards it holds, and those it holds twice. Ids 0 to 60 are RLCard's 61 actions.
"""

import numpy as np

from cardgames.kernels.bits import NONE, ONE, popcount
from cardgames.kernels.jit import njit

COLORS = "rgby"
FACES = "0123456789svdwf"
NUM_CARDS = 108
NUM_CARD_IDS = 60
NUM_KINDS = 54
MAX_PLAYERS = 10

SKIP, REVERSE, DRAW_TWO, WILD, WILD_FOUR = 10, 11, 12, 13, 14

DRAW, KEEP, PASS, CHALLENGE, ACCEPT, UNO, QUIET, LET_GO, TAKE, NO_JUMP = range(60, 70)
CATCH, SWAP, JUMP, COLOR = 70, 80, 90, 91
NUM_ACTIONS, NUM_BASE_ACTIONS = 95, 61


def _mask(cards: list[int]) -> np.uint64:
    return np.uint64(sum(1 << card for card in cards))


def _faces(low: int, high: int) -> np.uint64:
    return _mask([15 * color + face for color in range(4) for face in range(low, high + 1)])


NUMBERS = _faces(0, 9)
SYMBOLS = _faces(10, 12)
COLORED = _faces(0, 12)
WILDS = _faces(13, 13)
WILD_FOURS = _faces(14, 14)
ALL_WILDS = WILDS | WILD_FOURS
DRAW_BIT = ONE << np.uint64(DRAW)

COLOR_MASK = np.array([_mask([15 * color + face for face in range(13)]) for color in range(4)], np.uint64)
"""[4] the coloured cards of each colour."""
FACE_MASK = np.array([_faces(face, face) if face < 13 else NONE for face in range(15)], np.uint64)
"""[15] the coloured cards of each face; none for the wilds' faces."""

POINTS = np.array([*range(10), 20, 20, 20, 50, 50], np.int64)
"""[15] what a card of each face left in a hand counts."""

DECK = np.array(
    [card for card in range(NUM_CARD_IDS) for _ in range(2 if 1 <= card % 15 <= 12 else 1)],
    np.uint8,
)
"""[108] the card ids of the whole deck, ascending."""

KIND_OF_CARD = np.array(
    [
        52 if card % 15 == WILD else 53 if card % 15 == WILD_FOUR else 13 * (card // 15) + card % 15
        for card in range(60)
    ],
    np.int64,
)
"""[60] the kind of each card id: 13 * colour + face, then 52 wild, 53 wild draw four (paper 001's 54 kinds)."""

COPIES_OF_KIND = np.bincount(KIND_OF_CARD[DECK], minlength=NUM_KINDS)
"""[54] how many cards of each kind the deck holds."""


@njit
def color_of(card):
    """Return the colour of a card id, or the one a card's action id names: `card // 15` for ids below 60, without a
    division.
    """
    return (np.int64(card) * 4370) >> 16


@njit
def face_of(card):
    """Return the face of a card id or action id: `card % 15`."""
    return card - 15 * color_of(card)


@njit
def draw_penalty(face):
    """Return how many cards the next seat has to draw for a face."""
    return 2 if face == DRAW_TWO else 4 if face == WILD_FOUR else 0


@njit
def without(once, twice, card):
    """Return the planes of a hand that holds a card, less one such card."""
    bit = ONE << np.uint64(card)
    return once & (~bit | twice), twice & ~bit


@njit
def count_of(once, twice, cards):
    """Return how many of the `cards` (uint64) the hand of two planes holds."""
    return popcount(once & cards) + popcount(twice & cards)
