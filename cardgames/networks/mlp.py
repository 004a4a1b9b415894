"""Multilayer perceptron with ReLU or tanh between the layers, evaluated inside kernels on sparse inputs.

Activations are sparse: an encoding sets about a quarter of its inputs, and ReLU lets about half of the units pass (tanh
lets all pass). A layer is therefore computed as the sum of the weight rows of its active inputs; the bias is a row whose
input is always 1. The inner loop runs along the rows (`kernels.sparse_matmul`), so it vectorizes without permission to
reorder sums. Rows are stored in panels of some columns, so that many samples pass through one panel while it is in the
cache.
"""

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from cardgames.kernels.jit import njit
from cardgames.kernels.sparse_matmul import ROWS, add_rows, aligned, from_panels, padded_size, to_panels

Layer = tuple[NDArray[np.float32], NDArray[np.float32]]
"""One layer of a perceptron: weights [outputs, inputs] and bias [outputs], laid out as in torch's `Linear`."""

RELU, TANH = range(2)
"""Ids of the activation functions of hidden layers."""
_BLOCK = 64  # samples whose units and lists fit into the second-level cache beside a panel


def pack(layers: Sequence[Layer]) -> NDArray[np.float32]:
    """Return the weights and biases of all layers as one flat array, the layout that kernels read.

    For each layer it has one row of weights for each input and one row of biases, stored in panels (`to_panels`).
    """
    blocks = []
    for weight, bias in layers:
        outputs, inputs = weight.shape
        rows = np.zeros((inputs + 1, padded_size(outputs)), np.float32)
        rows[:inputs, :outputs] = weight.T
        rows[inputs, :outputs] = bias
        blocks.append(to_panels(rows))
    return aligned(np.concatenate(blocks))


def unpack(weights: NDArray[np.float32], sizes: Sequence[int]) -> list[Layer]:
    """Return weights and bias of each layer from the flat array that `pack` made.

    `sizes` has the numbers of inputs, of units of each hidden layer, and of outputs.
    """
    layers, start = [], 0
    for inputs, outputs in pairwise(sizes):
        end = start + (inputs + 1) * padded_size(outputs)
        rows = from_panels(weights[start:end], inputs + 1)
        layers.append((rows[:inputs, :outputs].T.copy(), rows[inputs, :outputs].copy()))
        start = end
    return layers


@njit
def allocate_active_lists(samples, sizes):
    """Return new arrays for the active inputs that `list_active` lists.

    Indices (uint32) and values (float32) are [samples, largest layer + 1 + `ROWS`], their numbers int64 [samples].
    """
    shape = samples, sizes.max() + 1 + ROWS
    return np.empty(shape, np.uint32), np.empty(shape, np.float32), np.empty(samples, np.int64)


@njit
def list_active(values, inputs, active, scale, lengths):
    """List indices and values of the positive inputs of each sample, and then the bias as one more input, with value 1.

    Args:
        values: Inputs of the layer, [samples, inputs or more].
        inputs: Number of inputs of the layer.
        active: Output: the indices of the positive inputs (see `allocate_active_lists`).
        scale: Output: the values of the positive inputs.
        lengths: Output: how many inputs are listed for each sample.
    """
    for sample in range(len(lengths)):
        n = 0
        for i in range(inputs):
            # always written, and overwritten unless positive: a branch would be mispredicted half of the time
            active[sample, n] = i
            n += values[sample, i] > 0
        for k in range(n):
            scale[sample, k] = values[sample, active[sample, k]]
        active[sample, n] = inputs
        scale[sample, n] = 1
        lengths[sample] = n + 1


@njit
def _list_tanh(units, inputs, active, scale, lengths):
    """List all `inputs` units of each sample with the tanh of their values, and then the bias, with value 1.

    The output arrays are those of `list_active`: indices `active`, values `scale`, and `lengths`.
    """
    for sample in range(len(lengths)):
        for i in range(inputs):
            active[sample, i], scale[sample, i] = i, math.tanh(units[sample, i])
        active[sample, inputs], scale[sample, inputs] = inputs, 1
        lengths[sample] = inputs + 1


@njit
def _forward(weights, sizes, activations, inputs, units, out):
    """Evaluate the perceptron, layer by layer, for the samples `inputs`; write its outputs into `out`.

    `units` (float32 [at least the samples, padded size of the largest layer]) is working memory.
    """
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
    """Evaluate a perceptron for many samples.

    Args:
        weights: Weights and biases, flat (`pack`).
        sizes: Numbers of inputs, hidden units and outputs, int64 [layers + 1].
        activations: `RELU` or `TANH` for each hidden layer, int64 [hidden layers].
        inputs: Inputs, int8 or float32 [n, inputs], none negative.
        out: Output: float32 [n, outputs].
    """
    units = np.empty((min(_BLOCK, len(inputs)), padded_size(sizes[1:].max())), np.float32)
    for start in range(0, len(inputs), _BLOCK):
        end = min(start + _BLOCK, len(inputs))
        _forward(weights, sizes, activations, inputs[start:end], units, out[start:end])


@njit
def mlp_value(weights, sizes, activations, inputs, out):
    """Evaluate a perceptron for one sample, with the same result to the last bit as `mlp_batch`.

    `inputs` is [inputs], `out` float32 [outputs]; the other arguments are those of `mlp_batch`.
    """
    mlp_batch(weights, sizes, activations, inputs.reshape((1, -1)), out.reshape((1, -1)))
