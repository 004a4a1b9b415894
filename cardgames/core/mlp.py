"""A multilayer perceptron with ReLU between its layers, evaluated inside kernels on sparse inputs.

Activations are sparse: an encoding sets a quarter of its inputs, ReLU passes about half of the units. So a layer is the
sum of the weight rows of its active inputs, the bias a row whose input is always 1. Rows lie one after the other and
the inner loop runs along them, which vectorises without leave to reorder sums.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from cardgames.core.jit import njit

Layer = tuple[NDArray[np.float32], NDArray[np.float32]]
"""Weights [outputs, inputs] and bias [outputs], as torch's `Linear` keeps them."""

LANES = 16  # a row is padded to whole cache lines, which are also the widest registers
_ROWS = 4  # rows added at once: fewer reads and writes of the sum
_BLOCK = 64  # leaves whose units fit the cache beside a layer's rows


def pack(layers: Sequence[Layer]) -> NDArray[np.float32]:
    """Return the weights of `layers` as kernels take them: one flat array, of each layer [inputs + 1, padded outputs]."""
    blocks = []
    for weight, bias in layers:
        outputs, inputs = weight.shape
        block = np.zeros((inputs + 1, _padded(outputs)), np.float32)
        block[:inputs, :outputs] = weight.T
        block[inputs, :outputs] = bias
        blocks.append(block.ravel())
    return aligned(np.concatenate(blocks))


def unpack(weights: NDArray[np.float32], sizes: Sequence[int]) -> list[Layer]:
    """Return what `pack` packed, for layers of these `sizes` (inputs, hidden units, outputs)."""
    layers, at = [], 0
    for inputs, outputs in pairwise(sizes):
        end = at + (inputs + 1) * _padded(outputs)
        block = weights[at:end].reshape(inputs + 1, -1)
        layers.append((block[:inputs, :outputs].T.copy(), block[inputs, :outputs].copy()))
        at = end
    return layers


def aligned(array: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return a copy that begins at a cache line; rows across two of them cost a fifth of the speed."""
    space = np.empty(len(array) + LANES, np.float32)
    skip = -(space.ctypes.data // array.itemsize) % LANES
    copy = space[skip : skip + len(array)]
    copy[:] = array
    return copy


@njit
def _padded(n):
    return (n + LANES - 1) // LANES * LANES


@njit
def _active(x, active, scale):
    """List the positive entries of `x`, then the bias, then entries that count nothing up to a multiple of `_ROWS`."""
    n = 0
    for i in range(len(x)):
        # written always, kept if positive: a branch here would be mispredicted half of the time
        active[n] = i
        n += x[i] > 0
    for i in range(n):
        scale[i] = x[active[i]]
    active[n] = len(x)
    scale[n] = 1
    for i in range(n + 1, n + _ROWS):
        active[i] = 0
        scale[i] = 0
    return n + 1


@njit
def _add_rows(weights, active, scale, n, out):
    """Write into `out` the sum of the rows `active[:n]`, each times its `scale`."""
    width = np.uint64(len(out))  # for what is unsigned Numba need not look whether an index is negative
    out[:] = 0
    for i in range(0, n, _ROWS):
        a, b, c, d = active[i] * width, active[i + 1] * width, active[i + 2] * width, active[i + 3] * width
        p, q, r, s = scale[i], scale[i + 1], scale[i + 2], scale[i + 3]
        for j in range(width):
            out[j] += (p * weights[a + j] + q * weights[b + j]) + (r * weights[c + j] + s * weights[d + j])


@njit
def _forward(weights, sizes, inputs, units, out):
    """Carry the leaves through one layer after the other, so that its rows stay in the cache; `units` is their room."""
    active = np.empty(sizes.max() + _ROWS, np.uint64)
    scale = np.empty(len(active), np.float32)
    at = 0
    for layer in range(1, len(sizes)):
        before, width = sizes[layer - 1], _padded(sizes[layer])
        rows = weights[at : at + (before + 1) * width]
        at += len(rows)
        for i in range(len(inputs)):
            n = _active(inputs[i], active, scale) if layer == 1 else _active(units[i, :before], active, scale)
            _add_rows(rows, active, scale, n, units[i, :width])
    for i in range(len(inputs)):
        for j in range(out.shape[1]):
            out[i, j] = units[i, j]


@njit
def mlp_batch(weights, sizes, inputs, out):
    """Write the outputs for many leaves into `out` (float32 [n, outputs]).

    `weights` is flat (`pack`), `sizes` int64 [layers + 1], `inputs` int8 [n, inputs], none negative.
    """
    units = np.empty((min(_BLOCK, len(inputs)), _padded(sizes[1:].max())), np.float32)
    for start in range(0, len(inputs), _BLOCK):
        end = min(start + _BLOCK, len(inputs))
        _forward(weights, sizes, inputs[start:end], units, out[start:end])


@njit
def mlp_value(weights, sizes, inputs, out):
    """Write the outputs for one leaf (`inputs` int8 [inputs]) into `out` (float32 [outputs]).

    To the last bit what `mlp_batch` writes for it.
    """
    mlp_batch(weights, sizes, inputs.reshape((1, -1)), out.reshape((1, -1)))
