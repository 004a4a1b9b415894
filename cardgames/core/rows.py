"""The sum of some rows of a matrix, each times its scale: what perceptrons on sparse inputs consist of.

Written in LLVM's vectors, since the compiler, left alone, reads and writes the sum once for every few rows. So it stays
in registers over all of them: for 64 columns 1.8 times as quick. The order of additions is part of the definition.
"""

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, overload

from cardgames.core.jit import njit

LANES = 16  # a row is padded to whole cache lines, which are also the widest registers
ROWS = 4  # rows added to each other before they are added to the sum
_VECTORS = 4  # registers for sums at once, enough for an addition to be ready when the next one needs it

_WORD = ir.IntType(64)
_VECTOR = ir.VectorType(ir.FloatType(), LANES)


@njit
def padded(n):
    """Return `n` rounded up to whole `LANES`."""
    return (n + LANES - 1) // LANES * LANES


def add_rows(matrix: Any, which: Any, scale: Any, n: int, out: Any) -> None:
    """Add to `out` the sum of the rows `which[:n]` of the flat `matrix`, each times its `scale`.

    `out` is as long as a row, whole `LANES`; all are float32 but `which`, unsigned. Both lists have room for `ROWS` more.
    """
    which[n : n + ROWS], scale[n : n + ROWS] = 0, 0
    rows = matrix.reshape(-1, len(out))
    for i in range(0, n, ROWS):
        a, b, c, d = (scale[i + k] * rows[which[i + k]] for k in range(ROWS))
        out += (a + b) + (c + d)


@overload(add_rows)
def _add_rows(matrix, which, scale, n, out):
    def add(matrix, which, scale, n, out):
        for i in range(n, n + ROWS):
            which[i], scale[i] = 0, 0
        _sum(matrix, which, scale, types.int64(n), out)

    return add


@intrinsic
def _sum(typingctx: Any, matrix: Any, which: Any, scale: Any, n: Any, out: Any) -> Any:
    arrays = (matrix, which, scale, out)
    if any(array.layout != "C" or array.ndim != 1 for array in arrays) or which.dtype.signed:
        return None
    if any(array.dtype != types.float32 for array in (matrix, scale, out)):
        return None

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        arrays = [
            context.make_array(t)(context, builder, v) for t, v in zip(signature.args, args, strict=True) if t != n
        ]
        rows, numbers, scales, sums = (array.data for array in arrays)
        width = builder.extract_value(arrays[3].shape, 0)
        whole = builder.and_(width, _WORD(-LANES * _VECTORS))
        emit = _Emitter(builder, rows, numbers, scales, args[3], sums, width)
        emit.columns(_WORD(0), whole, _VECTORS)
        emit.columns(whole, width, 1)
        return context.get_dummy_value()

    return types.void(matrix, which, scale, n, out), codegen


class _Emitter:
    """Writes the loops of `add_rows`: over columns, so many vectors at once, and within over the rows."""

    def __init__(self, builder: Any, rows: Any, numbers: Any, scales: Any, n: Any, sums: Any, width: Any):
        self.builder, self.rows, self.numbers, self.scales = builder, rows, numbers, scales
        self.n, self.sums, self.width = n, sums, width

    def columns(self, start: Any, stop: Any, vectors: int) -> None:
        builder = self.builder
        kept = [cgutils.alloca_once(builder, _VECTOR) for _ in range(vectors)]
        with cgutils.for_range_slice(builder, start, stop, _WORD(LANES * vectors), _WORD) as (column, _):
            for k, place in enumerate(kept):
                builder.store(self.vector(self.sums, builder.add(column, _WORD(k * LANES))), place)
            with cgutils.for_range_slice(builder, _WORD(0), self.n, _WORD(ROWS), _WORD) as (first, _):
                terms = [self.term(builder.add(first, _WORD(i)), column, vectors) for i in range(ROWS)]
                for place, (a, b, c, d) in zip(kept, zip(*terms, strict=True), strict=True):
                    group = builder.fadd(builder.fadd(a, b), builder.fadd(c, d))
                    builder.store(builder.fadd(builder.load(place), group), place)
            for k, place in enumerate(kept):
                target = self.pointer(self.sums, builder.add(column, _WORD(k * LANES)))
                builder.store(builder.load(place), target, align=4)

    def term(self, i: Any, column: Any, vectors: int) -> list[Any]:
        """Return vectors of a row times its scale."""
        builder = self.builder
        number = builder.zext(builder.load(builder.gep(self.numbers, [i])), _WORD)
        scale = builder.load(builder.gep(self.scales, [i]))
        at = builder.add(builder.mul(number, self.width), column)
        one = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), scale, ir.IntType(32)(0))
        same = builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES))
        return [builder.fmul(same, self.vector(self.rows, builder.add(at, _WORD(k * LANES)))) for k in range(vectors)]

    def vector(self, base: Any, at: Any) -> Any:
        return self.builder.load(self.pointer(base, at), align=4)

    def pointer(self, base: Any, at: Any) -> Any:
        return self.builder.bitcast(self.builder.gep(base, [at]), _VECTOR.as_pointer())
