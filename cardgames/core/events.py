"""The history of a round: rows of plain numbers from the deal on, and what one seat may see of them.

A row is `(kind, seat, value, audience)`. The kind `ACTION` (0) is every game's: `seat` decided on action `value`.
Further kinds are the game's own, for what chance and the rules did in consequence; they follow the action that caused
them.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames.kernels.copying import copy_row
from cardgames.kernels.jit import njit
from cardgames.support.errors import InvalidInput, check_integer, short_repr

ACTION = 0

PUBLIC = -1
"""Audience: everybody sees the row. An audience of `s` >= 0: everybody sees the row, only seat s its value."""

_PRIVATE_BASE = 100


def private_to(seat: int) -> int:
    """Return the audience of a row that nobody but `seat` knows of."""
    return _PRIVATE_BASE + seat


EventRow = tuple[int, int, int, int]


def event_row(row: Sequence[int]) -> tuple[int, int, int]:
    """Return kind, seat and value of a row, seen by all or by one. Raises `InvalidInput` for what is none."""
    try:
        kind, seat, value, *_ = row
    except (TypeError, ValueError):
        raise InvalidInput(f"an event is a row of kind, seat and value, not {short_repr(row)}") from None
    return (
        check_integer("the kind of an event", kind),
        check_integer("the seat of an event", seat),
        check_integer("the value of an event", value),
    )


def event_sentence(game: str, kind: int, sentences: Mapping[int, Callable[[], str]]) -> str:
    """Return what a row of a kind says. Raises `InvalidInput` for a kind that `game` does not have."""
    if kind not in sentences:
        raise InvalidInput(f"an event of {game} is of a kind from 0 to {max(sentences)}, not {kind}")
    return sentences[kind]()


class History:
    """All the rows of a round so far: numbers in one array, so that a view of a long round takes no longer than its
    copy.
    """

    def __init__(self, rows: Iterable[EventRow]):
        self._rows = _row_array(rows)
        self._count = len(self._rows)

    def __len__(self) -> int:
        return self._count

    def add(self, rows: Iterable[EventRow]) -> None:
        """Append rows."""
        new = _row_array(rows)
        start, count = self._count, self._count + len(new)
        if count > len(self._rows):
            longer = np.empty((2 * count, 4), np.int32)
            longer[:start] = self._rows[:start]
            self._rows = longer
        self._rows[start:count] = new
        self._count = count  # last, since whoever reads meanwhile is to see rows that are there

    def __getstate__(self) -> dict[str, Any]:
        """Return what a copy in another process is made of: no rows but those there are."""
        return {"_rows": self._rows[: self._count], "_count": self._count}

    def copy(self) -> "History":
        """Return an independent copy; the rows there are, which nobody changes, are shared until it goes on."""
        copy = History(())
        copy._rows, copy._count = self._rows[: self._count], self._count
        return copy

    def rows(self, start: int = 0) -> list[EventRow]:
        """Return the rows, the first `start` left out."""
        rows = self._rows[: self._count][start:].tolist()
        return [(kind, seat, value, audience) for kind, seat, value, audience in rows]

    def view(self, seat: int, end: int | None = None) -> NDArray[np.int32]:
        """Return the rows, or only the first `end`, as `seat` saw them (see `view`)."""
        return _view_of(self._rows[: self._count][:end], seat)


def view(rows: Iterable[EventRow], seat: int) -> NDArray[np.int32]:
    """Return the rows as `seat` saw them: int32 [n, 3] of kind, seat, value, with -1 for a value hidden from it."""
    return _view_of(_row_array(rows), seat)


def _row_array(rows: Iterable[EventRow]) -> NDArray[np.int32]:
    return np.array([*rows], np.int32).reshape(-1, 4)


def _view_of(rows: NDArray[np.int32], seat: int) -> NDArray[np.int32]:
    """Return kind, seat and value of the rows of which `seat` knows."""
    out = np.empty((len(rows), 3), np.int32)
    # a copy, since a view would tell by the room behind it how many rows there are that the seat does not see
    return out[: _write_view(rows, seat, out)].copy()


@njit
def _write_view(rows, seat, out):
    """Write what `_view_of` returns into `out`; return how many rows these are."""
    n = 0
    for row in range(len(rows)):
        audience = rows[row, 3]
        if audience < _PRIVATE_BASE or audience == _PRIVATE_BASE + seat:
            copy_row(out[n], rows[row])
            if audience >= 0 and audience % _PRIVATE_BASE != seat:
                out[n, 2] = -1
            n += 1
    return n
