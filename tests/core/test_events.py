"""Tests of the history of a round and of the view that a seat has of it."""

import pickle

from hypothesis import given, settings
from hypothesis import strategies as st

from cardgames.core.events import PUBLIC, EventRow, History, private_to, view

SEATS = st.integers(0, 3)
AUDIENCES = st.one_of(st.just(PUBLIC), SEATS, SEATS.map(private_to))
ROWS = st.lists(st.tuples(st.integers(0, 11), st.integers(-1, 3), st.integers(-1, 60), AUDIENCES), max_size=12)


def reference_view(rows: list[EventRow], seat: int) -> list[list[int]]:
    """Reference for `view`: public rows, rows with a private value, and rows private to the seat."""
    visible = []
    for kind, by, value, audience in rows:
        if audience in (PUBLIC, seat, private_to(seat)):
            visible.append([kind, by, value])
        elif audience in range(4):
            visible.append([kind, by, -1])
    return visible


@settings(deadline=None)
@given(ROWS, SEATS)
def test_view_equals_reference(rows: list[EventRow], seat: int) -> None:
    events = view(rows, seat)
    assert events.tolist() == reference_view(rows, seat)
    assert (events.dtype, events.shape[1:], events.flags.c_contiguous) == ("int32", (3,), True)
    assert events.base is None


@settings(deadline=None)
@given(st.lists(ROWS, max_size=6), SEATS)
def test_growing_history_equals_list_of_rows(parts: list[list[EventRow]], seat: int) -> None:
    history, rows = History(()), []
    for part in parts:
        before = history.copy()
        history.add(part)
        assert before.rows() == rows
        rows += part
        assert (history.rows(), len(history)) == (rows, len(rows))
        assert history.view(seat).tolist() == reference_view(rows, seat)
        assert history.view(seat, len(before)).tolist() == reference_view(rows[: len(before)], seat)
        other_rows = [(9, 0, 9, PUBLIC), *part]
        before.add(other_rows)
        assert before.rows() == rows[: len(rows) - len(part)] + other_rows and history.rows() == rows
        for start in range(-2, 3):
            assert history.rows(start) == rows[start:]


def test_pickled_history_has_no_unused_rows() -> None:
    history = History([(0, 1, 2, PUBLIC)])
    history.add([(0, 2, 3, PUBLIC)] * 2)
    restored = pickle.loads(pickle.dumps(history))
    assert restored.rows() == history.rows() and restored.__getstate__()["_rows"].shape == (3, 4)
    restored.add([(0, 0, 0, PUBLIC)])
    assert len(restored.rows()) == 4


def test_changing_a_view_does_not_change_the_history() -> None:
    history = History([(0, 1, 2, PUBLIC)])
    history.view(0)[0, 2] = 9
    assert history.rows() == [(0, 1, 2, PUBLIC)]
