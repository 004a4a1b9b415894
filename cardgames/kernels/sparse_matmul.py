"""Sparse matrix product, for perceptrons on sparse inputs: sums of selected rows of a matrix, each times a scale.

The loops are written as LLVM vector code, which keeps a sum in registers over a block of rows. LLVM's own vectorization
reads and writes the sum once for every few rows; for 64 columns that is 1.8 times slower. The order of the additions is
part of the definition, so that results are the same everywhere.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, overload
from numpy.typing import NDArray

from cardgames.kernels.jit import njit

LANES = 16  # float32 numbers in a cache line, which is also the widest register; rows are padded to a multiple of it
ROWS = 4  # number of rows that are added to one another before they are added to the sum
_VECTORS = 4  # registers that hold sums at a time, enough to hide the latency of an addition
_BLOCK = 64  # least number of rows of a panel in a block: they take 16 KB, half of the L1 cache
_VISIT = 12  # least number of entries of a list in a block, on average; blocks of sparse lists have more rows
_SUMS = 64  # number of sums that process a block before the next block
PANEL = LANES * _VECTORS  # columns summed at a time; those of a thousand rows take 256 KB, which fits the L2 cache

VECTOR = ir.VectorType(ir.FloatType(), LANES)
"""LLVM type of a vector register with `LANES` float32 numbers."""

_WORD = ir.IntType(64)


@njit
def padded_size(n):
    """Return `n` rounded up to a multiple of `LANES`."""
    return (n + LANES - 1) // LANES * LANES


def aligned(array: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return a copy of a flat array whose memory begins at a cache line.

    Rows that straddle cache lines make kernels a fifth slower.
    """
    space = np.empty(len(array) + LANES, np.float32)
    skip = -(space.ctypes.data // array.itemsize) % LANES
    copy = space[skip : skip + len(array)]
    copy[:] = array
    return copy


def to_panels(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return a matrix [n, multiple of `LANES`] as flat panels: the first `PANEL` columns of all rows, then the next."""
    return np.concatenate([rows[:, start : start + PANEL].ravel() for start in range(0, rows.shape[1], PANEL)])


def from_panels(flat: NDArray[np.float32], count: int) -> NDArray[np.float32]:
    """Return the two-dimensional matrix of `count` rows from its flat array of panels (the inverse of `to_panels`)."""
    size = count * PANEL
    return np.hstack([flat[start : start + size].reshape(count, -1) for start in range(0, len(flat), size)])


def add_rows(matrix: Any, count: int, indices: Any, scale: Any, lengths: Any, out: Any) -> None:
    """Add to each `out[k]` the sum of the rows `indices[k, :lengths[k]]` of a matrix, each times its scale.

    One call computes many sums, since an array view for each sum would cost more than adding its rows. It is fastest if
    the indices of each sum ascend, because all sums then read the same few rows at a time; the result does not depend
    on it.

    Args:
        matrix: Flat matrix of `count` rows in panels (`to_panels`), float32.
        count: Number of rows of the matrix.
        indices: Row indices of each sum, unsigned integers [sums, capacity]. The capacity is at least `ROWS` more than
            the greatest of `lengths`; the `ROWS` entries after the indices of each sum are overwritten.
        scale: Scale of each of these rows, float32, same shape; overwritten at the same places.
        lengths: Number of rows in each sum, int64 [sums].
        out: The sums, float32 [sums, multiple of `LANES`], changed in place. Each row is contiguous.
    """
    rows = from_panels(matrix, count)
    for k, n in enumerate(lengths):
        indices[k, n : n + ROWS], scale[k, n : n + ROWS] = 0, 0
        for i in range(0, n, ROWS):
            a, b, c, d = (scale[k, i + j] * rows[indices[k, i + j]] for j in range(ROWS))
            out[k] += (a + b) + (c + d)


@overload(add_rows)
def _add_rows(matrix, count, indices, scale, lengths, out):
    def add(matrix, count, indices, scale, lengths, out):
        for k in range(len(lengths)):
            for i in range(lengths[k], lengths[k] + ROWS):
                indices[k, i], scale[k, i] = 0, 0
        _sum(matrix, types.int64(count), indices, scale, lengths, out)

    return add


@intrinsic
def _sum(typingctx: Any, matrix: Any, count: Any, indices: Any, scale: Any, lengths: Any, out: Any) -> Any:
    if (
        any(array.layout != "C" for array in (matrix, indices, scale, lengths))
        or out.layout == "F"
        or indices.dtype.signed
    ):
        return None
    if any(array.dtype != types.float32 for array in (matrix, scale, out)) or lengths.dtype != types.int64:
        return None
    if (matrix.ndim, indices.ndim, scale.ndim, lengths.ndim, out.ndim) != (1, 2, 2, 1, 2):
        return None

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        rows, indices, scales, counts, sums = (
            context.make_array(kind)(context, builder, value)
            for kind, value in zip(signature.args, args, strict=True)
            if kind != count
        )
        num_sums, width = cgutils.unpack_tuple(builder, sums.shape)
        generator = _Sums(builder, rows.data, args[1], indices, scales, counts.data, sums, width)
        with cgutils.for_range_slice(builder, _WORD(0), num_sums, _WORD(_SUMS), _WORD) as (first, _):
            last = _smaller(builder, builder.add(first, _WORD(_SUMS)), num_sums)
            block = generator.block(first, last)
            with cgutils.for_range_slice(builder, _WORD(0), width, _WORD(PANEL), _WORD) as (column, _):
                generator.through_panel(first, last, column, block)
        return context.get_dummy_value()

    return types.void(matrix, count, indices, scale, lengths, out), codegen


def row_of(builder: Any, array: Any, k: Any) -> Any:
    """Generate LLVM code for a pointer to row `k` of a two-dimensional array, whose rows may lie apart in memory."""
    start = builder.mul(k, cgutils.unpack_tuple(builder, array.strides)[0])
    pointer = builder.gep(builder.bitcast(array.data, ir.IntType(8).as_pointer()), [start])
    return builder.bitcast(pointer, array.data.type)


class _Sums:
    """Generator of the LLVM code of `add_rows` for one panel (64 columns of the matrix).

    The code loops over blocks of matrix rows, and for each block over the sums.
    """

    def __init__(
        self, builder: Any, rows: Any, count: Any, indices: Any, scales: Any, counts: Any, sums: Any, width: Any
    ):
        self.builder, self.rows, self.count, self.width = builder, rows, count, width
        self.indices, self.scales, self.counts, self.sums = indices, scales, counts, sums
        self.done = cgutils.alloca_once(builder, _WORD, _SUMS)

    def block(self, first: Any, last: Any) -> Any:
        """Return the number of matrix rows in a block, for the sums from `first` to `last` (exclusive).

        It is `_BLOCK`, or more if these sums have so few rows that a block would hold less than `_VISIT` of each on average.
        """
        builder, total = self.builder, cgutils.alloca_once_value(self.builder, _WORD(1))
        with cgutils.for_range_slice(builder, first, last, _WORD(1), _WORD) as (k, _):
            n = builder.load(builder.gep(self.counts, [k]))
            builder.store(builder.add(builder.load(total), n), total)
        wanted = builder.mul(self.count, builder.mul(_WORD(_VISIT), builder.sub(last, first)))
        rows = builder.sdiv(wanted, builder.load(total))
        return builder.select(builder.icmp_signed(">", rows, _WORD(_BLOCK)), rows, _WORD(_BLOCK))

    def through_panel(self, first: Any, last: Any, column: Any, block_rows: Any) -> None:
        """Generate the loops that compute the sums from `first` to `last` (exclusive) in one panel of the matrix.

        The panel consists of the `PANEL` columns from `column` on; its rows are processed in blocks of `block_rows`.
        """
        builder = self.builder
        with cgutils.for_range_slice(builder, first, last, _WORD(1), _WORD) as (k, _):
            builder.store(_WORD(0), self.done_of(k, first))
        left = builder.sub(self.width, column)
        full = builder.icmp_signed(">=", left, _WORD(PANEL))
        wide, whole = builder.select(full, _WORD(PANEL), left), builder.select(full, _WORD(PANEL), _WORD(0))
        panel = builder.gep(self.rows, [builder.mul(self.count, column)])
        with cgutils.for_range_slice(builder, _WORD(0), self.count, block_rows, _WORD) as (block, _):
            limit = builder.add(block, block_rows)
            with cgutils.for_range_slice(builder, first, last, _WORD(1), _WORD) as (k, _):
                row_indices, row_scales, total = (
                    row_of(builder, array, k) for array in (self.indices, self.scales, self.sums)
                )
                n = builder.load(builder.gep(self.counts, [k]))
                total = builder.gep(total, [column])
                emit = _Emitter(builder, panel, row_indices, row_scales, n, limit, self.done_of(k, first), total, wide)
                emit.columns(_WORD(0), whole, _VECTORS)
                emit.columns(whole, wide, 1)
                builder.store(emit.reached, self.done_of(k, first))

    def done_of(self, k: Any, first: Any) -> Any:
        """Return a pointer to the number of rows already added to sum `k`; `first` is the first sum of this pass."""
        return self.builder.gep(self.done, [self.builder.sub(k, first)])


class _Emitter:
    """Generator of the LLVM code that adds the matrix rows of one block to one sum of `add_rows`.

    The outer loop is over columns, some vector registers at a time, the inner one over the rows to add.
    """

    def __init__(
        self, builder: Any, rows: Any, indices: Any, scales: Any, n: Any, limit: Any, done: Any, sums: Any, width: Any
    ):
        self.builder, self.rows, self.indices, self.scales = builder, rows, indices, scales
        self.n, self.limit, self.done, self.sums, self.width = n, limit, done, sums, width
        self.at = cgutils.alloca_once(builder, _WORD)
        builder.store(builder.load(done), self.at)

    @property
    def reached(self) -> Any:
        """Index, among the rows to add, of the first one that the last loop did not add (an LLVM value)."""
        return self.builder.load(self.at)

    def columns(self, start: Any, stop: Any, vectors: int) -> None:
        """Generate the loop that adds the block's rows in columns `start` to `stop`, `vectors` registers at a time."""
        builder = self.builder
        registers = [cgutils.alloca_once(builder, VECTOR) for _ in range(vectors)]
        with cgutils.for_range_slice(builder, start, stop, _WORD(LANES * vectors), _WORD) as (column, _):
            for k, place in enumerate(registers):
                builder.store(self.vector(self.sums, builder.add(column, _WORD(k * LANES))), place)
            with self.groups() as first:
                rows = [self.scaled(builder.add(first, _WORD(i)), column) for i in range(ROWS)]
                for k, place in enumerate(registers):
                    a, b, c, d = (self.term(scale, at, k) for scale, at in rows)
                    group = builder.fadd(builder.fadd(a, b), builder.fadd(c, d))
                    builder.store(builder.fadd(builder.load(place), group), place)
            for k, place in enumerate(registers):
                target = self.pointer(self.sums, builder.add(column, _WORD(k * LANES)))
                builder.store(builder.load(place), target, align=4)

    @contextmanager
    def groups(self) -> Iterator[Any]:
        """Generate a loop around the code of the `with` body; each turn yields the index of the next `ROWS` rows to add.

        The loop ends at the end of the sum's row indices, or when a group begins with a row beyond the block.
        """
        builder = self.builder
        head, body, after = (builder.append_basic_block(name) for name in ("group", "group.body", "group.end"))
        builder.store(builder.load(self.done), self.at)
        builder.branch(head)
        builder.position_at_end(head)
        first = builder.load(self.at)
        below = builder.icmp_signed("<", self.row_index(first), self.limit)
        builder.cbranch(builder.and_(builder.icmp_signed("<", first, self.n), below), body, after)
        builder.position_at_end(body)
        yield first
        builder.store(builder.add(first, _WORD(ROWS)), self.at)
        builder.branch(head)
        builder.position_at_end(after)

    def row_index(self, i: Any) -> Any:
        """Return the index in the matrix of the `i`-th row to add (an LLVM value)."""
        return self.builder.zext(self.builder.load(self.builder.gep(self.indices, [i])), _WORD)

    def scaled(self, i: Any, column: Any) -> tuple[Any, Any]:
        """Return the scale of the `i`-th row to add, in all lanes of a vector, and the offset of its number at `column`."""
        builder = self.builder
        scale = builder.load(builder.gep(self.scales, [i]))
        at = builder.add(builder.mul(self.row_index(i), self.width), column)
        one = builder.insert_element(ir.Constant(VECTOR, ir.Undefined), scale, ir.IntType(32)(0))
        same = builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES))
        return same, at

    def term(self, scale: Any, at: Any, k: int) -> Any:
        """Return the `k`-th vector (`LANES` numbers) from the offset `at` of a matrix row on, times `scale`."""
        builder = self.builder
        return builder.fmul(scale, self.vector(self.rows, builder.add(at, _WORD(k * LANES))))

    def vector(self, base: Any, at: Any) -> Any:
        return self.builder.load(self.pointer(base, at), align=4)

    def pointer(self, base: Any, at: Any) -> Any:
        return self.builder.bitcast(self.builder.gep(base, [at]), VECTOR.as_pointer())


def _smaller(builder: Any, a: Any, b: Any) -> Any:
    return builder.select(builder.icmp_signed("<", a, b), a, b)
