"""The 108 cards of Uno as card ids and bit masks, and the action ids.

A card id is `15 * color + face`, 0 to 59; the color of a wild is the one printed on it. The deck has at most two cards
of each id, so two 64-bit masks describe a hand: `once` has the bits of the ids that it holds at least once, `twice` of
those that it holds twice. Action ids 0 to 60 are RLCard's 61 actions: ids below 60 play a card (for a wild, the color
part is the color named), 60 draws. Ids above 60 are for other decisions, such as a challenge.
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
"""`[4] uint64` Bit mask of the card ids of each color, without wilds."""
FACE_MASK = np.array([_faces(face, face) if face < 13 else NONE for face in range(15)], np.uint64)
"""`[15] uint64` Bit mask of the card ids with each face, in all four colors; 0 for the faces of wilds."""

POINTS = np.array([*range(10), 20, 20, 20, 50, 50], np.int64)
"""`[15] int64` Points that a card counts for the winner when it is left in another hand, by face."""

DECK = np.array(
    [card for card in range(NUM_CARD_IDS) for _ in range(2 if 1 <= card % 15 <= 12 else 1)],
    np.uint8,
)
"""`[108] uint8` Card ids of the whole deck, ascending; an id of which there are two cards appears twice."""

KIND_OF_CARD = np.array(
    [
        52 if card % 15 == WILD else 53 if card % 15 == WILD_FOUR else 13 * (card // 15) + card % 15
        for card in range(60)
    ],
    np.int64,
)
"""`[60] int64` Card id -> one of paper 001's 54 kinds of card: 13 * color + face, then 52 wild, 53 wild draw four."""

COPIES_OF_KIND = np.bincount(KIND_OF_CARD[DECK], minlength=NUM_KINDS)
"""`[54] int64` Number of cards in the deck of each of paper 001's 54 kinds of card (`KIND_OF_CARD`)."""


@njit
def color_of(card):
    """Return the color index (0 to 3) of a card id, or of an action id that plays a card: for a wild, the color named.

    This is `card // 15` for ids below 60, computed without a division.
    """
    return (np.int64(card) * 4370) >> 16


@njit
def face_of(card):
    """Return the face index (0 to 14) of a card id, or of an action id that plays a card: `card % 15`."""
    return card - 15 * color_of(card)


@njit
def draw_penalty(face):
    """Return the number of cards (0, 2 or 4) that the next seat must draw when a card with this `face` is played."""
    return 2 if face == DRAW_TWO else 4 if face == WILD_FOUR else 0


@njit
def without(once, twice, card):
    """Return the masks of a hand after one copy of `card` is removed from it.

    The masks `once` and `twice` have the card ids that the hand holds at least once, and twice.
    """
    bit = ONE << np.uint64(card)
    return once & (~bit | twice), twice & ~bit


@njit
def count_of(once, twice, cards):
    """Return the number of cards in a hand whose ids are in the bit mask `cards`; a card held twice counts twice.

    The hand is given by its masks `once` and `twice`: card ids held at least once, and held twice.
    """
    return popcount(once & cards) + popcount(twice & cards)
