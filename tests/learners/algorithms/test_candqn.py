"""Tests of CANDQN: its tied perceptron has the outputs and gradients of two explicit branches."""

import numpy as np
import pytest

import cardgames
from cardgames.learners.algorithms.afcandqn import AfcandqnSettings
from cardgames.learners.algorithms.candqn import Branches, Candqn, CandqnSettings
from cardgames.learners.networks.optimizers import Adam, Optimizer, Sgd
from cardgames.learners.networks.trainable import Trainable
from cardgames.learners.networks.trainable_factory import make_trainable

BRANCHES = Branches(5, 7)
SIZES = (240, BRANCHES.units, 9, 4)


def network(optimizer: Optimizer, device: str = "kernel") -> Trainable:
    return make_trainable(SIZES, optimizer, seed=3, device=device, weight_tying=BRANCHES)


def states(n: int, seed: int = 0) -> np.ndarray:
    """Return encoded random hands, each with a top card."""
    random = np.random.default_rng(seed)
    encoded = (random.random((n, 240)) < 0.2).astype(np.int8)
    encoded[:, 180:] = 0
    encoded[range(n), 180 + random.integers(60, size=n)] = 1
    return encoded


def shared_weights(first: np.ndarray) -> dict[str, np.ndarray]:
    """Return the independent weights of the first layer: for the hand, for each color, for each number."""
    top = first[:, 180:].reshape(-1, 4, 15)
    return {
        "color hand": first[:5, :180].copy(),
        "color": top[:5, :, 0].copy(),
        "number hand": first[5:12, :180].copy(),
        "number": top[5:12, 0, :].copy(),
    }


def branch_outputs(parts: dict[str, np.ndarray], rest: dict[str, np.ndarray], inputs: np.ndarray) -> np.ndarray:
    """Return the outputs of the two branches and the layers after them as in section 5.3, in double precision."""
    hand, card = inputs[:, :180], inputs[:, 180:].argmax(axis=1)
    color, number = card // 15, card % 15
    x_c = np.maximum(0, hand @ parts["color hand"].T + parts["color"][:, color].T + rest["0.bias"][:5])
    x_n = np.maximum(0, hand @ parts["number hand"].T + parts["number"][:, number].T + rest["0.bias"][5:12])
    features = np.hstack([x_c, x_n, inputs[:, 180:]])
    hidden = np.maximum(0, features @ rest["2.weight"].T + rest["2.bias"])
    return np.asarray(hidden @ rest["4.weight"].T + rest["4.bias"])


def to_float64(tensors: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    return {name: tensor.astype(np.float64) for name, tensor in tensors.items()}


def learn(tied: Trainable, steps: int) -> None:
    """Take `steps` steps that move all outputs towards 1."""
    for step in range(steps):
        outputs = tied.forward(states(16, step))
        tied.step((outputs - 1) / 16)


@pytest.mark.parametrize("steps", [0, 20])
def test_tied_perceptron_equals_two_branches(steps: int) -> None:
    tied = network(Adam(0.01))
    learn(tied, steps)
    tensors, inputs = to_float64(tied.tensors()), states(50, 99)
    expected = branch_outputs(shared_weights(tensors["0.weight"]), tensors, inputs)
    assert np.allclose(tied.outputs(inputs), expected, atol=1e-5)


@pytest.mark.parametrize("device", ["kernel", "cpu"])
def test_tied_weights_follow_gradient_of_shared_weight(device: str) -> None:
    if device == "cpu":
        pytest.importorskip("torch")
    tied, inputs = network(Sgd(0.5), device), states(40)
    slopes = np.random.default_rng(2).normal(size=(40, 4)).astype(np.float32)
    tensors = to_float64(tied.tensors())
    tied.forward(inputs)
    tied.step(slopes)
    moved = shared_weights(to_float64(tied.tensors())["0.weight"])
    before, random = shared_weights(tensors["0.weight"]), np.random.default_rng(5)
    for name, weights in before.items():
        for index in random.integers(weights.size, size=8):
            losses = []
            for change in (1e-6, -1e-6):
                parts = {other: array.copy() for other, array in before.items()}
                parts[name].flat[index] += change
                losses.append((branch_outputs(parts, tensors, inputs) * slopes).sum())
            slope = (losses[0] - losses[1]) / 2e-6
            assert (weights - moved[name]).flat[index] / 0.5 == pytest.approx(slope, rel=1e-3, abs=1e-4)


@pytest.mark.parametrize("device", ["kernel", "cpu"])
def test_tied_weights_stay_tied(device: str) -> None:
    if device == "cpu":
        pytest.importorskip("torch")
    tied = network(Adam(0.01), device)
    before = tied.tensors()["0.weight"]
    learn(tied, 50)
    weights, biases = tied.tensors()["0.weight"], tied.tensors()["0.bias"]
    top = weights[:, 180:].reshape(-1, 4, 15)
    assert (top[:5] == top[:5, :, :1]).all() and (top[5:12] == top[5:12, :1]).all()
    assert (weights[12:, :180] == 0).all() and (biases[12:] == 0).all()
    assert np.array_equal(weights[12:, 180:], np.eye(60))
    assert (weights[:12] != before[:12]).mean() > 0.9


def test_kernel_and_torch_training_agree() -> None:
    pytest.importorskip("torch")
    ours, theirs = network(Adam(0.01)), network(Adam(0.01), "cpu")
    for tied in (ours, theirs):
        learn(tied, 50)
    for name, tensor in theirs.tensors().items():
        np.testing.assert_allclose(ours.tensors()[name], tensor, rtol=1e-4, atol=1e-4 * np.abs(tensor).max())


def test_layer_sizes_are_those_of_the_paper() -> None:
    game = cardgames.make("uno", players=2, rules="rlcard-2022")
    tied = Candqn([game], CandqnSettings(), 0)
    assert tied.network().sizes == (240, 128 + 256 + 60, 512, 512, 61)
    assert tied.weight_tying == Branches(color_units=128, number_units=256)


@pytest.mark.parametrize("settings", [CandqnSettings, AfcandqnSettings])
def test_encodings_without_top_card_plane_are_refused(settings: type[CandqnSettings]) -> None:
    with pytest.raises(
        cardgames.InvalidInput, match=r"unknown encoding '54x5': did you mean 4x4x15\? choose from 4x4x15"
    ):
        settings(encoding="54x5")
