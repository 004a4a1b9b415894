"""Sparse row sums and the gradient of a perceptron equal those of plain numpy, and these equal finite differences."""

import numpy as np
import pytest
from numba.core.errors import TypingError

from cardgames.kernels.jit import njit
from cardgames.kernels.sparse_matmul import LANES, PANEL, ROWS, add_rows, aligned, from_panels, padded_size, to_panels
from cardgames.kernels.transpose import transpose
from cardgames.networks import mlp_training
from cardgames.networks.network import Mlp
from cardgames.networks.network_file import random_network

SIZES = [(7, 3), (240, 64, 61), (20, 17, 100, 3, 1), (30, 150, 200, 61)]
SAMPLES = [0, 1, 64, 150]


def example(sizes: tuple[int, ...], n: int) -> tuple[Mlp, np.ndarray, np.ndarray]:
    """Return a network with biases, inputs [n, inputs] (a third set to 1 or 2), and slopes of the outputs."""
    random = np.random.default_rng(sum(sizes) + n)
    network = random_network(sizes, 0, "none", "none")
    network.weights[:] += (network.weights == 0) * random.normal(0, 0.1, len(network.weights)).astype(np.float32)
    inputs = (random.random((n, sizes[0])) < 1 / 3) * random.integers(1, 3, (n, sizes[0]))
    return network, inputs.astype(np.int8), random.normal(size=(n, sizes[-1])).astype(np.float32)


def units_by_numpy(layers, inputs):
    """Return the inputs, and the units of every layer before ReLU, in float64."""
    units = [inputs.astype(np.float64)]
    for number, (weight, bias) in enumerate(layers):
        layer_inputs = np.maximum(units[-1], 0) if number else units[-1]
        units.append(layer_inputs @ weight.T + bias)
    return units


def gradient_by_numpy(layers, inputs, slopes):
    """Return the gradient of each layer's weights and biases by the chain rule, in float64."""
    units = units_by_numpy(layers, inputs)
    gradients, passed = [], slopes.astype(np.float64)
    for number in reversed(range(len(layers))):
        layer_inputs = np.maximum(units[number], 0) if number else units[number]
        gradients.append((passed.T @ layer_inputs, passed.sum(axis=0)))
        passed = (passed @ layers[number][0]) * (units[number] > 0)
    return gradients[::-1]


def packed_gradient(network, inputs, slopes):
    """Return the outputs and the packed gradient that the kernels compute."""
    sizes, n = network.kernel_sizes, len(inputs)
    units = aligned(np.empty(n * mlp_training.layer_offsets(sizes)[-1, 1], np.float32))
    out, gradient = np.empty((n, network.sizes[-1]), np.float32), np.full_like(network.weights, np.nan)
    mlp_training.forward(network.weights, sizes, inputs, units, out)
    mlp_training.backward(network.weights, sizes, inputs, units, slopes, gradient, None)
    return out, gradient


def kernel_gradient(network, inputs, slopes):
    """Return the outputs that the kernels compute, and the gradient of each layer."""
    out, gradient = packed_gradient(network, inputs, slopes)
    return out, Mlp(network.sizes, gradient, "", "").layers()


@njit
def add_in_kernel(matrix, count, indices, scale, lengths, out):
    add_rows(matrix, count, indices, scale, lengths, out)


@pytest.mark.parametrize("kind", [np.uint16, np.uint32, np.uint64])
@pytest.mark.parametrize("width", [LANES, PANEL, PANEL + 3 * LANES, 2 * PANEL])
@pytest.mark.parametrize("gap", [0, 5])
@pytest.mark.parametrize(("rows", "ordered"), [(9, False), (300, False), (300, True), (3000, True)])
def test_compiled_add_rows_has_the_same_bits_as_in_python(
    width: int, gap: int, kind: type, rows: int, ordered: bool
) -> None:
    random, lengths = np.random.default_rng(gap), np.array([0, 1, 4, 30, *range(70)])
    matrix = random.normal(size=rows * width).astype(np.float32)
    indices = random.integers(rows, size=(len(lengths), lengths.max() + ROWS)).astype(kind)
    if ordered:
        indices.sort(axis=1)
    scale = random.normal(size=indices.shape).astype(np.float32)
    out = random.normal(size=(len(lengths), width + gap)).astype(np.float32)
    plain = out.copy()
    add_rows(matrix, rows, indices.copy(), scale.copy(), lengths, plain[:, :width])
    add_in_kernel(matrix, rows, indices, scale, lengths, out[:, :width])
    np.testing.assert_array_equal(out.view(np.uint32), plain.view(np.uint32))


def test_panel_holds_some_columns_of_all_rows() -> None:
    rows = np.arange(2 * (PANEL + LANES), dtype=np.float32).reshape(2, -1)
    first, second = rows
    plain = [*first[:PANEL], *second[:PANEL], *first[PANEL:], *second[PANEL:]]
    np.testing.assert_array_equal(to_panels(rows), plain)
    np.testing.assert_array_equal(from_panels(to_panels(rows), 2), rows)


@njit
def transpose_in_kernel(matrix, out):
    transpose(matrix, out)


@pytest.mark.parametrize("shape", [(1, 1), (LANES, LANES), (3 * LANES, LANES), (LANES + 3, 2 * LANES + 7), (5, 40)])
def test_transpose_in_kernel_equals_numpy_transpose(shape: tuple[int, int]) -> None:
    n, m = shape
    wide = np.arange(n * (m + 2), dtype=np.float32).reshape(n, m + 2)
    out, plain = np.zeros((2, m + 1, n + 3), np.float32)
    transpose_in_kernel(wide[:, 1:-1], out)
    transpose(wide[:, 1:-1], plain)
    np.testing.assert_array_equal(out, plain)
    np.testing.assert_array_equal(out[:m, :n], wide[:, 1:-1].T)
    assert not out[m:].any()
    assert not out[:, n:].any()


def test_arrays_in_fortran_order_are_refused() -> None:
    columns, rows = np.zeros((LANES, LANES), np.float32, order="F"), np.zeros((LANES, LANES), np.float32)
    indices, lengths = np.zeros((LANES, ROWS), np.uint32), np.zeros(LANES, np.int64)
    for arrays in ((columns, rows), (rows, columns)):
        with pytest.raises(TypingError):
            transpose_in_kernel(*arrays)
    with pytest.raises(TypingError):
        add_in_kernel(rows.ravel(), LANES, indices, rows[:, :ROWS].copy(), lengths, columns)


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("n", SAMPLES)
def test_forward_has_the_same_bits_as_network_evaluation(sizes: tuple[int, ...], n: int) -> None:
    network, inputs, slopes = example(sizes, n)
    np.testing.assert_array_equal(kernel_gradient(network, inputs, slopes)[0], network(inputs))


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("n", SAMPLES)
def test_kernel_gradient_equals_the_chain_rule_in_numpy(sizes: tuple[int, ...], n: int) -> None:
    network, inputs, slopes = example(sizes, n)
    _, layers = kernel_gradient(network, inputs, slopes)
    for layer, expected_layer in zip(layers, gradient_by_numpy(network.layers(), inputs, slopes), strict=True):
        for part, expected in zip(layer, expected_layer, strict=True):
            np.testing.assert_allclose(part, expected, rtol=1e-4, atol=1e-5 * np.abs(expected).max(initial=0))


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("n", SAMPLES)
def test_input_gradient_equals_the_chain_rule_in_numpy(sizes: tuple[int, ...], n: int) -> None:
    network, _, slopes = example(sizes, n)
    features = np.maximum(np.random.default_rng(n).normal(size=(n, sizes[0])), 0).astype(np.float32)
    units = aligned(np.empty(n * mlp_training.layer_offsets(network.kernel_sizes)[-1, 1], np.float32))
    gradient, out = np.empty_like(network.weights), np.empty((n, sizes[-1]), np.float32)
    input_gradient = np.full((n, padded_size(sizes[0])), np.nan, np.float32)
    mlp_training.forward(network.weights, network.kernel_sizes, features, units, out)
    mlp_training.backward(network.weights, network.kernel_sizes, features, units, slopes, gradient, input_gradient)
    passed = slopes.astype(np.float64)
    for (weight, _), layer_inputs in zip(
        network.layers()[::-1], units_by_numpy(network.layers(), features)[-2::-1], strict=True
    ):
        passed = (passed @ weight) * (layer_inputs > 0)
    np.testing.assert_allclose(
        input_gradient[:, : sizes[0]], passed, rtol=1e-4, atol=1e-5 * np.abs(passed).max(initial=0)
    )


def test_chain_rule_in_numpy_equals_finite_differences() -> None:
    network, inputs, slopes = example((6, 5, 4, 3), 8)
    layers = [(weight.astype(np.float64), bias.astype(np.float64)) for weight, bias in network.layers()]
    for number, parts in enumerate(gradient_by_numpy(layers, inputs, slopes)):
        for part, expected in enumerate(parts):
            for place in np.ndindex(expected.shape):
                loss = []
                for change in (1e-6, -2e-6):
                    layers[number][part][place] += change
                    loss.append((units_by_numpy(layers, inputs)[-1] * slopes).sum())
                layers[number][part][place] += 1e-6
                assert (loss[0] - loss[1]) / 2e-6 == pytest.approx(expected[place], abs=1e-6)


def test_gradient_of_padding_is_zero() -> None:
    sizes = (7, 70, 3)
    network, inputs, slopes = example(sizes, 20)
    _, gradient = packed_gradient(network, inputs, slopes)
    end = 8 * padded_size(70)
    assert not from_panels(gradient[:end], 8)[:, 70:].any()
    assert not from_panels(gradient[end:], 71)[:, 3:].any()


def test_layer_offsets_end_at_the_size_of_packed_weights() -> None:
    for sizes in SIZES:
        offsets = mlp_training.layer_offsets(np.array(sizes, np.int64))
        assert offsets[-1, 0] == len(random_network(sizes, 0, "none", "none").weights)
        assert offsets[-1, 1] == sum(padded_size(outputs) for outputs in sizes[1:])


def test_clip_scales_a_long_gradient_to_the_maximal_norm() -> None:
    long = np.random.default_rng(0).normal(size=4 * LANES).astype(np.float32)
    short = long.copy()
    mlp_training.clip(long, 0.5)
    assert np.linalg.norm(long) == pytest.approx(0.5, rel=1e-5)
    mlp_training.clip(short, 1e3)
    np.testing.assert_array_equal(short, np.random.default_rng(0).normal(size=4 * LANES).astype(np.float32))


def test_tiny_moments_of_adam_become_zero() -> None:
    weights, unchanged = np.ones((2, LANES), np.float32)
    mean, square = np.full((2, LANES), 1e-30, np.float32)
    mlp_training.adam(weights, 0 * unchanged, mean, square, 1e-3, (0.9, 0.999), 1e-8, 5)
    assert not mean.any() and not square.any()
    np.testing.assert_array_equal(weights, unchanged)


def test_nan_in_the_gradient_shows_in_the_weights() -> None:
    weights, slopes = np.ones((2, LANES), np.float32)
    slopes[0] = np.nan
    mean, square = np.zeros((2, LANES), np.float32)
    mlp_training.adam(weights, slopes, mean, square, 1e-3, (0.9, 0.999), 1e-8, 1)
    assert np.isnan(weights[0]) and np.isfinite(weights[1:]).all()
