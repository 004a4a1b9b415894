"""Tests of record types: fields as attributes in Python and in kernels, copies, pickling."""

import pickle
from typing import Any

import numba
import numpy as np
import pytest

import cardgames
from cardgames.kernels.record_type import record_type
from cardgames.support.errors import InvalidInput
from tests.differences import assert_same_round

POINT = record_type(__name__, "POINT", [("x", "i8"), ("near", "u1", (3,)), ("size", "f4")], align=True)


def point() -> Any:
    """Return the first record of an array of two."""
    points = np.zeros(2, POINT)
    points["x"] = 5, 7
    return points[0]


def test_attributes_of_a_record_are_views_of_the_array() -> None:
    points = np.zeros(2, POINT)
    first = points[0]
    first.x, first.size, first.near[1] = 3, 0.5, 9
    assert (points["x"].tolist(), points["size"].tolist()) == ([3, 0], [0.5, 0])
    assert points[0].near.tolist() == first["near"].tolist() == [0, 9, 0]
    first.near = (1, 2, 3)
    assert points["near"][0].tolist() == [1, 2, 3]
    with pytest.raises(AttributeError):
        first.y = 1


def test_copy_is_independent_and_has_the_same_type() -> None:
    first = point()
    copy = first.copy()
    copy.x = 6
    assert (first.x, copy.x, copy.dtype) == (5, 6, POINT) and type(copy) is POINT.type


def test_data_is_the_memory_of_the_record() -> None:
    points = np.zeros(2, POINT)
    points["x"] = 5, 7
    second = np.frombuffer(points[1].data, POINT)
    assert second.ctypes.data == points.ctypes.data + POINT.itemsize and second["x"] == 7


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickled_records_and_dtypes_are_equal(protocol: int) -> None:
    restored, points, dtype = pickle.loads(pickle.dumps((point(), np.zeros(2, POINT), POINT), protocol))
    assert restored == point() and restored.x == 5 and type(restored) is POINT.type
    assert points.dtype == dtype == POINT and type(points[0]) is POINT.type


@pytest.mark.parametrize("field", ["copy", "data", "dtype", "tobytes"])
def test_reserved_field_names_are_refused(field: str) -> None:
    with pytest.raises(InvalidInput, match=field):
        record_type(__name__, "POINT", [("x", "i8"), (field, "i8")])


def test_pickled_state_can_be_played_on() -> None:
    for game in (cardgames.make("uno", 3), cardgames.make("doudizhu")):
        state = game.new_initial_state(seed=1)
        restored = pickle.loads(pickle.dumps(state))
        for position in (state, restored):
            position.apply_action(position.legal_actions()[0])
        assert_same_round(restored, state, f"{game.name} after pickling")


def test_kernels_read_and_write_fields() -> None:
    @numba.njit
    def move(record: Any) -> Any:
        record.x += 1
        return record.near.sum()

    first = point()
    first.near = (1, 2, 3)
    assert move(first) == 6 and first.x == 6
    assert numba.from_dtype(POINT) == numba.typeof(first)


def test_kernels_change_array_elements_and_copies_in_place() -> None:
    @numba.njit
    def move(record: Any) -> None:
        record.x += 1

    points = np.zeros(3, POINT)
    copy = points[1].copy()
    for record in (points[1], points[2], points[2], copy, copy, copy):
        move(record)
    assert points["x"].tolist() == [0, 1, 2] and copy.x == 3
