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
from cardgames.learners.memory.batch_sampling import fill_below

NONE, AUGMENT, CANONICAL = "none", "augment", "canonical"
SYMMETRY = (NONE, AUGMENT, CANONICAL)
"""What is made of a game's symmetries: nothing; batches are seen under random ones; the network sees one of all positions
that are alike.
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
    """Draw a symmetry for each of `n` decisions, by chance of `stream`, and rename what belongs to them, in place: inputs
    [n, inputs], what is told of every action [n, actions], sets of actions [n, words] (`kernels.masks`), and actions [n].

    Without `symmetries` nothing is drawn, and all stays as it is.
    """
    if symmetries is None:
        return
    symmetry_ids = np.zeros(n, np.int64)
    fill_below(stream, len(symmetries.actions), symmetry_ids)
    for seen in inputs:
        _permute_columns(symmetry_ids, symmetries.inputs, seen)
    for per_action in outputs:
        _permute_columns(symmetry_ids, symmetries.actions, per_action)
    for legal in action_sets:
        _permute_sets(symmetry_ids, symmetries.actions, legal)
    for taken in actions:
        _permute_actions(symmetry_ids, symmetries.actions, taken)
