"""A multilayer perceptron with ReLU between its layers, evaluated inside kernels on sparse inputs.

Activations are sparse: an encoding sets a quarter of its inputs, ReLU passes about half of the units. So a layer is the
sum of the weight rows of its active inputs, the bias a row whose input is always 1. Rows lie one after the other and
the inner loop runs along them (`core.rows`), which vectorises without leave to reorder sums.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from cardgames.core.jit import njit
from cardgames.core.rows import LANES, ROWS, add_rows, padded

Layer = tuple[NDArray[np.float32], NDArray[np.float32]]
"""Weights [outputs, inputs] and bias [outputs], as torch's `Linear` keeps them."""

_BLOCK = 64  # leaves whose units fit the cache beside a layer's rows


def pack(layers: Sequence[Layer]) -> NDArray[np.float32]:
    """Return the weights of `layers` as kernels take them: one flat array, of each layer [inputs + 1, padded outputs]."""
    blocks = []
    for weight, bias in layers:
        outputs, inputs = weight.shape
        block = np.zeros((inputs + 1, padded(outputs)), np.float32)
        block[:inputs, :outputs] = weight.T
        block[inputs, :outputs] = bias
        blocks.append(block.ravel())
    return aligned(np.concatenate(blocks))


def unpack(weights: NDArray[np.float32], sizes: Sequence[int]) -> list[Layer]:
    """Return what `pack` packed, for layers of these `sizes` (inputs, hidden units, outputs)."""
    layers, at = [], 0
    for inputs, outputs in pairwise(sizes):
        end = at + (inputs + 1) * padded(outputs)
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
def list_active(x, active, scale):
    """List the positive entries of `x`, then the bias; return how many these are."""
    n = 0
    for i in range(len(x)):
        # written always, kept if positive: a branch here would be mispredicted half of the time
        active[n] = i
        n += x[i] > 0
    for i in range(n):
        scale[i] = x[active[i]]
    active[n] = len(x)
    scale[n] = 1
    return n + 1


@njit
def _forward(weights, sizes, inputs, units, out):
    """Carry the leaves through one layer after the other, so that its rows stay in the cache; `units` is their room."""
    active = np.empty(sizes.max() + ROWS, np.uint64)
    scale = np.empty(len(active), np.float32)
    at = 0
    for layer in range(1, len(sizes)):
        before, width = sizes[layer - 1], padded(sizes[layer])
        rows = weights[at : at + (before + 1) * width]
        at += len(rows)
        for i in range(len(inputs)):
            n = list_active(inputs[i], active, scale) if layer == 1 else list_active(units[i, :before], active, scale)
            units[i, :width] = 0
            add_rows(rows, active, scale, n, units[i, :width])
    for i in range(len(inputs)):
        for j in range(out.shape[1]):
            out[i, j] = units[i, j]


@njit
def mlp_batch(weights, sizes, inputs, out):
    """Write the outputs for many leaves into `out` (float32 [n, outputs]).

    `weights` is flat (`pack`), `sizes` int64 [layers + 1], `inputs` int8 [n, inputs], none negative.
    """
    units = np.empty((min(_BLOCK, len(inputs)), padded(sizes[1:].max())), np.float32)
    for start in range(0, len(inputs), _BLOCK):
        end = min(start + _BLOCK, len(inputs))
        _forward(weights, sizes, inputs[start:end], units, out[start:end])


@njit
def mlp_value(weights, sizes, inputs, out):
    """Write the outputs for one leaf (`inputs` int8 [inputs]) into `out` (float32 [outputs]).

    To the last bit what `mlp_batch` writes for it.
    """
    mlp_batch(weights, sizes, inputs.reshape((1, -1)), out.reshape((1, -1)))
