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
"""Event kind of a chosen action: `seat` is the seat that chose it, `value` the action id."""

PUBLIC = -1
"""Audience of an event row that every seat sees completely.

With an audience s >= 0 every seat sees the row, but only seat s sees its value.
"""

_PRIVATE_BASE = 100


def private_to(seat: int) -> int:
    """Return the audience code, the last column of an event row, for an event that only `seat` sees."""
    return _PRIVATE_BASE + seat


EventRow = tuple[int, int, int, int]


def event_row(row: Sequence[int]) -> tuple[int, int, int]:
    """Return the first three columns of an event row (kind, seat, value) as ints; an audience after them is ignored.

    Raises `InvalidInput` if `row` has fewer than three columns or they are not whole numbers.
    """
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
    """Return the sentence that describes an event.

    Args:
        game: Name of the game, for the error message.
        kind: Kind of the event.
        sentences: Kind -> function that returns the sentence.

    Raises:
        InvalidInput: If `kind` is not a key of `sentences`.
    """
    if kind not in sentences:
        raise InvalidInput(f"the kind of an event of {game} is from 0 to {max(sentences)}, not {kind}")
    return sentences[kind]()


class History:
    """All event rows of a round so far (kind, seat, value, audience), in one array that grows."""

    def __init__(self, rows: Iterable[EventRow]):
        self._rows = _row_array(rows)
        self._count = len(self._rows)

    def __len__(self) -> int:
        return self._count

    def add(self, rows: Iterable[EventRow]) -> None:
        """Append event rows to the history."""
        new = _row_array(rows)
        start, count = self._count, self._count + len(new)
        if count > len(self._rows):
            longer = np.empty((2 * count, 4), np.int32)
            longer[:start] = self._rows[:start]
            self._rows = longer
        self._rows[start:count] = new
        self._count = count  # last, so that a thread that reads meanwhile sees only complete rows

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes to pickle: the event rows of the round, without the spare capacity of the array."""
        return {"_rows": self._rows[: self._count], "_count": self._count}

    def copy(self) -> "History":
        """Return an independent copy of the history.

        Both share one array of the existing event rows, which never change, until one of them needs a longer array.
        """
        copy = History(())
        copy._rows, copy._count = self._rows[: self._count], self._count
        return copy

    def rows(self, start: int = 0) -> list[EventRow]:
        """Return the event rows from index `start` on, as tuples (kind, seat, value, audience)."""
        rows = self._rows[: self._count][start:].tolist()
        return [(kind, seat, value, audience) for kind, seat, value, audience in rows]

    def view(self, seat: int, end: int | None = None) -> NDArray[np.int32]:
        """Return the events that `seat` saw among the first `end` rows (default: all): int32 [n, 3] of kind, seat, value.

        A value hidden from `seat` is -1.
        """
        return _view_of(self._rows[: self._count][:end], seat)


def view(rows: Iterable[EventRow], seat: int) -> NDArray[np.int32]:
    """Return those of the event rows that `seat` saw, as int32 [n, 3] of kind, seat and value.

    A value hidden from `seat` is -1.
    """
    return _view_of(_row_array(rows), seat)


def _row_array(rows: Iterable[EventRow]) -> NDArray[np.int32]:
    return np.array([*rows], np.int32).reshape(-1, 4)


def _view_of(rows: NDArray[np.int32], seat: int) -> NDArray[np.int32]:
    """Return the events that `seat` saw (int32 [n, 3] of kind, seat, value) from an array of event rows (int32 [m, 4])."""
    out = np.empty((len(rows), 3), np.int32)
    # a copy: the unused memory behind a NumPy view would reveal how many rows the seat does not see
    return out[: _write_view(rows, seat, out)].copy()


@njit
def _write_view(rows, seat, out):
    """Write kind, seat and value of each event row that `seat` saw into `out`; return the number of rows written.

    A value hidden from `seat` is written as -1.
    """
    n = 0
    for row in range(len(rows)):
        audience = rows[row, 3]
        if audience < _PRIVATE_BASE or audience == _PRIVATE_BASE + seat:
            copy_row(out[n], rows[row])
            if audience >= 0 and audience % _PRIVATE_BASE != seat:
                out[n, 2] = -1
            n += 1
    return n
