"""What a seat sees of the rows of a round."""

import pickle

from hypothesis import given, settings
from hypothesis import strategies as st

from cardgames.core.events import PUBLIC, EventRow, History, private_to, view

SEATS = st.integers(0, 3)
AUDIENCES = st.one_of(st.just(PUBLIC), SEATS, SEATS.map(private_to))
ROWS = st.lists(st.tuples(st.integers(0, 11), st.integers(-1, 3), st.integers(-1, 60), AUDIENCES), max_size=12)


def seen(rows: list[EventRow], seat: int) -> list[list[int]]:
    """What a seat sees, said in words: rows for everybody, values for everybody or for it, rows for it alone."""
    found = []
    for kind, by, value, audience in rows:
        if audience in (PUBLIC, seat, private_to(seat)):
            found.append([kind, by, value])
        elif audience in range(4):
            found.append([kind, by, -1])
    return found


@settings(deadline=None)
@given(ROWS, SEATS)
def test_a_view_holds_what_the_seat_may_see(rows: list[EventRow], seat: int) -> None:
    events = view(rows, seat)
    assert events.tolist() == seen(rows, seat)
    assert (events.dtype, events.shape[1:], events.flags.c_contiguous) == ("int32", (3,), True)
    assert events.base is None


@settings(deadline=None)
@given(st.lists(ROWS, max_size=6), SEATS)
def test_a_history_that_grows_shows_what_a_list_of_rows_does(parts: list[list[EventRow]], seat: int) -> None:
    history, rows = History(()), []
    for part in parts:
        before = history.copy()
        history.add(part)
        assert before.rows() == rows
        rows += part
        assert (history.rows(), len(history)) == (rows, len(rows))
        assert history.view(seat).tolist() == seen(rows, seat)
        assert history.view(seat, len(before)).tolist() == seen(rows[: len(before)], seat)
        elsewhere = [(9, 0, 9, PUBLIC), *part]
        before.add(elsewhere)
        assert before.rows() == rows[: len(rows) - len(part)] + elsewhere and history.rows() == rows
        for start in range(-2, 3):
            assert history.rows(start) == rows[start:]


def test_a_history_in_another_process_has_no_more_rows_than_there_are() -> None:
    history = History([(0, 1, 2, PUBLIC)])
    history.add([(0, 2, 3, PUBLIC)] * 2)
    again = pickle.loads(pickle.dumps(history))
    assert again.rows() == history.rows() and again.__getstate__()["_rows"].shape == (3, 4)
    again.add([(0, 0, 0, PUBLIC)])
    assert len(again.rows()) == 4


def test_a_view_is_nobodys_history() -> None:
    history = History([(0, 1, 2, PUBLIC)])
    history.view(0)[0, 2] = 9
    assert history.rows() == [(0, 1, 2, PUBLIC)]
