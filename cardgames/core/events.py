"""History of a round as rows of numbers, one row for each event, and the view that one seat has of it.

A row is `(kind, seat, value, audience)`. All games have the kind `ACTION` (0): `seat` chose the action `value`. Other
kinds are defined by each game, for chance events and effects of the rules (cards drawn, say); such rows follow the
action that caused them. The audience says which seats see the row, and which of them see its value.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames.kernels.copying import copy_row
from cardgames.kernels.jit import njit
from cardgames.support.errors import InvalidInput, check_integer, short_repr

ACTION = 0
"""Kind of the event that a seat chose an action; the value is the action id."""

PUBLIC = -1
"""Audience of a row that every seat sees. Under an audience s >= 0 they all see the row, but only seat s its value."""

_PRIVATE_BASE = 100


def private_to(seat: int) -> int:
    """Return the audience of a row that only `seat` sees."""
    return _PRIVATE_BASE + seat


EventRow = tuple[int, int, int, int]


def event_row(row: Sequence[int]) -> tuple[int, int, int]:
    """Return kind, seat and value of a row with or without audience. Raises `InvalidInput` for anything else."""
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
    """Return the sentence for an event of this kind. Raises `InvalidInput` if `game`, a name, has no such kind."""
    if kind not in sentences:
        raise InvalidInput(f"the kind of an event of {game} is from 0 to {max(sentences)}, not {kind}")
    return sentences[kind]()


class History:
    """All rows of a round so far, in one array, so that a view of a long round takes no longer than a copy of it."""

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
        self._count = count  # last, so that a thread that reads meanwhile sees only complete rows

    def __getstate__(self) -> dict[str, Any]:
        """Return the data to pickle, without the unused rows of the array."""
        return {"_rows": self._rows[: self._count], "_count": self._count}

    def copy(self) -> "History":
        """Return an independent copy. It shares the existing rows, which never change, until rows are added."""
        copy = History(())
        copy._rows, copy._count = self._rows[: self._count], self._count
        return copy

    def rows(self, start: int = 0) -> list[EventRow]:
        """Return the rows from index `start` on."""
        rows = self._rows[: self._count][start:].tolist()
        return [(kind, seat, value, audience) for kind, seat, value, audience in rows]

    def view(self, seat: int, end: int | None = None) -> NDArray[np.int32]:
        """Return the rows, or only the first `end`, as `seat` saw them (see the function `view`)."""
        return _view_of(self._rows[: self._count][:end], seat)


def view(rows: Iterable[EventRow], seat: int) -> NDArray[np.int32]:
    """Return the rows that `seat` saw: int32 [n, 3] of kind, seat and value, with -1 for a value hidden from `seat`."""
    return _view_of(_row_array(rows), seat)


def _row_array(rows: Iterable[EventRow]) -> NDArray[np.int32]:
    return np.array([*rows], np.int32).reshape(-1, 4)


def _view_of(rows: NDArray[np.int32], seat: int) -> NDArray[np.int32]:
    """Return kind, seat and value of the rows that `seat` saw."""
    out = np.empty((len(rows), 3), np.int32)
    # a copy: the unused memory behind a NumPy view would reveal how many rows the seat does not see
    return out[: _write_view(rows, seat, out)].copy()


@njit
def _write_view(rows, seat, out):
    """Write the rows that `_view_of` returns into `out` and return their number."""
    n = 0
    for row in range(len(rows)):
        audience = rows[row, 3]
        if audience < _PRIVATE_BASE or audience == _PRIVATE_BASE + seat:
            copy_row(out[n], rows[row])
            if audience >= 0 and audience % _PRIVATE_BASE != seat:
                out[n, 2] = -1
            n += 1
    return n
