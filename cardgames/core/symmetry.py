"""Ways to rename what a game tells apart by name alone: renamed throughout, a position is as good as it was."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Symmetries(NamedTuple):
    """All renamings, which form a group; number 0 renames nothing."""

    inputs: NDArray[np.int64]
    """[n, inputs] where in an encoding each input goes."""
    actions: NDArray[np.int64]
    """[n, actions] the id each action goes by."""

    def is_closed(self, actions: int) -> bool:
        """Return whether the first so many actions are renamed to each other alone."""
        return bool((self.actions[:, :actions] < actions).all())
