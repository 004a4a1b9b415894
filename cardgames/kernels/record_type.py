"""Record types: structured dtypes whose scalars have their fields as attributes, in Python and in kernels.

`np.record` offers the same, but takes eight times as long for an attribute.
"""

import copyreg
from collections.abc import Callable
from importlib import import_module
from operator import itemgetter
from typing import Any

import numpy as np

from cardgames.support.errors import InvalidInput

_RESERVED = "copy", "data", "dtype", "tobytes"
"""Names that cannot be fields, because kernels and callers use these attributes of a record."""


class _RecordClass(type):
    """Metaclass of the scalar classes of record types; with it a class is pickled by module and name of its dtype."""


def _load_class(module: str, name: str) -> Any:
    return getattr(import_module(module), name).type


copyreg.pickle(_RecordClass, lambda kind: (_load_class, (kind.__module__, kind.__qualname__)))


def record_type(module: str, name: str, fields: Any, align: bool = False) -> np.dtype[Any]:
    """Return a structured dtype whose scalars have their fields as attributes.

    Args:
        module: Name of the module that stores the dtype, usually `__name__`.
        name: Name of the variable that stores it there, needed for unpickling in other processes.
        fields: Fields, in any form that `np.dtype` takes.
        align: Whether to align the fields as a C compiler does.

    Raises:
        InvalidInput: If a field has a reserved name: `copy`, `data`, `dtype` or `tobytes`.
    """
    layout = np.dtype(fields, align=align)
    if taken := sorted(set(_RESERVED) & set(layout.names or ())):
        raise InvalidInput(f"a field of a record cannot be called {' or '.join(taken)}")
    properties = {field: property(itemgetter(field), _setter(field)) for field in layout.names or ()}
    location = {"__slots__": (), "__module__": module, "__qualname__": name}
    methods = {"copy": _copy, "data": property(_as_buffer)}
    return np.dtype((_RecordClass(name, (np.void,), location | methods | properties), layout))


def new_record(dtype: np.dtype[Any]) -> Any:
    """Return a record of a dtype, all zeros, with its own memory."""
    return np.frombuffer(bytearray(dtype.itemsize), dtype)[0]


def _copy(record: Any) -> Any:
    """Return an independent copy of a record, made as one block of bytes (NumPy's own method copies field by field)."""
    return np.frombuffer(bytearray(record.tobytes()), record.dtype)[0]


def _as_buffer(record: Any) -> Any:
    """Return the record itself as its attribute `data`, the buffer from which Numba takes the argument of a kernel.

    NumPy's own `data` describes all fields first, which takes six microseconds at each call.
    """
    return record


def _setter(field: str) -> Callable[[Any, Any], None]:
    def assign(record: Any, value: Any) -> None:
        record[field] = value

    return assign
