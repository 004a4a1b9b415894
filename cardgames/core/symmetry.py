"""Symmetries of a game: ways to rename things that the rules treat alike (colors, seats) without changing the game."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Symmetries(NamedTuple):
    """Permutations of an encoding's inputs and of the action ids, one row for each symmetry; row 0 is the identity."""

    inputs: NDArray[np.int64]
    """[n, inputs] new index of each input of the encoding."""
    actions: NDArray[np.int64]
    """[n, actions] new id of each action."""

    def is_closed(self, actions: int) -> bool:
        """Return whether every symmetry maps the first `actions` action ids to one another."""
        return bool((self.actions[:, :actions] < actions).all())
