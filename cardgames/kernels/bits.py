"""Operations on the bits of 64-bit words: single machine instructions inside kernels, plain Python outside."""

from typing import Any

import numpy as np
from llvmlite import ir
from llvmlite.binding import get_host_cpu_features
from numba.core import cgutils, types
from numba.extending import intrinsic, overload

ONE, NONE = np.uint64(1), np.uint64(0)

_HAS_PDEP = get_host_cpu_features().get("bmi2", False)


@intrinsic
def _ctpop(typingctx: Any, word: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), codegen


@intrinsic
def _cttz(typingctx: Any, word: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.uint64(types.uint64), codegen


def popcount(word: int) -> int:
    """Return the number of set bits of a 64-bit word."""
    return int(word).bit_count()


@overload(popcount)
def _popcount(word):
    return lambda word: types.int64(_ctpop(types.uint64(word)))


def lowest_bit(word: int) -> int:
    """Return the index of the lowest set bit of a 64-bit word (64 if there is none)."""
    value = int(word)
    return (value & -value).bit_length() - 1 if value else 64


@overload(lowest_bit)
def _lowest_bit(word):
    return lambda word: types.int64(_cttz(types.uint64(word)))


@intrinsic
def _ctlz(typingctx: Any, word: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctlz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.uint64(types.uint64), codegen


def highest_bit(word: int) -> int:
    """Return the index of the highest set bit of a 64-bit word, which must not be 0."""
    return int(word).bit_length() - 1


@overload(highest_bit)
def _highest_bit(word):
    return lambda word: types.int64(_ctlz(types.uint64(word)) ^ types.uint64(63))


@intrinsic
def _pdep(typingctx: Any, source: Any, mask: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word = ir.IntType(64)
        kind = ir.FunctionType(word, [word, word])
        deposit = cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.bmi.pdep.64")
        return builder.call(deposit, args)

    return types.uint64(types.uint64, types.uint64), codegen


def nth_bit(word: int, n: int) -> int:
    """Return the index of the n-th set bit of a 64-bit word, counted from the lowest (n = 0)."""
    value = int(word)
    for _ in range(int(n)):
        value &= value - 1
    return lowest_bit(value)


def _nth_bit_by_pdep(word, n):
    return types.int64(_cttz(_pdep(ONE << types.uint64(n), types.uint64(word))))


def _nth_bit_by_clearing(word, n):
    rest = types.uint64(word)
    for _ in range(n):
        rest &= rest - ONE
    return types.int64(_cttz(rest))


@overload(nth_bit)
def _nth_bit(word, n):
    return _nth_bit_by_pdep if _HAS_PDEP else _nth_bit_by_clearing
