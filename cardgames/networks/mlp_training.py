"""The gradient of a perceptron's weights, and steps along it, inside kernels; layouts and sparsity as in `networks.mlp`.

Forwards a layer is a sum of weight rows. Backwards all is a sum of rows too: what a weight row's gradient is, of the
leaves in which its input is active; what a leaf passes on, of the columns of the weights, which are turned into rows
a panel at a time. So nothing is reordered, and the same numbers give the same weights.
"""

import math

import numpy as np

from cardgames.kernels.copying import copy_row
from cardgames.kernels.jit import njit
from cardgames.kernels.sparse_matmul import LANES, PANEL, ROWS, add_rows, padded_size
from cardgames.kernels.transpose import transpose
from cardgames.networks.mlp import allocate_active_lists, list_active

_BLOCK = 64  # leaves whose slopes in a panel fit the first cache
_SMALLEST_MOMENT = np.float32(1e-30)


@njit
def layer_offsets(sizes):
    """Return where weights and units (of one leaf) of each layer begin and the last ones end (int64 [layers + 1, 2])."""
    found = np.zeros((len(sizes), 2), np.int64)
    for layer in range(1, len(sizes)):
        inputs, outputs = sizes[layer - 1], sizes[layer]
        found[layer, 0] = found[layer - 1, 0] + (inputs + 1) * padded_size(outputs)
        found[layer, 1] = found[layer - 1, 1] + padded_size(outputs)
    return found


@njit
def forward(weights, sizes, inputs, units, out):
    """Write the outputs for many leaves into `out`, the bits of `networks.mlp.mlp_batch`, and all units into `units`.

    `units` is flat, of each layer [n, padded outputs] before ReLU: n times the `layer_offsets` of the last ones' end.
    """
    offsets, n = layer_offsets(sizes), len(inputs)
    active, scale, count = allocate_active_lists(min(_BLOCK, n), sizes)
    for start in range(0, n, _BLOCK):
        end = min(start + _BLOCK, n)
        lengths = count[: end - start]
        list_active(inputs[start:end], sizes[0], active, scale, lengths)
        for layer in range(1, len(sizes)):
            rows = weights[offsets[layer - 1, 0] : offsets[layer, 0]]
            made = _units_of(units, offsets, layer, n)[start:end]
            made[:] = 0
            add_rows(rows, sizes[layer - 1] + 1, active, scale, lengths, made)
            if layer < len(sizes) - 1:
                list_active(made, sizes[layer], active, scale, lengths)
    last = _units_of(units, offsets, len(sizes) - 1, n)
    for row in range(n):
        copy_row(out[row], last[row])


@njit
def _units_of(units, offsets, layer, n):
    """Return the units of all `n` leaves in a layer (the first hidden one is 1): [n, padded outputs]."""
    start, end = offsets[layer - 1, 1], offsets[layer, 1]
    return units[n * start : n * end].reshape(n, end - start)


@njit
def backward(weights, sizes, inputs, units, slopes, gradient, input_gradient):
    """Write the gradient of the loss with respect to all weights into `gradient`, flat and packed as `weights`.

    `slopes` (float32 [n, outputs]) is the gradient with respect to the outputs; `units` is what `forward` kept. The one with
    respect to the inputs, 0 for such as are not positive, goes into `input_gradient` (float32 [n, inputs], inputs in whole
    `LANES`) unless that is None.
    """
    offsets = layer_offsets(sizes)
    indices = np.empty((sizes.max(), _BLOCK + ROWS), np.uint16)
    scale = np.empty(indices.shape, np.float32)
    above = np.empty(_BLOCK * padded_size(sizes[1:].max()), np.float32)
    below = np.empty_like(above)
    gradient[:] = 0
    for start in range(0, len(inputs), _BLOCK):
        leaves = min(_BLOCK, len(inputs) - start)
        last = above[: leaves * padded_size(sizes[-1])].reshape(leaves, -1)
        last[:] = 0
        for leaf in range(leaves):
            copy_row(last[leaf, : sizes[-1]], slopes[start + leaf])
        for layer in range(len(sizes) - 1, 0, -1):
            rows = gradient[offsets[layer - 1, 0] : offsets[layer, 0]]
            deltas = above[: leaves * padded_size(sizes[layer])].reshape(leaves, -1)
            layer_weights = weights[offsets[layer - 1, 0] : offsets[layer, 0]]
            if layer == 1:
                layer_inputs = inputs[start : start + leaves]
                _add_outer(layer_inputs, sizes[0], deltas, indices, scale, rows)
                if input_gradient is not None:
                    _backpropagate(
                        layer_weights, sizes[0], layer_inputs, deltas, sizes[1], input_gradient[start : start + leaves]
                    )
                break
            before = _units_of(units, offsets, layer - 1, len(inputs))[start : start + leaves]
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
    """Return the panel of `count` rows of `width` columns that begins at the column `start`: [count, at most PANEL]."""
    end = min(start + PANEL, width)
    return flat[count * start : count * end].reshape(count, end - start)


@njit
def _add_outer(values, inputs, slopes, indices, scale, gradient):
    """Add to each input's row of `gradient` (in panels) the `slopes` of the leaves in which it is active, times its value
    there, and to the bias's those of all.

    `values` is [leaves, inputs or more], `slopes` [leaves, padded outputs]; `indices` and `scale` are room for lists.
    """
    leaves, width = slopes.shape
    count = _list_leaves(values, inputs, indices, scale)
    for start in range(0, width, PANEL):
        part = slopes[:, start : start + PANEL].copy()
        rows = _panel(gradient, inputs + 1, start, width)
        add_rows(part.reshape(-1), leaves, indices, scale, count, rows[:inputs])
        for leaf in range(leaves):
            for j in range(part.shape[1]):
                rows[inputs, j] += part[leaf, j]


@njit
def _list_leaves(values, inputs, indices, scale):
    """List for each input the leaves in which it is active; return how many these are (int64 [inputs])."""
    count = np.zeros(inputs, np.int64)
    for start in range(0, inputs, PANEL):
        # rows may lie a power of two apart, and columns of such are slow to read
        part = values[:, start : min(start + PANEL, inputs)].copy()
        for i in range(part.shape[1]):
            n = 0
            for leaf in range(len(part)):
                indices[start + i, n], scale[start + i, n] = leaf, part[leaf, i]
                n += part[leaf, i] > 0
            count[start + i] = n
    return count


@njit
def _backpropagate(rows, inputs, units, slopes, outputs, out):
    """Write the slopes of a layer's `units` into `out` ([leaves, padded inputs]), from those of its outputs.

    `rows` are the layer's weights, [inputs + 1, padded outputs] in panels. What of them is about a panel of the units is
    transposed for it alone, since that fits the second cache.
    """
    leaves, width = out.shape
    indices = np.empty((leaves, outputs + ROWS), np.uint32)
    scale = np.empty(indices.shape, np.float32)
    lengths = _list_nonzero(slopes, outputs, indices, scale)
    room = np.zeros(outputs * PANEL, np.float32)
    out[:] = 0
    for start in range(0, width, PANEL):
        end = min(start + PANEL, width)
        columns = room[: outputs * (end - start)].reshape(outputs, end - start)
        _transpose_panel(rows, inputs, start, columns)
        add_rows(columns.reshape(-1), outputs, indices, scale, lengths, out[:, start:end])
    for leaf in range(leaves):
        for i in range(units.shape[1]):
            out[leaf, i] = out[leaf, i] if units[leaf, i] > 0 else np.float32(0)


@njit
def _transpose_panel(rows, inputs, start, columns):
    """Write the weights of the inputs from `start` on, without the bias, into `columns` ([outputs, at most PANEL])."""
    outputs, width = columns.shape
    columns[:, inputs - start :] = 0
    for output in range(0, outputs, PANEL):
        panel = _panel(rows, inputs + 1, output, padded_size(outputs))
        transpose(panel[start : min(start + width, inputs), : outputs - output], columns[output : output + PANEL])


@njit
def _list_nonzero(slopes, outputs, indices, scale):
    """List for each leaf the outputs whose slopes are not 0; return how many these are (int64 [leaves])."""
    lengths = np.zeros(len(slopes), np.int64)
    for leaf in range(len(slopes)):
        n = 0
        for j in range(outputs):
            indices[leaf, n], scale[leaf, n] = j, slopes[leaf, j]
            n += slopes[leaf, j] != 0
        lengths[leaf] = n
    return lengths


@njit
def _flush_denormal(moment):
    """Return 0 for a moment of no account: halved for ever, it would become a denormal, which processors are slow with."""
    return np.float32(0) if abs(moment) <= _SMALLEST_MOMENT else moment  # what is no number stays, and is seen


@njit
def adam(weights, gradient, mean, square, learning_rate, betas, epsilon, step):
    """Take step number `step` (from 1 on) of Adam; `mean` and `square` are its moments, moved along."""
    low, high = np.float32(1 - betas[0]), np.float32(1 - betas[1])
    keep = np.float32(betas[1])
    step_size = np.float32(learning_rate / (1 - betas[0] ** step))
    root = np.float32(math.sqrt(1 - betas[1] ** step))
    small = np.float32(epsilon)
    for i in range(len(weights)):
        mean[i] = _flush_denormal(mean[i] + low * (gradient[i] - mean[i]))
        square[i] = _flush_denormal(keep * square[i] + high * (gradient[i] * gradient[i]))
        weights[i] -= step_size * (mean[i] / (math.sqrt(square[i]) / root + small))


@njit
def rms_prop(weights, gradient, square, learning_rate, decay, epsilon):
    """Take a step of RMSprop; `square` is its moment, moved along."""
    keep, new = np.float32(decay), np.float32(1 - decay)
    step_size, small = np.float32(learning_rate), np.float32(epsilon)
    for i in range(len(weights)):
        square[i] = _flush_denormal(keep * square[i] + new * (gradient[i] * gradient[i]))
        weights[i] -= step_size * (gradient[i] / (math.sqrt(square[i]) + small))


@njit
def sgd(weights, gradient, learning_rate):
    """Take a step of plain descent."""
    step_size = np.float32(learning_rate)
    for i in range(len(weights)):
        weights[i] -= step_size * gradient[i]


@njit
def clip(gradient, max_norm):
    """Scale the gradient down to the length `max_norm` if it is longer."""
    # a sum a lane adds in a fixed order, and still many at once
    sums = np.zeros(LANES)
    for i in range(0, len(gradient), LANES):
        for j in range(LANES):
            sums[j] += np.float64(gradient[i + j]) ** 2
    length = math.sqrt(sums.sum())
    if length > max_norm:
        factor = np.float32(max_norm / (length + 1e-6))
        for i in range(len(gradient)):
            gradient[i] *= factor
