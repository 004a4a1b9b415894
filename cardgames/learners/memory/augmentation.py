"""Data augmentation: a random symmetry of the game (such as a permutation of colors) applied to each decision of a batch."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames.core.symmetry import Symmetries
from cardgames.kernels import masks
from cardgames.kernels.bits import lowest_bit
from cardgames.kernels.copying import copy_row
from cardgames.kernels.jit import njit
from cardgames.learners.memory.random_indices import fill_below

NONE, AUGMENT, CANONICAL = "none", "augment", "canonical"
SYMMETRY = (NONE, AUGMENT, CANONICAL)
"""Choices of the setting `symmetry`, the use of a game's symmetries.

They are: none; a random symmetry for each decision of a batch; one canonical position for all equivalent ones.
"""


@njit
def _permute_columns(symmetry_ids, permutations, rows):
    before = np.empty(rows.shape[1], rows.dtype)
    for i in range(len(rows)):
        if symmetry_ids[i] != 0:
            copy_row(before, rows[i])
            for j in range(len(before)):
                rows[i, permutations[symmetry_ids[i], j]] = before[j]


@njit
def _permute_sets(symmetry_ids, actions, action_sets):
    before = np.empty(action_sets.shape[1], np.uint64)
    for i in range(len(action_sets)):
        if symmetry_ids[i] != 0:
            copy_row(before, action_sets[i])
            action_sets[i] = np.uint64(0)
            for word in range(len(before)):
                while before[word] != np.uint64(0):
                    masks.insert(action_sets[i], actions[symmetry_ids[i], 64 * word + lowest_bit(before[word])])
                    before[word] &= before[word] - np.uint64(1)


@njit
def _permute_actions(symmetry_ids, actions, taken):
    for i in range(len(taken)):
        taken[i] = actions[symmetry_ids[i], taken[i]]


def apply_random_symmetries(
    symmetries: Symmetries | None,
    stream: Any,
    n: int,
    *,
    inputs: Sequence[NDArray[np.int8]] = (),
    outputs: Sequence[NDArray[Any]] = (),
    action_sets: Sequence[NDArray[np.uint64]] = (),
    actions: Sequence[NDArray[np.int64]] = (),
) -> None:
    """Apply a random symmetry of the game to each of `n` decisions in place, the same to all arrays of a decision.


    Args:
        symmetries: Symmetries of the game; None changes no array, and draws no random number.
        stream: Random stream.
        n: Number of decisions.
        inputs: Arrays of encoded observations ([n, inputs] each).
        outputs: Arrays with a value per action ([n, actions] each).
        action_sets: Arrays of bit masks of actions ([n, words] each, `kernels.masks`).
        actions: Arrays of action ids ([n] each).
    """
    if symmetries is None:
        return
    symmetry_ids = np.zeros(n, np.int64)
    fill_below(stream, len(symmetries.actions), symmetry_ids)
    for rows in inputs:
        _permute_columns(symmetry_ids, symmetries.inputs, rows)
    for per_action in outputs:
        _permute_columns(symmetry_ids, symmetries.actions, per_action)
    for masks_of_rows in action_sets:
        _permute_sets(symmetry_ids, symmetries.actions, masks_of_rows)
    for taken in actions:
        _permute_actions(symmetry_ids, symmetries.actions, taken)
