"""Public evidence from a seat's draws: for each color, the cards it took since it last drew with that color in force.

Under the rule `draw-when=stuck` a player draws only without a playable card, so at that moment the hand holds no card
of the color in force and no wild. Each card taken from the draw pile later weakens this evidence. Where players may
draw at any time, a draw is only a hint. A drawn card counts as taken if the player was free to keep it although
playable; it does not count if the rules would have played it at once, since keeping it shows that it was not playable.

The counts of a seat are packed into one 16-bit integer, the parameter `word` below, with four bits for each color, red
lowest. A count is 0 to 7, or 8 if the seat took more cards or never drew with that color in force. When hands change
seats, the integer moves with the hand.
"""

from collections.abc import Sequence

import numpy as np

from cardgames.kernels.jit import njit

UNKNOWN_COUNT = 8
"""Count of a color if the seat took more than 7 cards since it last drew with that color in force, or never did."""
ALL_UNKNOWN = 0x8888
"""Packed counts (16 bits) of a seat that never drew: `UNKNOWN_COUNT` for each of the four colors."""

_COUNT_ONES = np.uint64(0x1111)
_COUNT_MASK = np.uint64(0xF)


@njit
def reset_count(word, color):
    """Return a seat's packed counts `word` with the count of `color` set to 0: the seat drew with `color` in force."""
    return word & ~(_COUNT_MASK << np.uint64(4 * color))


@njit
def increment_counts(word):
    """Return a seat's packed counts `word` with each count raised by 1, up to `UNKNOWN_COUNT`: the seat took a card."""
    return word + (_COUNT_ONES & ~(word >> np.uint64(3)))


@njit
def cards_since_draw(word, color):
    """Return how many cards a seat took since it last drew with `color` in force, from its packed counts `word`.

    The result is `UNKNOWN_COUNT` if the seat took more than 7 cards since then, or never drew with `color` in force.
    """
    return np.int64(word >> np.uint64(4 * color) & _COUNT_MASK)


def unpack_counts(word: int) -> list[int]:
    """Return the four counts packed into `word`, in the order of the colors. (Kernels use `cards_since_draw`.)"""
    return [word >> 4 * color & 0xF for color in range(4)]


def pack_counts(counts: Sequence[int]) -> int:
    """Return the four `counts`, in the order of the colors, packed into one 16-bit integer."""
    return sum(count << 4 * color for color, count in enumerate(counts))
