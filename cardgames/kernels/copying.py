"""`copy_record` and `copy_row`: fast copies of records (structured scalars) and of rows of an array, in kernels too."""

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, overload

from cardgames.kernels.jit import njit


@intrinsic
def _copy(typingctx: Any, target: Any, source: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        size = ir.Constant(ir.IntType(64), signature.args[0].size)
        cgutils.raw_memcpy(builder, args[0], args[1], size, ir.Constant(ir.IntType(64), 1))
        return context.get_dummy_value()

    return types.void(target, source), codegen


def copy_record(target: Any, source: Any) -> None:
    """Overwrite the record `target` with `source`, a record of the same dtype."""
    for field in source.dtype.names:
        target[field] = source[field]


@overload(copy_record)
def _copy_record(target, source):
    if isinstance(target, types.Record) and target == source:
        return lambda target, source: _copy(target, source)
    return None


@njit
def copy_row(target, source):
    """Overwrite the array `target` [n] with the first n numbers of `source`, which must have at least n (not checked).

    `target[:] = source` would check the lengths, but compiling its error message takes seconds at the first call.
    """
    for i in range(len(target)):
        target[i] = source[i]
