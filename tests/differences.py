"""Assertions whose messages name the first difference: of records, observations, rounds and golden files.

Each assertion takes the actual value first and the expected one second. A message is one line, such as
`seat 1, record.counts[2]: 5 != 4`, with the actual value on the left.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np

from cardgames.core.events import ACTION
from cardgames.core.observation import Observation
from cardgames.core.state import State

_MAX_LENGTH = 80
"""Maximum number of characters of a value in a message."""
_MISSING = object()
"""Stands for the value on a side that has none."""


def difference(actual: Any, expected: Any, name: str = "") -> str | None:
    """Return the first difference of two values as `name.field[index]: actual != expected`, or None if they are equal.

    Mappings, sequences, arrays, records and dataclasses are compared item by item.
    """
    if _are(np.void, actual, expected) and actual.dtype == expected.dtype:
        return _record_difference(actual, expected, name)
    if _are(np.ndarray, actual, expected) and (actual.shape, actual.dtype) == (expected.shape, expected.dtype):
        return _array_difference(actual, expected, name)
    if _are(Mapping, actual, expected):
        keys = [*expected, *(key for key in actual if key not in expected)]
        return _first((_join(name, key), actual.get(key, _MISSING), expected.get(key, _MISSING)) for key in keys)
    if _are(np.ndarray, actual, expected):
        return _message(name, *(f"{array.dtype} {array.shape}" for array in (actual, expected)))
    if is_dataclass(expected) and type(actual) is type(expected):
        names = [field.name for field in fields(expected) if field.compare]
        return _first((_join(name, field), getattr(actual, field), getattr(expected, field)) for field in names)
    if _are(Sequence, actual, expected) and type(actual) is type(expected) and not isinstance(expected, str | bytes):
        pairs = enumerate(zip_longest(actual, expected, fillvalue=_MISSING))
        return _first((f"{name}[{i}]", item, expected_item) for i, (item, expected_item) in pairs)
    return None if actual == expected else _message(name, actual, expected)


def _are(kind: type, *values: Any) -> bool:
    return all(isinstance(value, kind) for value in values)


def _record_difference(actual: Any, expected: Any, name: str) -> str | None:
    if actual.tobytes() == expected.tobytes():
        return None
    message = _first((_join(name, field), actual[field], expected[field]) for field in expected.dtype.names or ())
    return message or f"{name}: all fields are equal, but not the padding between them"


def _array_difference(actual: Any, expected: Any, name: str) -> str | None:
    if actual.tobytes() == expected.tobytes():
        return None
    indices = (tuple(map(int, index)) for index in np.argwhere(actual != expected))
    return _first((f"{name}[{', '.join(map(str, index))}]", actual[index], expected[index]) for index in indices)


def _first(parts: Iterable[tuple[str, Any, Any]]) -> str | None:
    """Return the first difference in (name, actual, expected), or None."""
    messages = (difference(actual, expected, name) for name, actual, expected in parts)
    return next((message for message in messages if message), None)


def _join(name: str, field: Any) -> str:
    return f"{name}.{field}" if name else str(field)


def _message(name: str, actual: Any, expected: Any) -> str:
    return f"{name}: {_text(actual)} != {_text(expected)}"


def _text(value: Any) -> str:
    text = "nothing" if value is _MISSING else repr(value.item() if isinstance(value, np.generic) else value)
    return text if len(text) <= _MAX_LENGTH else f"{text[: _MAX_LENGTH - 3]}..."


def assert_same(actual: Any, expected: Any, name: str) -> None:
    """Assert that two values are equal; the message is their `difference`."""
    __tracebackhide__ = True
    message = difference(actual, expected, name)
    if message is not None:
        raise AssertionError(message)


def assert_same_observation(actual: Observation, expected: Observation) -> None:
    """Assert that two observations have equal bytes and texts; the message names the seat and the field."""
    __tracebackhide__ = True
    seat = f"seat {expected.player}"
    if actual.to_bytes() != expected.to_bytes():
        for field in ("player", "legal_actions", "record", "origin", "first", "events"):
            assert_same(getattr(actual, field), getattr(expected, field), f"{seat}, {field}")
        raise AssertionError(f"{seat}: all fields are equal, but not the bytes")
    assert_same(actual.to_dict(), expected.to_dict(), f"{seat}, to_dict")


def assert_same_round(actual: State, expected: State, name: str) -> None:
    """Assert that two rounds have equal histories and positions; the message names the event or the field."""
    __tracebackhide__ = True
    if actual.history() != expected.history():
        lines = [[state.game.event_to_string(row) for row in state.history()] for state in (actual, expected)]
        assert_same_events(*lines, name)
        assert_same(actual.history(), expected.history(), f"{name}, history")
    ply = sum(row[0] == ACTION for row in expected.history())
    assert_same(actual.to_dict(), expected.to_dict(), f"{name}, ply {ply}")


def assert_same_events(actual: Sequence[str], expected: Sequence[str], name: str) -> None:
    """Assert that two rounds, one line for each event, are equal.

    The message has the number of the line, from 1, and the number of decisions before it.
    """
    __tracebackhide__ = True
    ply = 0
    for number, (line, expected_line) in enumerate(zip_longest(actual, expected, fillvalue=_MISSING), 1):
        if line != expected_line:
            raise AssertionError(_message(f"{name} line {number}, ply {ply}", line, expected_line))
        ply += line.startswith("seat ") and ": " in line  # a decision, such as `seat 1: r5`


def assert_same_transcript(actual: str, golden: Path) -> None:
    """Assert that a transcript, one line for each event, equals a golden file (`assert_same_events`)."""
    __tracebackhide__ = True
    expected = golden.read_text(encoding="utf-8")
    assert_same_events(actual.splitlines(), expected.splitlines(), golden.name)
    assert actual == expected, f"{golden.name}: all lines are equal, but not their line ends"


def assert_same_counts(actual: Sequence[int], expected: Sequence[int], name: str) -> None:
    """Assert that numbers of action sequences are equal at each depth, from 1; the message names the depth."""
    __tracebackhide__ = True
    for depth, (count, expected_count) in enumerate(zip_longest(actual, expected, fillvalue=_MISSING), 1):
        if count != expected_count:
            raise AssertionError(_message(f"{name}, action sequences at depth {depth}", count, expected_count))
