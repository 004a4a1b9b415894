"""`transpose`: matrix transpose for kernels, in 8 x 8 tiles that fit into registers, for speed."""

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic, overload

from cardgames.kernels.sparse_matmul import row_of

_TILE = 8  # rows and columns of a tile; with 16 its rows would not fit into the sixteen registers of AVX2
_HALF = _TILE // 2
_LINE = ir.VectorType(ir.FloatType(), _TILE)
_PICK = ir.VectorType(ir.IntType(32), _TILE)


def transpose(matrix: Any, out: Any) -> None:
    """Write the transpose of `matrix` (float32 [n, m]) into `out[:m, :n]` (float32).

    The numbers within a row must be contiguous in memory; the rows may lie apart.
    """
    out[: matrix.shape[1], : matrix.shape[0]] = matrix.T


@overload(transpose)
def _transpose(matrix, out):
    def transposed(matrix, out):
        n, m = matrix.shape
        tiled = n // _TILE * _TILE, m // _TILE * _TILE
        for i in range(0, tiled[0], _TILE):
            for j in range(0, tiled[1], _TILE):
                _transpose_tile(matrix, out, i, j)
        for i in range(n):
            for j in range(tiled[1] if i < tiled[0] else 0, m):
                out[j, i] = matrix[i, j]

    return transposed


@intrinsic
def _transpose_tile(typingctx: Any, matrix: Any, out: Any, i: Any, j: Any) -> Any:
    if any((array.dtype, array.ndim) != (types.float32, 2) or array.layout == "F" for array in (matrix, out)):
        return None

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        def line(array: int, row: Any, column: Any, k: int) -> Any:
            operand = context.make_array(signature.args[array])(context, builder, args[array])
            start = row_of(builder, operand, builder.add(row, row.type(k)))
            return builder.bitcast(builder.gep(start, [column]), _LINE.as_pointer())

        _, _, row, column = args
        lines = [builder.load(line(0, row, column, k), align=4) for k in range(_TILE)]
        for k, vector in enumerate(_shuffled(builder, lines)):
            builder.store(vector, line(1, column, row, k), align=4)
        return context.get_dummy_value()

    return types.void(matrix, out, types.int64, types.int64), codegen


def _shuffled(builder: Any, lines: list[Any]) -> list[Any]:
    """Return the columns of a tile, given its rows `lines` as LLVM vectors: transpose it in registers.

    Each pass interleaves the first half of the vectors with the second half; log2(`_TILE`) passes transpose the tile.
    """
    low = ir.Constant(_PICK, [half + start for start in range(_HALF) for half in (0, _TILE)])
    high = ir.Constant(_PICK, [half + start for start in range(_HALF, _TILE) for half in (0, _TILE)])
    for _ in range(_TILE.bit_length() - 1):
        pairs = list(zip(lines[:_HALF], lines[_HALF:], strict=True))
        lines = [builder.shuffle_vector(*pair, pick) for pair in pairs for pick in (low, high)]
    return lines
