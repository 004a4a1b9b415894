"""What the draws of a seat tell of its hand, in public: how many cards it took since it last drew with a colour in force.

Who draws because he must, without a card that fits, holds none of the colour and no wild; the more cards he takes
afterwards, the less that says. Where one may draw at any time it is a hint. A card that may be kept although it fits
counts among those taken; one that would have been laid, and was not, does not.

One word a seat, four bits a colour, the lowest of red: a count up to 7, or 8 where it took more or never drew. It goes
along with the hand when hands change places.
"""

from collections.abc import Sequence

import numpy as np

from cardgames.kernels.jit import njit

UNKNOWN_COUNT = 8
"""The count of a seat that took more than 7 cards since, or never drew."""
ALL_UNKNOWN = 0x8888
"""The word of a seat that never drew."""

_COUNT_ONES = np.uint64(0x1111)
_COUNT_MASK = np.uint64(0xF)


@njit
def reset_count(word, color):
    """Return the word of a seat that just drew with `color` in force."""
    return word & ~(_COUNT_MASK << np.uint64(4 * color))


@njit
def increment_counts(word):
    """Return the word of a seat after one more card from the pile."""
    return word + (_COUNT_ONES & ~(word >> np.uint64(3)))


@njit
def cards_since_draw(word, color):
    """Return how many cards a seat took since it last drew with `color` in force, `UNKNOWN_COUNT` if that is not known."""
    return np.int64(word >> np.uint64(4 * color) & _COUNT_MASK)


def unpack_counts(word: int) -> list[int]:
    """Return the counts of a word, by colour, outside kernels."""
    return [word >> 4 * color & 0xF for color in range(4)]


def pack_counts(counts: Sequence[int]) -> int:
    """Return the word that has these counts."""
    return sum(count << 4 * color for color, count in enumerate(counts))
