"""Structured dtypes whose scalars show their fields as attributes, in Python as in kernels.

Those of `np.record` do too, by a detour through Python that takes eight times as long.
"""

import copyreg
from collections.abc import Callable
from importlib import import_module
from operator import itemgetter
from typing import Any

import numpy as np

from cardgames.support.errors import InvalidInput

_RESERVED = "copy", "data", "dtype", "tobytes"
"""What records answer themselves, and kernels go by."""


class _RecordClass(type):
    """Of the scalars' classes, which other processes find by their dtype."""


def _load_class(module: str, name: str) -> Any:
    return getattr(import_module(module), name).type


copyreg.pickle(_RecordClass, lambda kind: (_load_class, (kind.__module__, kind.__qualname__)))


def record_type(module: str, name: str, fields: Any, align: bool = False) -> np.dtype[Any]:
    """Return the structured dtype of `fields` (anything `np.dtype` takes) that `module` keeps as `name`, where copies of
    its scalars in other processes find it. Raises `InvalidInput` for a field of a name that records have themselves.
    """
    layout = np.dtype(fields, align=align)
    if taken := sorted(set(_RESERVED) & set(layout.names or ())):
        raise InvalidInput(f"no field of a record is called {' or '.join(taken)}")
    shown = {field: property(itemgetter(field), _setter(field)) for field in layout.names or ()}
    place = {"__slots__": (), "__module__": module, "__qualname__": name}
    quick = {"copy": _copy, "data": property(_as_buffer)}
    return np.dtype((_RecordClass(name, (np.void,), place | quick | shown), layout))


def new_record(dtype: np.dtype[Any]) -> Any:
    """Return a scalar of a structured dtype, all zeros, with memory of its own."""
    return np.frombuffer(bytearray(dtype.itemsize), dtype)[0]


def _copy(record: Any) -> Any:
    """Return an independent copy, made at once: numpy's own goes from field to field."""
    return np.frombuffer(bytearray(record.tobytes()), record.dtype)[0]


def _as_buffer(record: Any) -> Any:
    """Return the record as the buffer of its memory, which kernels ask for: numpy's own `data` first describes all fields,
    six microseconds a call.
    """
    return record


def _setter(field: str) -> Callable[[Any, Any], None]:
    def assign(record: Any, value: Any) -> None:
        record[field] = value

    return assign
