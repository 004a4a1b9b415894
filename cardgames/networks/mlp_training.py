"""Backpropagation and optimizer steps for perceptrons, inside kernels; layout and sparsity as in `networks.mlp`.

In the forward pass a layer is a sum of weight rows. The backward pass consists of sums of rows too. The gradient of a
weight row is a sum over the samples in which its input is active. The gradient of a sample's units is a sum of columns
of the weights, which are transposed into rows, one panel at a time. The order of all additions is therefore fixed, and
the same numbers give the same weights.

The parameter `slopes` is always a gradient of the loss with respect to units or outputs.
"""

import math

import numpy as np

from cardgames.kernels.copying import copy_row
from cardgames.kernels.jit import njit
from cardgames.kernels.sparse_matmul import LANES, PANEL, ROWS, add_rows, padded_size
from cardgames.kernels.transpose import transpose
from cardgames.networks.mlp import allocate_active_lists, list_active

_BLOCK = 64  # samples whose slopes in a panel fit into the first-level cache
_SMALLEST_MOMENT = np.float32(1e-30)


@njit
def layer_offsets(sizes):
    """Return where the weights and the units of each layer begin (int64 [layers + 1, 2]); the last row has the total sizes.

    Column 0 is the offset in the packed weights, column 1 that in the units of one sample.
    """
    offsets = np.zeros((len(sizes), 2), np.int64)
    for layer in range(1, len(sizes)):
        inputs, outputs = sizes[layer - 1], sizes[layer]
        offsets[layer, 0] = offsets[layer - 1, 0] + (inputs + 1) * padded_size(outputs)
        offsets[layer, 1] = offsets[layer - 1, 1] + padded_size(outputs)
    return offsets


@njit
def forward(weights, sizes, inputs, units, out):
    """Evaluate a perceptron for many samples and keep all units for `backward`; all hidden layers have ReLU.

    Args:
        weights: Weights, flat (`networks.mlp.pack`).
        sizes: Numbers of inputs, hidden units and outputs, int64 [layers + 1].
        inputs: Inputs [n, inputs], none negative.
        units: Output: the units of each layer before ReLU, flat, [n, padded outputs] one layer after the other. Its length
            is n times the last entry of `layer_offsets`.
        out: Output: float32 [n, outputs], to the last bit those of `networks.mlp.mlp_batch`.
    """
    offsets, n = layer_offsets(sizes), len(inputs)
    active, scale, count = allocate_active_lists(min(_BLOCK, n), sizes)
    for start in range(0, n, _BLOCK):
        end = min(start + _BLOCK, n)
        lengths = count[: end - start]
        list_active(inputs[start:end], sizes[0], active, scale, lengths)
        for layer in range(1, len(sizes)):
            rows = weights[offsets[layer - 1, 0] : offsets[layer, 0]]
            layer_units = _units_of(units, offsets, layer, n)[start:end]
            layer_units[:] = 0
            add_rows(rows, sizes[layer - 1] + 1, active, scale, lengths, layer_units)
            if layer < len(sizes) - 1:
                list_active(layer_units, sizes[layer], active, scale, lengths)
    last = _units_of(units, offsets, len(sizes) - 1, n)
    for row in range(n):
        copy_row(out[row], last[row])


@njit
def _units_of(units, offsets, layer, n):
    """Return the part of the flat array `units` for one layer, [n, padded outputs]; layer 1 is the first hidden layer.

    `offsets` is the result of `layer_offsets`, `n` the number of samples.
    """
    start, end = offsets[layer - 1, 1], offsets[layer, 1]
    return units[n * start : n * end].reshape(n, end - start)


@njit
def backward(weights, sizes, inputs, units, slopes, gradient, input_gradient):
    """Compute the gradient of the loss with respect to weights, and to inputs if wanted, by backpropagation.

    Args:
        weights: Weights, flat (`networks.mlp.pack`).
        sizes: Numbers of inputs, hidden units and outputs, int64 [layers + 1].
        inputs: Inputs [n, inputs], none negative.
        units: Units that `forward` wrote.
        slopes: Gradient with respect to the outputs, float32 [n, outputs].
        gradient: Output: the gradient with respect to the weights, packed like `weights`.
        input_gradient: Output: the gradient with respect to the inputs, float32 [n, inputs], inputs a multiple of `LANES`;
            0 for inputs that are not positive. None to leave it out.
    """
    offsets = layer_offsets(sizes)
    indices = np.empty((sizes.max(), _BLOCK + ROWS), np.uint16)
    scale = np.empty(indices.shape, np.float32)
    above = np.empty(_BLOCK * padded_size(sizes[1:].max()), np.float32)
    below = np.empty_like(above)
    gradient[:] = 0
    for start in range(0, len(inputs), _BLOCK):
        samples = min(_BLOCK, len(inputs) - start)
        last = above[: samples * padded_size(sizes[-1])].reshape(samples, -1)
        last[:] = 0
        for sample in range(samples):
            copy_row(last[sample, : sizes[-1]], slopes[start + sample])
        for layer in range(len(sizes) - 1, 0, -1):
            rows = gradient[offsets[layer - 1, 0] : offsets[layer, 0]]
            deltas = above[: samples * padded_size(sizes[layer])].reshape(samples, -1)
            layer_weights = weights[offsets[layer - 1, 0] : offsets[layer, 0]]
            if layer == 1:
                layer_inputs = inputs[start : start + samples]
                _add_outer(layer_inputs, sizes[0], deltas, indices, scale, rows)
                if input_gradient is not None:
                    _backpropagate(
                        layer_weights, sizes[0], layer_inputs, deltas, sizes[1], input_gradient[start : start + samples]
                    )
                break
            before = _units_of(units, offsets, layer - 1, len(inputs))[start : start + samples]
            _add_outer(before, sizes[layer - 1], deltas, indices, scale, rows)
            _backpropagate(
                layer_weights,
                sizes[layer - 1],
                before,
                deltas,
                sizes[layer],
                below[: before.size].reshape(before.shape),
            )
            above, below = below, above


@njit
def _panel(flat, count, start, width):
    """Return one panel [count, at most `PANEL`] of a matrix that is stored in panels: its columns from `start` on.

    The matrix has `count` rows and `width` columns.
    """
    end = min(start + PANEL, width)
    return flat[count * start : count * end].reshape(count, end - start)


@njit
def _add_outer(values, inputs, slopes, indices, scale, gradient):
    """Add the gradient of a layer's weights: outer products of its inputs and unit gradients, summed over samples.

    Args:
        values: Inputs of the layer, [samples, inputs or more]; those that are not positive count as 0.
        inputs: Number of inputs.
        slopes: Gradient of the loss with respect to the layer's units, [samples, padded outputs].
        indices: Working memory for the samples in which each input is active.
        scale: Working memory for the values of the inputs in these samples.
        gradient: Output: gradient of the layer's weights, in panels, changed in place; the last row is the bias.
    """
    samples, width = slopes.shape
    count = _list_leaves(values, inputs, indices, scale)
    for start in range(0, width, PANEL):
        part = slopes[:, start : start + PANEL].copy()
        rows = _panel(gradient, inputs + 1, start, width)
        add_rows(part.reshape(-1), samples, indices, scale, count, rows[:inputs])
        for sample in range(samples):
            for j in range(part.shape[1]):
                rows[inputs, j] += part[sample, j]


@njit
def _list_leaves(values, inputs, indices, scale):
    """List, for each input of a layer, the samples in which it is positive (`indices`) and its values there (`scale`).

    Returns how many samples are listed for each input (int64 [inputs]).
    """
    count = np.zeros(inputs, np.int64)
    for start in range(0, inputs, PANEL):
        # copied first: where rows lie a power of two apart, columns are slow to read
        part = values[:, start : min(start + PANEL, inputs)].copy()
        for i in range(part.shape[1]):
            n = 0
            for sample in range(len(part)):
                indices[start + i, n], scale[start + i, n] = sample, part[sample, i]
                n += part[sample, i] > 0
            count[start + i] = n
    return count


@njit
def _backpropagate(rows, inputs, units, slopes, outputs, out):
    """Compute the gradient of the loss with respect to a layer's inputs from that with respect to its outputs.

    The weights are transposed one panel of inputs at a time, since one panel fits into the second-level cache.

    Args:
        rows: Weights of the layer, [inputs + 1, padded outputs] in panels.
        inputs: Number of inputs.
        units: Inputs of the layer, before ReLU, [samples, inputs or more].
        slopes: Gradient with respect to the outputs, [samples, padded outputs].
        outputs: Number of outputs.
        out: Output: [samples, padded inputs]; 0 where ReLU is 0.
    """
    samples, width = out.shape
    indices = np.empty((samples, outputs + ROWS), np.uint32)
    scale = np.empty(indices.shape, np.float32)
    lengths = _list_nonzero(slopes, outputs, indices, scale)
    buffer = np.zeros(outputs * PANEL, np.float32)
    out[:] = 0
    for start in range(0, width, PANEL):
        end = min(start + PANEL, width)
        columns = buffer[: outputs * (end - start)].reshape(outputs, end - start)
        _transpose_panel(rows, inputs, start, columns)
        add_rows(columns.reshape(-1), outputs, indices, scale, lengths, out[:, start:end])
    for sample in range(samples):
        for i in range(units.shape[1]):
            out[sample, i] = out[sample, i] if units[sample, i] > 0 else np.float32(0)


@njit
def _transpose_panel(rows, inputs, start, columns):
    """Transpose the weights of a panel of inputs: write those of the inputs from `start` on into `columns`.

    `columns` is [outputs, at most `PANEL` inputs]. The bias is left out.
    """
    outputs, width = columns.shape
    columns[:, inputs - start :] = 0
    for output in range(0, outputs, PANEL):
        panel = _panel(rows, inputs + 1, output, padded_size(outputs))
        transpose(panel[start : min(start + width, inputs), : outputs - output], columns[output : output + PANEL])


@njit
def _list_nonzero(slopes, outputs, indices, scale):
    """List, for each sample, the outputs whose gradient is not 0 (`indices`) and these gradients (`scale`).

    Returns how many outputs are listed for each sample (int64 [samples]).
    """
    lengths = np.zeros(len(slopes), np.int64)
    for sample in range(len(slopes)):
        n = 0
        for j in range(outputs):
            indices[sample, n], scale[sample, n] = j, slopes[sample, j]
            n += slopes[sample, j] != 0
        lengths[sample] = n
    return lengths


@njit
def _flush_denormal(moment):
    """Return an optimizer's moment unchanged, but 0 if it is at most `_SMALLEST_MOMENT` in size.

    By repeated decay it would become a denormal number, on which processors are slow.
    """
    return np.float32(0) if abs(moment) <= _SMALLEST_MOMENT else moment  # NaN stays NaN, so that it is noticed


@njit
def adam(weights, gradient, mean, square, learning_rate, betas, epsilon, step):
    """Update `weights` in place by step `step` (from 1) of the optimizer Adam.

    `mean` and `square` are the moving averages of the gradient and of its square, updated in place.
    """
    mean_rate, square_rate = np.float32(1 - betas[0]), np.float32(1 - betas[1])
    square_decay = np.float32(betas[1])
    step_size = np.float32(learning_rate / (1 - betas[0] ** step))
    square_correction = np.float32(math.sqrt(1 - betas[1] ** step))
    small = np.float32(epsilon)
    for i in range(len(weights)):
        mean[i] = _flush_denormal(mean[i] + mean_rate * (gradient[i] - mean[i]))
        square[i] = _flush_denormal(square_decay * square[i] + square_rate * (gradient[i] * gradient[i]))
        weights[i] -= step_size * (mean[i] / (math.sqrt(square[i]) / square_correction + small))


@njit
def rms_prop(weights, gradient, square, learning_rate, decay, epsilon):
    """Update `weights` in place by one step of the optimizer RMSprop.

    `square` is the moving average of the squared gradient, updated in place.
    """
    square_decay, square_rate = np.float32(decay), np.float32(1 - decay)
    step_size, small = np.float32(learning_rate), np.float32(epsilon)
    for i in range(len(weights)):
        square[i] = _flush_denormal(square_decay * square[i] + square_rate * (gradient[i] * gradient[i]))
        weights[i] -= step_size * (gradient[i] / (math.sqrt(square[i]) + small))


@njit
def sgd(weights, gradient, learning_rate):
    """Update `weights` in place by one step of gradient descent: subtract `learning_rate` times `gradient`."""
    step_size = np.float32(learning_rate)
    for i in range(len(weights)):
        weights[i] -= step_size * gradient[i]


@njit
def clip(gradient, max_norm):
    """Scale `gradient` in place to the Euclidean norm `max_norm` if its norm is greater.

    Its length must be a multiple of `LANES`.
    """
    # one sum per lane: the order of additions is fixed, and still many run at once
    sums = np.zeros(LANES)
    for i in range(0, len(gradient), LANES):
        for j in range(LANES):
            sums[j] += np.float64(gradient[i + j]) ** 2
    norm = math.sqrt(sums.sum())
    if norm > max_norm:
        factor = np.float32(max_norm / (norm + 1e-6))
        for i in range(len(gradient)):
            gradient[i] *= factor
