"""What the layers of stacked perceptrons do on a GPU, as kernels of Triton: products, each with what comes before and after.

With a library's products all that is around them costs a launch each, and a pass through memory. The first axis of every
grid is the member, the others are tiles of its layer: small ones, as one batch of 32 has no more work than fills a GPU so.
Products are of float32, not of TF32 with its ten bits: a GPU is to learn what a CPU does. Strides count elements; what
comes without is contiguous. `n_in` and `n_out` are the inputs and the units of the layer.
"""

from typing import Any

import triton
import triton.language as tl

from cardgames.learners.optimizers import Adam

_FIRST_BETA, _SECOND_BETA = (tl.constexpr(beta) for beta in Adam.betas)
_EPSILON = tl.constexpr(Adam.epsilon)
_PRECISION = tl.constexpr("ieee")


@triton.jit
def _product(
    inputs, weights, biases, outputs, rows, n_in, n_out,
    member_stride, row_stride, weight_stride,
    RELU: tl.constexpr, ROWS: tl.constexpr, IN: tl.constexpr, OUT: tl.constexpr,
):  # fmt: skip
    """Write `inputs @ weights + biases`, with 0 for what is below 0 if `RELU`."""
    member = tl.program_id(0).to(tl.int64)
    row = tl.program_id(2) * ROWS + tl.arange(0, ROWS)[:, None]
    unit = tl.program_id(1) * OUT + tl.arange(0, OUT)[None]
    inputs += member * member_stride + row * row_stride
    weights += member * weight_stride + unit
    sums = tl.zeros((ROWS, OUT), tl.float32)
    for first in range(0, n_in, IN):
        across, down = first + tl.arange(0, IN)[None], first + tl.arange(0, IN)[:, None]
        seen = tl.load(inputs + across, mask=(row < rows) & (across < n_in), other=0).to(tl.float32)
        tile = tl.load(weights + down * n_out, mask=(down < n_in) & (unit < n_out), other=0.0)
        sums = tl.dot(seen, tile, sums, input_precision=_PRECISION)
    sums += tl.load(biases + member * weight_stride + unit, mask=unit < n_out, other=0.0)
    if RELU:
        sums = tl.where(sums < 0.0, 0.0, sums)  # what is no number stays none, to be found in the end
    tl.store(outputs + (member * rows + row) * n_out + unit, sums, mask=(row < rows) & (unit < n_out))


@triton.jit
def _product_back(
    gradient, weights, inputs, found, rows, n_in, n_out,
    weight_stride,
    ROWS: tl.constexpr, IN: tl.constexpr, OUT: tl.constexpr,
):  # fmt: skip
    """Write the gradient of the inputs of a layer, 0 where a ReLU gave 0."""
    member = tl.program_id(0).to(tl.int64)
    row = tl.program_id(2) * ROWS + tl.arange(0, ROWS)[:, None]
    down = tl.program_id(1) * IN + tl.arange(0, IN)[:, None]
    gradient += (member * rows + row) * n_out
    weights += member * weight_stride + down * n_out
    sums = tl.zeros((ROWS, IN), tl.float32)
    for first in range(0, n_out, OUT):
        unit = first + tl.arange(0, OUT)[None]
        slopes = tl.load(gradient + unit, mask=(row < rows) & (unit < n_out), other=0.0)
        tile = tl.load(weights + unit, mask=(down < n_in) & (unit < n_out), other=0.0)
        sums = tl.dot(slopes, tl.trans(tile), sums, input_precision=_PRECISION)
    across = tl.program_id(1) * IN + tl.arange(0, IN)[None]
    here, at = (row < rows) & (across < n_in), (member * rows + row) * n_in + across
    passed = tl.load(inputs + at, mask=here, other=0.0) > 0
    tl.store(found + at, tl.where(passed, sums, 0.0), mask=here)


@triton.jit
def _adam(weights, mean, square, slopes, rate, root, mask):
    """Move weights and their moments along a gradient; see `StackedNetwork`."""
    new_mean = tl.load(mean, mask=mask, other=0.0)
    new_mean += (slopes - new_mean) * (1 - _FIRST_BETA)
    new_square = tl.load(square, mask=mask, other=0.0) * _SECOND_BETA + slopes * slopes * (1 - _SECOND_BETA)
    moved = tl.load(weights, mask=mask, other=0.0) - rate * new_mean / (tl.sqrt_rn(new_square) / root + _EPSILON)
    tl.store(weights, moved, mask=mask)
    tl.store(mean, new_mean, mask=mask)
    tl.store(square, new_square, mask=mask)


@triton.jit
def _descend_layer(
    inputs, gradient, weights, weights_mean, weights_square, biases, biases_mean, biases_square,
    rates, roots, moving, rows, n_in, n_out,
    member_stride, row_stride, weight_stride,
    ROWS: tl.constexpr, IN: tl.constexpr, OUT: tl.constexpr,
):  # fmt: skip
    """Move a layer along the gradient of its outputs."""
    member = tl.program_id(0).to(tl.int64)
    if tl.load(moving + member) == 0:
        return
    unit = tl.program_id(2) * OUT + tl.arange(0, OUT)[None]
    across, down = tl.program_id(1) * IN + tl.arange(0, IN)[None], tl.program_id(1) * IN + tl.arange(0, IN)[:, None]
    of_weights, of_biases = tl.zeros((IN, OUT), tl.float32), tl.zeros((1, OUT), tl.float32)
    for first in range(0, rows, ROWS):
        row = first + tl.arange(0, ROWS)[:, None]
        seen_at, slopes_at = member * member_stride + row * row_stride + across, (member * rows + row) * n_out + unit
        seen = tl.load(inputs + seen_at, mask=(row < rows) & (across < n_in), other=0).to(tl.float32)
        slopes = tl.load(gradient + slopes_at, mask=(row < rows) & (unit < n_out), other=0.0)
        of_weights = tl.dot(tl.trans(seen), slopes, of_weights, input_precision=_PRECISION)
        of_biases += tl.sum(slopes, 0, keep_dims=True)
    rate, root = tl.load(rates + member), tl.load(roots + member)
    at, here = member * weight_stride + down * n_out + unit, (down < n_in) & (unit < n_out)
    _adam(weights + at, weights_mean + at, weights_square + at, of_weights, rate, root, here)
    if tl.program_id(1) == 0:
        bias = member * weight_stride + unit
        _adam(biases + bias, biases_mean + bias, biases_square + bias, of_biases, rate, root, unit < n_out)


@triton.jit
def _descend(
    weights, mean, square, slopes, rates, roots, moving, n,
    weight_stride,
    SOME: tl.constexpr,
):  # fmt: skip
    """Move the first `n` weights along their gradient."""
    member = tl.program_id(0).to(tl.int64)
    if tl.load(moving + member) == 0:
        return
    weight = tl.program_id(1) * SOME + tl.arange(0, SOME)
    at, here = member * weight_stride + weight, weight < n
    rate, root = tl.load(rates + member), tl.load(roots + member)
    _adam(weights + at, mean + at, square + at, tl.load(slopes + at, mask=here, other=0.0), rate, root, here)


def product(inputs: Any, layer: Any, outputs: Any, relu: bool) -> None:
    """Write what a layer makes of `inputs` (float32 or int8 [members, rows, n]) to `outputs` [members, rows, units]."""
    (weights, biases), (members, rows, n_out) = layer, outputs.shape
    strides = inputs.stride(0), inputs.stride(1), weights.stride(0)
    tile = {"ROWS": _rows(rows), "IN": 64, "OUT": 64}
    grid = members, triton.cdiv(n_out, tile["OUT"]), triton.cdiv(rows, tile["ROWS"])
    _product[grid](inputs, weights, biases, outputs, rows, inputs.shape[2], n_out, *strides, RELU=relu, **tile)


def product_back(gradient: Any, layer: Any, inputs: Any, found: Any) -> None:
    """Write to `found` the gradient of `inputs` [members, rows, n], which a ReLU gave, from that of the layer's outputs. All
    are contiguous.
    """
    (weights, _), (members, rows, n_in) = layer, inputs.shape
    tile = {"ROWS": _rows(rows), "IN": 32, "OUT": 64}
    grid = members, triton.cdiv(n_in, tile["IN"]), triton.cdiv(rows, tile["ROWS"])
    _product_back[grid](gradient, weights, inputs, found, rows, n_in, gradient.shape[2], weights.stride(0), **tile)


def descend_layer(inputs: Any, gradient: Any, layer: Any, mean: Any, square: Any, pace: Any) -> None:
    """Move a layer and its moments, which lie alike, along the gradient of its outputs (contiguous [members, rows, units]).

    `pace` is rates, roots and who moves.
    """
    weights, biases = zip(layer, mean, square, strict=True)
    members, rows, n_out = gradient.shape
    n_in, strides = inputs.shape[2], (inputs.stride(0), inputs.stride(1), layer[0].stride(0))
    tile = {"ROWS": _rows(rows), "IN": 32, "OUT": 64}
    grid = members, triton.cdiv(n_in, tile["IN"]), triton.cdiv(n_out, tile["OUT"])
    _descend_layer[grid](inputs, gradient, *weights, *biases, *pace, rows, n_in, n_out, *strides, **tile)


def descend(weights: Any, mean: Any, square: Any, gradient: Any, n: int, pace: Any) -> None:
    """Move the first `n` of all weights [members, weights] along their own gradient."""
    members, width = weights.shape
    tile = {"SOME": 1024}
    _descend[members, triton.cdiv(n, tile["SOME"])](weights, mean, square, gradient, *pace, n, width, **tile)


def _rows(rows: int) -> int:
    """Return how many rows a tile has: a power of 2, and what products need at least."""
    return 16 if rows <= 16 else 32
