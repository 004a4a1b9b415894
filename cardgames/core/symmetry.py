"""`Symmetries`: exchanges of things that the rules treat alike (colors, seats), as permutations of inputs and actions."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Symmetries(NamedTuple):
    """All symmetries of a game (exchanges of colors, say) as permutations of an encoding's inputs and of the action ids.

    Each symmetry has one row in both arrays; row 0 is the identity.
    """

    inputs: NDArray[np.int64]
    """[symmetries, inputs] index to which each input of the encoding moves."""
    actions: NDArray[np.int64]
    """[symmetries, actions] id of the action that each action becomes."""

    def is_closed(self, actions: int) -> bool:
        """Return whether every symmetry maps each action id below `actions` to an id below `actions`."""
        return bool((self.actions[:, :actions] < actions).all())
