"""Bit tricks on 64-bit words, as single machine instructions inside kernels and as plain Python outside."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic, overload

from cardgames.core.jit import njit

ONE = np.uint64(1)


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


@njit
def nth_bit(word, n):
    """Return the index of the n-th set bit of `word`, counted from the lowest (n = 0)."""
    for _ in range(n):
        word &= word - ONE
    return lowest_bit(word)
