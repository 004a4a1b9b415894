"""What the layers of stacked perceptrons do on a GPU, as kernels of Triton: products, each with what comes before and after.

With a library's products all that is around them costs a launch each, and a pass through memory. Here programs have a
member each along their first axis. Tensors are float32 (inputs may be int8), one row behind the other where no strides are
given. Products are of float32, not TF32.
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
    """Write `inputs @ weights + biases`, or that of it which is above 0."""
    member = tl.program_id(0).to(tl.int64)
    row, out = tl.arange(0, ROWS)[:, None], tl.program_id(1) * OUT + tl.arange(0, OUT)[None]
    inputs += member * member_stride + row * row_stride
    weights += member * weight_stride + out
    sums = tl.zeros((ROWS, OUT), tl.float32)
    for first in range(0, n_in, IN):
        of_row, of_weight = first + tl.arange(0, IN)[None], first + tl.arange(0, IN)[:, None]
        seen = tl.load(inputs + of_row, mask=(row < rows) & (of_row < n_in), other=0).to(tl.float32)
        tile = tl.load(weights + of_weight * n_out, mask=(of_weight < n_in) & (out < n_out), other=0.0)
        sums = tl.dot(seen, tile, sums, input_precision=_PRECISION)
    sums += tl.load(biases + member * weight_stride + out, mask=out < n_out, other=0.0)
    if RELU:
        sums = tl.maximum(sums, 0.0)
    tl.store(outputs + (member * rows + row) * n_out + out, sums, mask=(row < rows) & (out < n_out))


@triton.jit
def _product_back(
    gradient, weights, inputs, found, rows, n_in, n_out,
    weight_stride,
    ROWS: tl.constexpr, IN: tl.constexpr, OUT: tl.constexpr,
):  # fmt: skip
    """Write the gradient of the inputs of a layer, 0 where a ReLU gave 0."""
    member = tl.program_id(0).to(tl.int64)
    row, of_weight = tl.arange(0, ROWS)[:, None], tl.program_id(1) * IN + tl.arange(0, IN)[:, None]
    gradient += (member * rows + row) * n_out
    weights += member * weight_stride + of_weight * n_out
    sums = tl.zeros((ROWS, IN), tl.float32)
    for first in range(0, n_out, OUT):
        out = first + tl.arange(0, OUT)[None]
        slopes = tl.load(gradient + out, mask=(row < rows) & (out < n_out), other=0.0)
        tile = tl.load(weights + out, mask=(of_weight < n_in) & (out < n_out), other=0.0)
        sums = tl.dot(slopes, tl.trans(tile), sums, input_precision=_PRECISION)
    of_row = tl.program_id(1) * IN + tl.arange(0, IN)[None]
    here, at = (row < rows) & (of_row < n_in), (member * rows + row) * n_in + of_row
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
def _descent(
    inputs, gradient, weights, weights_mean, weights_square, biases, biases_mean, biases_square,
    rates, roots, moving, rows, n_in, n_out,
    member_stride, row_stride, weight_stride,
    ROWS: tl.constexpr, IN: tl.constexpr, OUT: tl.constexpr,
):  # fmt: skip
    """Move a layer along the gradient of its outputs."""
    member = tl.program_id(0).to(tl.int64)
    if tl.load(moving + member) == 0:
        return
    rate, root = tl.load(rates + member), tl.load(roots + member)
    row, out = tl.arange(0, ROWS)[:, None], tl.program_id(2) * OUT + tl.arange(0, OUT)
    of_row = tl.program_id(1) * IN + tl.arange(0, IN)[None]
    seen = tl.load(
        inputs + member * member_stride + row * row_stride + of_row, mask=(row < rows) & (of_row < n_in), other=0
    ).to(tl.float32)
    slopes = tl.load(
        gradient + (member * rows + row) * n_out + out[None], mask=(row < rows) & (out[None] < n_out), other=0.0
    )
    of_weight = tl.program_id(1) * IN + tl.arange(0, IN)[:, None]
    at, here = member * weight_stride + of_weight * n_out + out[None], (of_weight < n_in) & (out[None] < n_out)
    products = tl.dot(tl.trans(seen), slopes, input_precision=_PRECISION)
    _adam(weights + at, weights_mean + at, weights_square + at, products, rate, root, here)
    if tl.program_id(1) == 0:
        bias = member * weight_stride + out
        _adam(biases + bias, biases_mean + bias, biases_square + bias, tl.sum(slopes, 0), rate, root, out < n_out)


@triton.jit
def _descent_of(
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
    """Write what a layer makes of `inputs` [members, rows, n] to `outputs` [members, rows, units]."""
    (weights, biases), (members, rows, n_out) = layer, outputs.shape
    strides = inputs.stride(0), inputs.stride(1), weights.stride(0)
    shape = {"ROWS": _rows(rows), "IN": 64, "OUT": 32}
    grid = members, triton.cdiv(n_out, shape["OUT"])
    _product[grid](inputs, weights, biases, outputs, rows, inputs.shape[2], n_out, *strides, RELU=relu, **shape)


def product_back(gradient: Any, layer: Any, inputs: Any, found: Any) -> None:
    """Write to `found` the gradient of `inputs` [members, rows, n], which a ReLU gave, from that of the layer's outputs."""
    (weights, _), (members, rows, n_in) = layer, inputs.shape
    shape = {"ROWS": _rows(rows), "IN": 32, "OUT": 64}
    grid = members, triton.cdiv(n_in, shape["IN"])
    _product_back[grid](gradient, weights, inputs, found, rows, n_in, gradient.shape[2], weights.stride(0), **shape)


def descent(inputs: Any, gradient: Any, layer: Any, mean: Any, square: Any, pace: Any) -> None:
    """Move a layer and its moments along the gradient of its outputs; `pace` is rates, roots and who moves."""
    weights, biases = zip(layer, mean, square, strict=True)
    members, rows, n_out = gradient.shape
    n_in, strides = inputs.shape[2], (inputs.stride(0), inputs.stride(1), layer[0].stride(0))
    shape = {"ROWS": _rows(rows), "IN": 32, "OUT": 64}
    grid = members, triton.cdiv(n_in, shape["IN"]), triton.cdiv(n_out, shape["OUT"])
    _descent[grid](inputs, gradient, *weights, *biases, *pace, rows, n_in, n_out, *strides, **shape)


def descent_of(weights: Any, mean: Any, square: Any, slopes: Any, n: int, pace: Any) -> None:
    """Move the first `n` of all weights [members, weights] along their own gradient."""
    members, width = weights.shape
    _descent_of[members, triton.cdiv(n, 1024)](weights, mean, square, slopes, *pace, n, width, SOME=1024)


def _rows(rows: int) -> int:
    """Return how many rows a tile has: a power of 2, and what products need at least."""
    return max(16, 1 << (rows - 1).bit_length())
