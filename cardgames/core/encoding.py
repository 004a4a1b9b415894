"""What a seat sees, as numbers of a certain shape."""

import math
from typing import NamedTuple


def sees_hidden(encoding: str) -> bool:
    """Return whether the encoding of this name shows hidden cards, which no agent may see."""
    return encoding.startswith("cheating-")


class Encoding(NamedTuple):
    """One of a game's encodings (`Game.encoding`)."""

    encoding_id: int
    """Its number for the verb `encode`."""
    shape: tuple[int, ...]
    """Shape of the array of what a seat sees."""
    canonical: str | None = None
    """The encoding of the same view in canonical names, so that positions equal up to a renaming look alike."""

    @property
    def inputs(self) -> int:
        """How many numbers it has."""
        return math.prod(self.shape)
