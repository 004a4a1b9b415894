"""Batches seen under symmetries of the game: each decision under one drawn for it, all that belongs to it alike."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames.core import masks
from cardgames.core.bits import lowest_bit
from cardgames.core.jit import njit
from cardgames.core.symmetry import Symmetries
from cardgames.learners.draws import draw_below

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
            before[:] = rows[i]
            for j in range(len(before)):
                rows[i, places[drawn[i], j]] = before[j]


@njit
def _rename_sets(drawn, actions, sets):
    before = np.empty(sets.shape[1], np.uint64)
    for i in range(len(sets)):
        if drawn[i] != 0:
            before[:] = sets[i]
            sets[i] = np.uint64(0)
            for word in range(len(before)):
                while before[word] != np.uint64(0):
                    masks.insert(sets[i], actions[drawn[i], 64 * word + lowest_bit(before[word])])
                    before[word] &= before[word] - np.uint64(1)


@njit
def _rename_actions(drawn, actions, taken):
    for i in range(len(taken)):
        taken[i] = actions[drawn[i], taken[i]]


class Augmentation:
    """Renames what belongs to decisions, in place: decision i of each array as the i-th symmetry drawn last has it."""

    def __init__(self, symmetries: Symmetries):
        self._symmetries = symmetries
        self._drawn = np.zeros(0, np.int64)

    def draw(self, stream: Any, n: int) -> None:
        """Draw a symmetry for each of `n` decisions, by chance of `stream`."""
        if len(self._drawn) != n:
            self._drawn = np.zeros(n, np.int64)
        draw_below(stream, len(self._symmetries.actions), self._drawn)

    def decisions(
        self, stream: Any, inputs: NDArray[np.int8], legal: NDArray[np.uint64], actions: NDArray[np.int64]
    ) -> None:
        """Draw a symmetry for each of some decisions and rename what was seen, what was legal and what was done."""
        self.draw(stream, len(actions))
        self.inputs(inputs)
        self.sets(legal)
        self.actions(actions)

    def inputs(self, rows: NDArray[np.int8]) -> None:
        """Rename inputs [n, inputs]."""
        _rename_columns(self._drawn, self._symmetries.inputs, rows)

    def outputs(self, rows: NDArray[Any]) -> None:
        """Rename what is told of every action [n, actions]."""
        _rename_columns(self._drawn, self._symmetries.actions, rows)

    def sets(self, sets: NDArray[np.uint64]) -> None:
        """Rename sets of actions [n, words] (`core.masks`)."""
        _rename_sets(self._drawn, self._symmetries.actions, sets)

    def actions(self, taken: NDArray[np.int64]) -> None:
        """Rename actions [n]."""
        _rename_actions(self._drawn, self._symmetries.actions, taken)
