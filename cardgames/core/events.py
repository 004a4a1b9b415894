"""The history of a round: rows of plain numbers from the deal on, and what one seat may see of them.

A row is `(kind, seat, value, audience)`. The kind `ACTION` (0) is every game's: `seat` decided on action `value`.
Further kinds are the game's own, for what chance and the rules did in consequence; they follow the action that caused
them.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

ACTION = 0

PUBLIC = -1
"""Audience: everybody sees the row. An audience of `s` >= 0: everybody sees the row, only seat s its value."""

_ROW_FOR = 100


def only(seat: int) -> int:
    """Return the audience of a row that nobody but `seat` knows of."""
    return _ROW_FOR + seat


Row = tuple[int, int, int, int]


def view(rows: Iterable[Row], seat: int) -> NDArray[np.int32]:
    """Return the rows as `seat` saw them: int32 [n, 3] of kind, seat, value, with -1 for a value hidden from it."""
    seen = [
        (kind, who, value if audience < 0 or audience % _ROW_FOR == seat else -1)
        for kind, who, value, audience in rows
        if audience < _ROW_FOR or audience == _ROW_FOR + seat
    ]
    return np.array(seen, np.int32).reshape(-1, 3)
