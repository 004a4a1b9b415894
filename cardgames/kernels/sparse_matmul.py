"""The sum of some rows of a matrix, each times its scale: what perceptrons on sparse inputs consist of.

Written in LLVM's vectors, since the compiler, left alone, reads and writes the sum once for every few rows. So it stays
in registers over a block of them: for 64 columns 1.8 times as quick. The order of additions is part of the definition.
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

LANES = 16  # a row is padded to whole cache lines, which are also the widest registers
ROWS = 4  # rows added to each other before they are added to the sum
_VECTORS = 4  # registers for sums at once, enough for an addition to be ready when the next one needs it
_BLOCK = 64  # rows of a panel gone through by all sums before the next ones: these take 16 KB, half of the first cache
_VISIT = 12  # entries of a sum's list, on average, that are worth going to a block
_SUMS = 64  # sums that go through them together
PANEL = LANES * _VECTORS  # columns summed at once; those of a thousand rows take 256 KB, which fits the second cache

VECTOR = ir.VectorType(ir.FloatType(), LANES)
"""A register full, as LLVM has it."""

_WORD = ir.IntType(64)


@njit
def padded_size(n):
    """Return `n` rounded up to whole `LANES`."""
    return (n + LANES - 1) // LANES * LANES


def aligned(array: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return a copy that begins at a cache line; rows across two of them cost a fifth of the speed."""
    space = np.empty(len(array) + LANES, np.float32)
    skip = -(space.ctypes.data // array.itemsize) % LANES
    copy = space[skip : skip + len(array)]
    copy[:] = array
    return copy


def to_panels(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return rows of whole `LANES` laid flat: `PANEL` columns of all, one row after the other, then the next ones."""
    return np.concatenate([rows[:, start : start + PANEL].ravel() for start in range(0, rows.shape[1], PANEL)])


def from_panels(flat: NDArray[np.float32], count: int) -> NDArray[np.float32]:
    """Return the `count` rows that `to_panels` laid flat."""
    size = count * PANEL
    return np.hstack([flat[start : start + size].reshape(count, -1) for start in range(0, len(flat), size)])


def add_rows(matrix: Any, count: int, indices: Any, scale: Any, lengths: Any, out: Any) -> None:
    """Add to each `out[k]` the sum of the rows `which[k, :number[k]]` of `matrix`, each times its `scale`.

    `matrix` is flat, `count` rows in panels (`to_panels`); `indices` unsigned and `scale` [sums, ROWS or more longer than any
    list], the end of which is written; `lengths` int64 [sums]; `out` [sums, whole `LANES`], each row without gaps; all but
    `indices` and `lengths` float32. One call makes many sums: a view of an array for each would cost more than its rows. Lists
    that ascend are quickest, since all sums go through a few rows together; the result is the same in any case.
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
        rows, numbers, scales, counts, sums = (
            context.make_array(kind)(context, builder, value)
            for kind, value in zip(signature.args, args, strict=True)
            if kind != count
        )
        many, width = cgutils.unpack_tuple(builder, sums.shape)
        sums_at_once = _Sums(builder, rows.data, args[1], numbers, scales, counts.data, sums, width)
        with cgutils.for_range_slice(builder, _WORD(0), many, _WORD(_SUMS), _WORD) as (first, _):
            last = _least(builder, builder.add(first, _WORD(_SUMS)), many)
            block = sums_at_once.block(first, last)
            with cgutils.for_range_slice(builder, _WORD(0), width, _WORD(PANEL), _WORD) as (column, _):
                sums_at_once.through_panel(first, last, column, block)
        return context.get_dummy_value()

    return types.void(matrix, count, indices, scale, lengths, out), codegen


def row_of(builder: Any, array: Any, k: Any) -> Any:
    """Return where row `k` of a 2-dimensional array begins; rows need not lie one after the other."""
    start = builder.mul(k, cgutils.unpack_tuple(builder, array.strides)[0])
    place = builder.gep(builder.bitcast(array.data, ir.IntType(8).as_pointer()), [start])
    return builder.bitcast(place, array.data.type)


class _Sums:
    """Writes the loops of `add_rows` over one panel: through its rows block by block, all sums from each before the next."""

    def __init__(
        self, builder: Any, rows: Any, count: Any, numbers: Any, scales: Any, counts: Any, sums: Any, width: Any
    ):
        self.builder, self.rows, self.count, self.width = builder, rows, count, width
        self.numbers, self.scales, self.counts, self.sums = numbers, scales, counts, sums
        self.done = cgutils.alloca_once(builder, _WORD, _SUMS)

    def block(self, first: Any, last: Any) -> Any:
        """Return through how many rows the sums from `first` up to `last` go together: more than `_BLOCK` where so few would
        hold less than `_VISIT` of a list.
        """
        builder, found = self.builder, cgutils.alloca_once_value(self.builder, _WORD(1))
        with cgutils.for_range_slice(builder, first, last, _WORD(1), _WORD) as (k, _):
            n = builder.load(builder.gep(self.counts, [k]))
            builder.store(builder.add(builder.load(found), n), found)
        wanted = builder.mul(self.count, builder.mul(_WORD(_VISIT), builder.sub(last, first)))
        rows = builder.sdiv(wanted, builder.load(found))
        return builder.select(builder.icmp_signed(">", rows, _WORD(_BLOCK)), rows, _WORD(_BLOCK))

    def through_panel(self, first: Any, last: Any, column: Any, block_rows: Any) -> None:
        """Sum up what lies in the panel that begins at `column`, for the sums from `first` up to `last`, so many rows at a
        time.
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
                numbered, scaled, total = (
                    row_of(builder, array, k) for array in (self.numbers, self.scales, self.sums)
                )
                n = builder.load(builder.gep(self.counts, [k]))
                total = builder.gep(total, [column])
                emit = _Emitter(builder, panel, numbered, scaled, n, limit, self.done_of(k, first), total, wide)
                emit.columns(_WORD(0), whole, _VECTORS)
                emit.columns(whole, wide, 1)
                builder.store(emit.reached, self.done_of(k, first))

    def done_of(self, k: Any, first: Any) -> Any:
        """Return where it is kept how much of a sum's list is added up."""
        return self.builder.gep(self.done, [self.builder.sub(k, first)])


class _Emitter:
    """Writes the loops of one sum of `add_rows` over a block: over columns, so many vectors at once, and within over the
    rows.
    """

    def __init__(
        self, builder: Any, rows: Any, numbers: Any, scales: Any, n: Any, limit: Any, done: Any, sums: Any, width: Any
    ):
        self.builder, self.rows, self.numbers, self.scales = builder, rows, numbers, scales
        self.n, self.limit, self.done, self.sums, self.width = n, limit, done, sums, width
        self.at = cgutils.alloca_once(builder, _WORD)
        builder.store(builder.load(done), self.at)

    @property
    def reached(self) -> Any:
        """Where in the list the last loop ended."""
        return self.builder.load(self.at)

    def columns(self, start: Any, stop: Any, vectors: int) -> None:
        builder = self.builder
        kept = [cgutils.alloca_once(builder, VECTOR) for _ in range(vectors)]
        with cgutils.for_range_slice(builder, start, stop, _WORD(LANES * vectors), _WORD) as (column, _):
            for k, place in enumerate(kept):
                builder.store(self.vector(self.sums, builder.add(column, _WORD(k * LANES))), place)
            with self.groups() as first:
                rows = [self.scaled(builder.add(first, _WORD(i)), column) for i in range(ROWS)]
                for k, place in enumerate(kept):
                    a, b, c, d = (self.term(scale, at, k) for scale, at in rows)
                    group = builder.fadd(builder.fadd(a, b), builder.fadd(c, d))
                    builder.store(builder.fadd(builder.load(place), group), place)
            for k, place in enumerate(kept):
                target = self.pointer(self.sums, builder.add(column, _WORD(k * LANES)))
                builder.store(builder.load(place), target, align=4)

    @contextmanager
    def groups(self) -> Iterator[Any]:
        """Loop over groups of `ROWS` in the list that begin below the block's limit."""
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
        """Return which row the list has at `i`."""
        return self.builder.zext(self.builder.load(self.builder.gep(self.numbers, [i])), _WORD)

    def scaled(self, i: Any, column: Any) -> tuple[Any, Any]:
        """Return the scale of a row, in all lanes, and where the row is."""
        builder = self.builder
        scale = builder.load(builder.gep(self.scales, [i]))
        at = builder.add(builder.mul(self.row_index(i), self.width), column)
        one = builder.insert_element(ir.Constant(VECTOR, ir.Undefined), scale, ir.IntType(32)(0))
        same = builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES))
        return same, at

    def term(self, scale: Any, at: Any, k: int) -> Any:
        """Return vector `k` of a row times its scale."""
        builder = self.builder
        return builder.fmul(scale, self.vector(self.rows, builder.add(at, _WORD(k * LANES))))

    def vector(self, base: Any, at: Any) -> Any:
        return self.builder.load(self.pointer(base, at), align=4)

    def pointer(self, base: Any, at: Any) -> Any:
        return self.builder.bitcast(self.builder.gep(base, [at]), VECTOR.as_pointer())


def _least(builder: Any, a: Any, b: Any) -> Any:
    return builder.select(builder.icmp_signed("<", a, b), a, b)
