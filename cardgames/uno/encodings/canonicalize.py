"""Canonical encodings: positions that differ only by a permutation of the colors get the same network inputs.

An encoding is written as usual, then its colors are sorted. The color in force comes first. The others are compared, in
this order, by: the number of ones in each group of inputs that has a row for each color, more first; the position of
those ones, sooner first; the legal actions of each color, more (with greater ids) first, since some encodings do not
show them; the color index. The seat knows everything in this list, and colors equal in all of it except the index can
be exchanged without a change.
"""

import numpy as np
from numpy.typing import NDArray

from cardgames.core.symmetry import Symmetries
from cardgames.kernels.bits import NONE
from cardgames.kernels.jit import njit
from cardgames.uno.encodings import evidence_inputs, seat_inputs
from cardgames.uno.encodings.color_symmetry import PERMUTATIONS, RENAMED_ACTIONS, permutation_id
from cardgames.uno.legal import card_actions

Layout = tuple[tuple[int, int], ...]

LAYOUTS: tuple[Layout, ...] = (
    ((4, 15),) * 4,
    ((4, 13), (1, 2)) * 5,
    ((4, 15),) * 7,
    seat_inputs.LAYOUT,
    evidence_inputs.LAYOUT,
)
"""Layout of each encoding by its id, as groups of inputs `(rows, width)`; `seat_inputs.LAYOUT` explains them."""

_COLOR_ACTIONS_MASK = np.uint64(0x7FFF)


def _color_blocks(layout: Layout) -> list[tuple[int, int]]:
    """Return the index of the first input, and the row width, of each group in `layout` with a row for each color."""
    sizes = [rows * width for rows, width in layout]
    return [(sum(sizes[:i]), width) for i, (rows, width) in enumerate(layout) if rows == 4]


def _block_table() -> NDArray[np.uint64]:
    """Return the groups of inputs that have a row for each color, of all encodings, as one array (`_BLOCKS`)."""
    blocks = [_color_blocks(layout) for layout in LAYOUTS]
    max_blocks = max(map(len, blocks))
    return np.array(
        [encoding_blocks + [(0, 0)] * (max_blocks - len(encoding_blocks)) for encoding_blocks in blocks], np.uint64
    )


_BLOCKS = _block_table()
"""`[encodings, groups, 2] uint64` Index of the first input, and row width, of each group with a row for each color.

Shorter lists are padded with groups of width 0. Unsigned, like all indices computed from them: without the check for
negative indices the loops over inputs are four times as fast.
"""


def symmetries(encoding: int, actions: int) -> Symmetries:
    """Return the 24 color permutations of an encoding's inputs and of the first `actions` action ids.

    `encoding` is the id of the encoding.
    """
    inputs = np.tile(np.arange(sum(rows * width for rows, width in LAYOUTS[encoding])), (len(PERMUTATIONS), 1))
    for first, width in _color_blocks(LAYOUTS[encoding]):
        rows = first + width * PERMUTATIONS[:, :, None] + np.arange(width)
        inputs[:, first : first + 4 * width] = rows.reshape(len(PERMUTATIONS), -1)
    return Symmetries(inputs, RENAMED_ACTIONS[:, :actions])


@njit
def _rank(inputs, blocks, current_color, ranks):
    """Write the sort key of each color into `ranks` (`[4] int64`); the color with the greatest key comes first.

    The key is a number to base 16. Its first digit says whether the color is in force; then there is a digit for each
    group of inputs in `blocks`, the number of ones in the row of the color.
    """
    for color in range(4):
        ranks[color] = color == current_color
    for i in range(len(blocks)):
        offset, width = blocks[i, 0], blocks[i, 1]
        for color in range(4):
            ones = np.int64(0)
            for j in range(offset, offset + width):
                ones += inputs[j]
            ranks[color] = 16 * ranks[color] + ones
            offset += width


@njit
def _comes_before(inputs, blocks, actions, color, other_color):
    """Return whether `color` comes before `other_color` in the canonical order, if their sort keys are equal.

    At the first input in which their rows differ, the color with the greater value comes first. If the rows are equal,
    it is the color whose legal actions, a bit mask in `actions`, form the greater number.
    """
    row, other_row = np.uint64(color), np.uint64(other_color)
    for i in range(len(blocks)):
        first, width = blocks[i, 0], blocks[i, 1]
        for j in range(first, first + width):
            if inputs[j + row * width] != inputs[j + other_row * width]:
                return inputs[j + row * width] > inputs[j + other_row * width]
    return (
        actions >> np.uint64(15 * color) & _COLOR_ACTIONS_MASK
        > actions >> np.uint64(15 * other_color) & _COLOR_ACTIONS_MASK
    )


@njit
def _sort_colors(inputs, blocks, actions, ranks, order):
    """Write the color indices into `order` (`[4] int64`), by falling sort key in `ranks`, ties by `_comes_before`."""
    for color in range(4):
        index = color
        while index > 0:
            previous_color = order[index - 1]
            rank_difference = ranks[color] - ranks[previous_color]
            if rank_difference < 0 or (
                rank_difference == 0 and not _comes_before(inputs, blocks, actions, color, previous_color)
            ):
                break
            order[index] = previous_color
            index -= 1
        order[index] = color


@njit
def _rearrange(inputs, blocks, order):
    """Reorder the rows of the four colors in each group of `inputs` in place: row `order[i]` becomes row i."""
    a, b, c, d = np.uint64(order[0]), np.uint64(order[1]), np.uint64(order[2]), np.uint64(order[3])
    for i in range(len(blocks)):
        offset, width = blocks[i, 0], blocks[i, 1]
        for j in range(offset, offset + width):
            first, second = inputs[j + a * width], inputs[j + b * width]
            third, fourth = inputs[j + c * width], inputs[j + d * width]
            inputs[j], inputs[j + width] = first, second
            inputs[j + width + width], inputs[j + width + width + width] = third, fourth


@njit
def canonicalize(rules, state, player, encoding, inputs):
    """Bring the colors in `inputs` into canonical order, and return the id of the color permutation applied.

    `encoding` is the id of the encoding in which the inputs are written.
    """
    blocks = _BLOCKS[encoding]
    actions = card_actions(rules, state) if state.to_move == player else NONE
    order, ranks, colors = np.empty((3, 4), np.int64)
    _rank(inputs, blocks, state.color, ranks)
    _sort_colors(inputs, blocks, actions, ranks, order)
    _rearrange(inputs, blocks, order)
    for place in range(4):
        colors[order[place]] = place
    return permutation_id(colors)
