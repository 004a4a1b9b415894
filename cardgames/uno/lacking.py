"""What the draws of a seat tell of its hand, in public: how many cards it took since it last drew with a colour in force.

Who draws where that is a last resort has no card of the colour, and no wild; the more cards it takes afterwards, the
less that says. One word a seat, four bits a colour, the lowest of red, and four of wilds: a count up to 7, or 8 where it
took more or never drew.
"""

import numpy as np

from cardgames.core.jit import njit

COLORS_AND_WILDS = 5
UNKNOWN = 8
"""The count of a seat that took more than 7 cards since, or never drew."""
NOTHING_KNOWN = 0x88888
"""The word of a seat that never drew."""

_EACH = np.uint64(0x11111)
_WILDS = np.uint64(0xF0000)
_LANE = np.uint64(0xF)


@njit
def drew_with(word, color):
    """Return the word of a seat that just drew with `color` in force, and had no wild either."""
    return word & ~(_LANE << np.uint64(4 * color) | _WILDS)


@njit
def took_one(word):
    """Return the word of a seat after one more card from the pile."""
    return word + (_EACH & ~(word >> np.uint64(3)))


@njit
def cards_since(word, place):
    """Return how many cards a seat took since it drew with colour `place` in force or, if that is 4, had no wild."""
    return np.int64(word >> np.uint64(4 * place) & _LANE)
