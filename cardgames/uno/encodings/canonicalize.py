"""Canonical encodings: positions that differ only in the names of their colors get the same inputs.

An encoding is written as usual, then its colors are sorted. The color in force comes first. The others are compared, in
this order, by: the number of ones in each block of the inputs, more first; the position of those ones, sooner first;
the legal actions of each color, more (with greater ids) first, since some encodings do not show them; the number of the
color. The seat knows everything in this list, and colors equal in all of it except the number can be exchanged without
a change.
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
"""Blocks of each encoding, by its number; `seat_inputs.LAYOUT` explains the format."""

_COLOR_ACTIONS_MASK = np.uint64(0x7FFF)


def _color_blocks(layout: Layout) -> list[tuple[int, int]]:
    """Return the first input and the width of each block with one row for each color."""
    sizes = [rows * width for rows, width in layout]
    return [(sum(sizes[:i]), width) for i, (rows, width) in enumerate(layout) if rows == 4]


def _block_table() -> NDArray[np.uint64]:
    """Return the blocks of all encodings as one array."""
    blocks = [_color_blocks(layout) for layout in LAYOUTS]
    max_blocks = max(map(len, blocks))
    return np.array(
        [encoding_blocks + [(0, 0)] * (max_blocks - len(encoding_blocks)) for encoding_blocks in blocks], np.uint64
    )


_BLOCKS = _block_table()
"""`[encodings, blocks, 2] uint64` First input and width of each block, padded with empty blocks.

Unsigned, like all indices computed from them: without the check for negative indices the loops below are four times as
fast.
"""


def symmetries(encoding: int, actions: int) -> Symmetries:
    """Return the color symmetries of an encoding, by its number, and of the first `actions` action ids."""
    inputs = np.tile(np.arange(sum(rows * width for rows, width in LAYOUTS[encoding])), (len(PERMUTATIONS), 1))
    for first, width in _color_blocks(LAYOUTS[encoding]):
        rows = first + width * PERMUTATIONS[:, :, None] + np.arange(width)
        inputs[:, first : first + 4 * width] = rows.reshape(len(PERMUTATIONS), -1)
    return Symmetries(inputs, RENAMED_ACTIONS[:, :actions])


@njit
def _rank(inputs, blocks, current_color, ranks):
    """Write the sort key of each color into `ranks` (`[4] int64`).

    The key has whether the color is in force, then the number of ones that each block has in the row of the color.
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
    """Return whether `color` comes before `other_color`, which has as many ones in every block."""
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
    """Write the colors in canonical order into `order` (`[4] int64`)."""
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
    """Reorder the rows of the colors in each block of the inputs."""
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
    """Rename the colors in the inputs of an encoding, by its number, and return the number of the renaming."""
    blocks = _BLOCKS[encoding]
    actions = card_actions(rules, state) if state.to_move == player else NONE
    order, ranks, colors = np.empty((3, 4), np.int64)
    _rank(inputs, blocks, state.color, ranks)
    _sort_colors(inputs, blocks, actions, ranks, order)
    _rearrange(inputs, blocks, order)
    for place in range(4):
        colors[order[place]] = place
    return permutation_id(colors)
