"""Structured dtypes whose scalars show their fields as attributes, in Python as in kernels.

Those of `np.record` do too, by a detour through Python that takes eight times as long.
"""

from collections.abc import Callable
from operator import itemgetter
from typing import Any

import numpy as np


def record_type(module: str, name: str, fields: Any, align: bool = False) -> np.dtype[Any]:
    """Return the structured dtype of `fields` (anything `np.dtype` takes) that `module` keeps as `name`, where copies of
    its scalars in other processes find it.
    """
    layout = np.dtype(fields, align=align)
    shown = {field: property(itemgetter(field), _setter(field)) for field in layout.names or ()}
    place = {"__slots__": (), "__module__": module, "__qualname__": f"{name}.type"}
    quick = {"copy": _copied, "data": property(_itself)}
    return np.dtype((type(name, (np.void,), place | quick | shown), layout))


def new_record(dtype: np.dtype[Any]) -> Any:
    """Return a scalar of a structured dtype, all zeros, with memory of its own."""
    return np.frombuffer(bytearray(dtype.itemsize), dtype)[0]


def _copied(record: Any) -> Any:
    """Return an independent copy, made at once: numpy's own goes from field to field."""
    return np.frombuffer(bytearray(record.tobytes()), record.dtype)[0]


def _itself(record: Any) -> Any:
    """Return the record as the buffer of its memory, which kernels ask for: numpy's own `data` first describes all fields,
    six microseconds a call.
    """
    return record


def _setter(field: str) -> Callable[[Any, Any], None]:
    def assign(record: Any, value: Any) -> None:
        record[field] = value

    return assign
