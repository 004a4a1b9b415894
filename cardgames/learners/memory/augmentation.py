"""Batches seen under symmetries of the game: each decision under one drawn for it, all that belongs to it alike."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames.core.symmetry import Symmetries
from cardgames.kernels import masks
from cardgames.kernels.bits import lowest_bit
from cardgames.kernels.copying import copy_row
from cardgames.kernels.jit import njit
from cardgames.learners.memory.batch_sampling import draw_below

NONE, AUGMENT, CANONICAL = "none", "augment", "canonical"
SYMMETRY = (NONE, AUGMENT, CANONICAL)
"""What is made of a game's symmetries: nothing; batches are seen under random ones; the network sees one of all positions
that are alike.
"""


@njit
def _rename_columns(drawn, places, rows):
    before = np.empty(rows.shape[1], rows.dtype)
    for i in range(len(rows)):
        if drawn[i] != 0:
            copy_row(before, rows[i])
            for j in range(len(before)):
                rows[i, places[drawn[i], j]] = before[j]


@njit
def _rename_sets(drawn, actions, sets):
    before = np.empty(sets.shape[1], np.uint64)
    for i in range(len(sets)):
        if drawn[i] != 0:
            copy_row(before, sets[i])
            sets[i] = np.uint64(0)
            for word in range(len(before)):
                while before[word] != np.uint64(0):
                    masks.insert(sets[i], actions[drawn[i], 64 * word + lowest_bit(before[word])])
                    before[word] &= before[word] - np.uint64(1)


@njit
def _rename_actions(drawn, actions, taken):
    for i in range(len(taken)):
        taken[i] = actions[drawn[i], taken[i]]


def rename_at_random(
    symmetries: Symmetries | None,
    stream: Any,
    n: int,
    *,
    inputs: Sequence[NDArray[np.int8]] = (),
    outputs: Sequence[NDArray[Any]] = (),
    sets: Sequence[NDArray[np.uint64]] = (),
    actions: Sequence[NDArray[np.int64]] = (),
) -> None:
    """Draw a symmetry for each of `n` decisions, by chance of `stream`, and rename what belongs to them, in place: inputs
    [n, inputs], what is told of every action [n, actions], sets of actions [n, words] (`kernels.masks`), and actions [n].

    Without `symmetries` nothing is drawn, and all stays as it is.
    """
    if symmetries is None:
        return
    drawn = np.zeros(n, np.int64)
    draw_below(stream, len(symmetries.actions), drawn)
    for seen in inputs:
        _rename_columns(drawn, symmetries.inputs, seen)
    for told in outputs:
        _rename_columns(drawn, symmetries.actions, told)
    for legal in sets:
        _rename_sets(drawn, symmetries.actions, legal)
    for taken in actions:
        _rename_actions(drawn, symmetries.actions, taken)
