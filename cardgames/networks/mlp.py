"""A multilayer perceptron with ReLU or tanh between its layers, evaluated inside kernels on sparse inputs.

Activations are sparse: an encoding sets a quarter of its inputs, ReLU passes about half of the units (tanh all). So a
layer is the sum of the weight rows of its active inputs, the bias a row whose input is always 1. The inner loop runs
along the rows (`kernels.sparse_matmul`), which vectorises without leave to reorder sums. Rows lie in panels, so that many leaves can
go through a few columns of all rows while these are in the cache.
"""

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from cardgames.kernels.jit import njit
from cardgames.kernels.sparse_matmul import ROWS, add_rows, aligned, from_panels, padded_size, to_panels

Layer = tuple[NDArray[np.float32], NDArray[np.float32]]
"""Weights [outputs, inputs] and bias [outputs], as torch's `Linear` keeps them."""

RELU, TANH = range(2)
"""What becomes of the units of a hidden layer."""
_BLOCK = 64  # leaves whose units and lists fit the second cache beside a panel


def pack(layers: Sequence[Layer]) -> NDArray[np.float32]:
    """Return the weights of `layers` as kernels take them: one flat array, the layers one after the other (`to_panels`)."""
    blocks = []
    for weight, bias in layers:
        outputs, inputs = weight.shape
        rows = np.zeros((inputs + 1, padded_size(outputs)), np.float32)
        rows[:inputs, :outputs] = weight.T
        rows[inputs, :outputs] = bias
        blocks.append(to_panels(rows))
    return aligned(np.concatenate(blocks))


def unpack(weights: NDArray[np.float32], sizes: Sequence[int]) -> list[Layer]:
    """Return what `pack` packed, for layers of these `sizes` (inputs, hidden units, outputs)."""
    layers, at = [], 0
    for inputs, outputs in pairwise(sizes):
        end = at + (inputs + 1) * padded_size(outputs)
        rows = from_panels(weights[at:end], inputs + 1)
        layers.append((rows[:inputs, :outputs].T.copy(), rows[inputs, :outputs].copy()))
        at = end
    return layers


@njit
def allocate_active_lists(leaves, sizes):
    """Return room for what `list_active` lists: uint32 and float32 [leaves, longest list + ROWS], int64 [leaves]."""
    room = leaves, sizes.max() + 1 + ROWS
    return np.empty(room, np.uint32), np.empty(room, np.float32), np.empty(leaves, np.int64)


@njit
def list_active(values, inputs, active, scale, lengths):
    """List of each leaf the positive ones of its first `inputs` values, and these, then the bias.

    `values` is [leaves, inputs or more]; `lengths` (int64 [leaves]) becomes how many each list has (`allocate_active_lists`).
    """
    for leaf in range(len(lengths)):
        n = 0
        for i in range(inputs):
            # written always, kept if positive: a branch here would be mispredicted half of the time
            active[leaf, n] = i
            n += values[leaf, i] > 0
        for k in range(n):
            scale[leaf, k] = values[leaf, active[leaf, k]]
        active[leaf, n] = inputs
        scale[leaf, n] = 1
        lengths[leaf] = n + 1


@njit
def _list_tanh(units, inputs, active, scale, lengths):
    """List of each leaf tanh of all its first `inputs` units, then the bias, as `list_active` does."""
    for leaf in range(len(lengths)):
        for i in range(inputs):
            active[leaf, i], scale[leaf, i] = i, math.tanh(units[leaf, i])
        active[leaf, inputs], scale[leaf, inputs] = inputs, 1
        lengths[leaf] = inputs + 1


@njit
def _forward(weights, sizes, activations, inputs, units, out):
    """Carry the leaves through one layer after the other; `units` is their room."""
    n, end = len(inputs), 0
    active, scale, lengths = allocate_active_lists(n, sizes)
    list_active(inputs, sizes[0], active, scale, lengths)
    for layer in range(1, len(sizes)):
        count, width = sizes[layer - 1] + 1, padded_size(sizes[layer])
        start, end = end, end + count * width
        if layer > 1 and activations[layer - 2] == TANH:
            _list_tanh(units, sizes[layer - 1], active, scale, lengths)
        elif layer > 1:
            list_active(units, sizes[layer - 1], active, scale, lengths)
        units[:n, :width] = 0
        add_rows(weights[start:end], count, active, scale, lengths, units[:n, :width])
    for i in range(n):
        for j in range(out.shape[1]):
            out[i, j] = units[i, j]


@njit
def mlp_batch(weights, sizes, activations, inputs, out):
    """Write the outputs for many leaves into `out` (float32 [n, outputs]).

    `weights` is flat (`pack`), `sizes` int64 [layers + 1], `activations` int64 [hidden layers] (`RELU`, `TANH`), `inputs`
    int8 or float32 [n, inputs], none negative.
    """
    units = np.empty((min(_BLOCK, len(inputs)), padded_size(sizes[1:].max())), np.float32)
    for start in range(0, len(inputs), _BLOCK):
        end = min(start + _BLOCK, len(inputs))
        _forward(weights, sizes, activations, inputs[start:end], units, out[start:end])


@njit
def mlp_value(weights, sizes, activations, inputs, out):
    """Write the outputs for one leaf (`inputs` [inputs]) into `out` (float32 [outputs]).

    To the last bit what `mlp_batch` writes for it.
    """
    mlp_batch(weights, sizes, activations, inputs.reshape((1, -1)), out.reshape((1, -1)))
