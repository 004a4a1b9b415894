"""Positions that differ by the names of their colours, made to look alike: the canonical encodings.

An encoding is written as it is, then its colours change places: that in force comes first, then by what the inputs say
of each. Block by block, in their order, the colour of more ones comes first; of those alike in that, the one whose
ones come sooner; then the one of whose actions more (of greater ids) are legal, which not all encodings tell; then
the lower number. What decides is known to the seat, and colours that are alike in all of it may swap unnoticed.
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
"""The blocks of each encoding (`seat_inputs.LAYOUT`), by its number."""

_COLOR_ACTIONS_MASK = np.uint64(0x7FFF)


def _color_blocks(layout: Layout) -> list[tuple[int, int]]:
    """Return first input and width of the blocks in which colours play a part."""
    sizes = [rows * width for rows, width in layout]
    return [(sum(sizes[:i]), width) for i, (rows, width) in enumerate(layout) if rows == 4]


def _block_table() -> NDArray[np.uint64]:
    blocks = [_color_blocks(layout) for layout in LAYOUTS]
    max_blocks = max(map(len, blocks))
    return np.array(
        [encoding_blocks + [(0, 0)] * (max_blocks - len(encoding_blocks)) for encoding_blocks in blocks], np.uint64
    )


_BLOCKS = _block_table()
"""[encodings, blocks, 2] `_color_blocks`, empty blocks behind those of fewer. Unsigned, as all indices made of them: that no
index counts from the end makes the loops below four times as fast.
"""


def symmetries(encoding: int, actions: int) -> Symmetries:
    """Return the renamings of an encoding, by its number, and of so many actions."""
    inputs = np.tile(np.arange(sum(rows * width for rows, width in LAYOUTS[encoding])), (len(PERMUTATIONS), 1))
    for first, width in _color_blocks(LAYOUTS[encoding]):
        rows = first + width * PERMUTATIONS[:, :, None] + np.arange(width)
        inputs[:, first : first + 4 * width] = rows.reshape(len(PERMUTATIONS), -1)
    return Symmetries(inputs, RENAMED_ACTIONS[:, :actions])


@njit
def _rank(inputs, blocks, current_color, ranks):
    """Write into `ranks` (int64 [4]) for each colour whether it is in force, then how many ones each block has of it."""
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
    """Return whether colour `color` comes before `other_color`, which has as many ones in every block."""
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
    """Write the colours into `order` (int64 [4]) as they come."""
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
    """Let the colours change places, in each block at once."""
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
    """Rename the colours in the inputs of an encoding, by its number, and return the number of the renaming."""
    blocks = _BLOCKS[encoding]
    actions = card_actions(rules, state) if state.to_move == player else NONE
    order, ranks, colors = np.empty((3, 4), np.int64)
    _rank(inputs, blocks, state.color, ranks)
    _sort_colors(inputs, blocks, actions, ranks, order)
    _rearrange(inputs, blocks, order)
    for place in range(4):
        colors[order[place]] = place
    return permutation_id(colors)
