"""Public evidence from a seat's draws: for each color, the cards it took since it last drew with that color in force.

Under `draw-when=stuck` a player draws only without a playable card, so at that moment the hand holds no card of the
color in force and no wild (it is void in the color). Each card taken later weakens this evidence. Where players may
draw at any time, a draw is only a hint. A drawn card counts as taken if the player was free to keep it although
playable; it does not count if the rules would have played it at once, since keeping it shows that it was not playable.

Each seat has one 16-bit word with four bits for each color, red lowest. The four bits are a count from 0 to 7, or 8 if
the seat took more cards or never drew with that color in force. The word moves along when hands change seats.
"""

from collections.abc import Sequence

import numpy as np

from cardgames.kernels.jit import njit

UNKNOWN_COUNT = 8
"""Count for a color if the seat took more than 7 cards since it last drew with that color in force, or never did."""
ALL_UNKNOWN = 0x8888
"""Word of a seat that never drew."""

_COUNT_ONES = np.uint64(0x1111)
_COUNT_MASK = np.uint64(0xF)


@njit
def reset_count(word, color):
    """Return `word` after its seat drew with `color` in force."""
    return word & ~(_COUNT_MASK << np.uint64(4 * color))


@njit
def increment_counts(word):
    """Return `word` after its seat took one more card from the pile."""
    return word + (_COUNT_ONES & ~(word >> np.uint64(3)))


@njit
def cards_since_draw(word, color):
    """Return the number of cards that a seat took since it last drew with `color` in force, or `UNKNOWN_COUNT`."""
    return np.int64(word >> np.uint64(4 * color) & _COUNT_MASK)


def unpack_counts(word: int) -> list[int]:
    """Return the four counts of a word, by color (for Python code; kernels use `cards_since_draw`)."""
    return [word >> 4 * color & 0xF for color in range(4)]


def pack_counts(counts: Sequence[int]) -> int:
    """Return the word with these four counts."""
    return sum(count << 4 * color for color, count in enumerate(counts))
