"""Encodings: layouts in which a seat's view is written as an array of numbers, the inputs of a network."""

import math
from typing import NamedTuple


def sees_hidden(encoding: str) -> bool:
    """Return whether the encoding of this name contains hidden cards, which no honest agent may see."""
    return encoding.startswith("cheating-")


class Encoding(NamedTuple):
    """One of a game's encodings, by its id and shape."""

    encoding_id: int
    """Its id for the verbs `encode` and `encode_actions`."""
    shape: tuple[int, ...]
    """Shape of the encoded array."""
    canonical: str | None = None
    """Name of the canonical form of this encoding, if any: it is equal for positions that differ only by a symmetry."""

    @property
    def inputs(self) -> int:
        """Size of the encoded array."""
        return math.prod(self.shape)
