"""`Encoding`: id and shape of a layout in which a seat's view is written as numbers, the inputs of a network."""

import math
from typing import NamedTuple


def sees_hidden(encoding: str) -> bool:
    """Return whether the encoding with this name shows hidden cards: its name begins with `cheating-`."""
    return encoding.startswith("cheating-")


class Encoding(NamedTuple):
    """Id and array shape of one of a game's encodings, the layouts in which a seat's view is written as numbers."""

    encoding_id: int
    """Id that selects this encoding in the verbs `encode` and `encode_actions`."""
    shape: tuple[int, ...]
    """Shape of the encoded array."""
    canonical: str | None = None
    """Name of the encoding that is the canonical form of this one, None if there is none.

    The canonical form is the same array for all positions that differ only by a symmetry, such as exchanged colors.
    """

    @property
    def inputs(self) -> int:
        """Number of values in the encoded array, the product of `shape`."""
        return math.prod(self.shape)
