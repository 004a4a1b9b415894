"""Transposing a matrix in squares that registers hold: many times as quick as one number after the other."""

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic, overload

from cardgames.kernels.sparse_matmul import row_of

_TILE = 8  # of a square: with 16 its lines would not fit the sixteen registers of AVX2
_HALF = _TILE // 2
_LINE = ir.VectorType(ir.FloatType(), _TILE)
_PICK = ir.VectorType(ir.IntType(32), _TILE)


def transpose(matrix: Any, out: Any) -> None:
    """Write `matrix` (float32 [n, m]) transposed into `out[:m, :n]` (float32). Rows have no gaps, but may have some between
    them.
    """
    out[: matrix.shape[1], : matrix.shape[0]] = matrix.T


@overload(transpose)
def _transpose(matrix, out):
    def turn(matrix, out):
        n, m = matrix.shape
        squares = n // _TILE * _TILE, m // _TILE * _TILE
        for i in range(0, squares[0], _TILE):
            for j in range(0, squares[1], _TILE):
                _transpose_tile(matrix, out, i, j)
        for i in range(n):
            for j in range(squares[1] if i < squares[0] else 0, m):
                out[j, i] = matrix[i, j]

    return turn


@intrinsic
def _transpose_tile(typingctx: Any, matrix: Any, out: Any, i: Any, j: Any) -> Any:
    if any((array.dtype, array.ndim) != (types.float32, 2) or array.layout == "F" for array in (matrix, out)):
        return None

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        def line(array: int, row: Any, column: Any, k: int) -> Any:
            found = context.make_array(signature.args[array])(context, builder, args[array])
            start = row_of(builder, found, builder.add(row, row.type(k)))
            return builder.bitcast(builder.gep(start, [column]), _LINE.as_pointer())

        _, _, row, column = args
        lines = [builder.load(line(0, row, column, k), align=4) for k in range(_TILE)]
        for k, turned in enumerate(_shuffled(builder, lines)):
            builder.store(turned, line(1, column, row, k), align=4)
        return context.get_dummy_value()

    return types.void(matrix, out, types.int64, types.int64), codegen


def _shuffled(builder: Any, lines: list[Any]) -> list[Any]:
    """Return the columns of the square whose rows are `lines`. Each pass interleaves the first half of the lines with the
    second; as many passes as a line's number has binary digits transpose.
    """
    low = ir.Constant(_PICK, [half + start for start in range(_HALF) for half in (0, _TILE)])
    high = ir.Constant(_PICK, [half + start for start in range(_HALF, _TILE) for half in (0, _TILE)])
    for _ in range(_TILE.bit_length() - 1):
        pairs = list(zip(lines[:_HALF], lines[_HALF:], strict=True))
        lines = [builder.shuffle_vector(*pair, pick) for pair in pairs for pick in (low, high)]
    return lines
