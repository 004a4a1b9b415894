"""CANDQN's network is two branches, written as one perceptron, and learns as if they were written out."""

import numpy as np
import pytest

import cardgames
from cardgames.learners.algorithms.afcandqn import AfcandqnSettings
from cardgames.learners.algorithms.candqn import Branches, Candqn, CandqnSettings
from cardgames.learners.networks.network_factory import make_trainable
from cardgames.learners.networks.optimizers import Adam, Optimizer, Sgd
from cardgames.learners.networks.trainable import Trainable

BRANCHES = Branches(5, 7)
SIZES = (240, BRANCHES.units, 9, 4)


def network(optimizer: Optimizer, device: str = "kernel") -> Trainable:
    return make_trainable(SIZES, optimizer, seed=3, device=device, weight_tying=BRANCHES)


def states(n: int, seed: int = 0) -> np.ndarray:
    """Random hands, and one top card each."""
    random = np.random.default_rng(seed)
    found = (random.random((n, 240)) < 0.2).astype(np.int8)
    found[:, 180:] = 0
    found[range(n), 180 + random.integers(60, size=n)] = 1
    return found


def parts_of(first: np.ndarray) -> dict[str, np.ndarray]:
    """The weights a person would write down: for the hand, for each colour, for each number."""
    top = first[:, 180:].reshape(-1, 4, 15)
    return {
        "color hand": first[:5, :180].copy(),
        "color": top[:5, :, 0].copy(),
        "number hand": first[5:12, :180].copy(),
        "number": top[5:12, 0, :].copy(),
    }


def by_hand(parts: dict[str, np.ndarray], rest: dict[str, np.ndarray], inputs: np.ndarray) -> np.ndarray:
    """Section 5.3 in so many words, in double precision."""
    hand, card = inputs[:, :180], inputs[:, 180:].argmax(axis=1)
    color, number = card // 15, card % 15
    x_c = np.maximum(0, hand @ parts["color hand"].T + parts["color"][:, color].T + rest["0.bias"][:5])
    x_n = np.maximum(0, hand @ parts["number hand"].T + parts["number"][:, number].T + rest["0.bias"][5:12])
    features = np.hstack([x_c, x_n, inputs[:, 180:]])
    hidden = np.maximum(0, features @ rest["2.weight"].T + rest["2.bias"])
    return np.asarray(hidden @ rest["4.weight"].T + rest["4.bias"])


def doubles(tensors: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    return {name: tensor.astype(np.float64) for name, tensor in tensors.items()}


def learn(made: Trainable, steps: int) -> None:
    """So many steps that pull all outputs towards 1."""
    for step in range(steps):
        outputs = made.forward(states(16, step))
        made.step((outputs - 1) / 16)


@pytest.mark.parametrize("steps", [0, 20])
def test_the_perceptron_is_two_branches_and_the_card_on_top(steps: int) -> None:
    made = network(Adam(0.01))
    learn(made, steps)
    tensors, inputs = doubles(made.tensors()), states(50, 99)
    expected = by_hand(parts_of(tensors["0.weight"]), tensors, inputs)
    assert np.allclose(made.outputs(inputs), expected, atol=1e-5)


@pytest.mark.parametrize("device", ["kernel", "cpu"])
def test_weights_that_are_one_move_by_the_gradient_of_that_one(device: str) -> None:
    if device == "cpu":
        pytest.importorskip("torch")
    made, inputs = network(Sgd(0.5), device), states(40)
    slopes = np.random.default_rng(2).normal(size=(40, 4)).astype(np.float32)
    tensors = doubles(made.tensors())
    made.forward(inputs)
    made.step(slopes)
    moved = parts_of(doubles(made.tensors())["0.weight"])
    before, random = parts_of(tensors["0.weight"]), np.random.default_rng(5)
    for name, weights in before.items():
        for at in random.integers(weights.size, size=8):
            losses = []
            for change in (1e-6, -1e-6):
                parts = {other: array.copy() for other, array in before.items()}
                parts[name].flat[at] += change
                losses.append((by_hand(parts, tensors, inputs) * slopes).sum())
            slope = (losses[0] - losses[1]) / 2e-6
            assert (weights - moved[name]).flat[at] / 0.5 == pytest.approx(slope, rel=1e-3, abs=1e-4)


@pytest.mark.parametrize("device", ["kernel", "cpu"])
def test_what_is_bound_stays_bound(device: str) -> None:
    if device == "cpu":
        pytest.importorskip("torch")
    made = network(Adam(0.01), device)
    before = made.tensors()["0.weight"]
    learn(made, 50)
    weights, biases = made.tensors()["0.weight"], made.tensors()["0.bias"]
    top = weights[:, 180:].reshape(-1, 4, 15)
    assert (top[:5] == top[:5, :, :1]).all() and (top[5:12] == top[5:12, :1]).all()
    assert (weights[12:, :180] == 0).all() and (biases[12:] == 0).all()
    assert np.array_equal(weights[12:, 180:], np.eye(60))
    assert (weights[:12] != before[:12]).mean() > 0.9


def test_kernels_and_torch_take_the_same_steps() -> None:
    pytest.importorskip("torch")
    ours, theirs = network(Adam(0.01)), network(Adam(0.01), "cpu")
    for made in (ours, theirs):
        learn(made, 50)
    for name, tensor in theirs.tensors().items():
        np.testing.assert_allclose(ours.tensors()[name], tensor, rtol=1e-4, atol=1e-4 * np.abs(tensor).max())


def test_a_learner_has_the_papers_sizes() -> None:
    game = cardgames.make("uno", players=2, rules="rlcard-2022")
    made = Candqn([game], CandqnSettings(), 0)
    assert made.network().sizes == (240, 128 + 256 + 60, 512, 512, 61)
    assert made.weight_tying == Branches(color_units=128, number_units=256)


@pytest.mark.parametrize("settings", [CandqnSettings, AfcandqnSettings])
def test_only_planes_with_a_top_card_have_branches(settings: type[CandqnSettings]) -> None:
    with pytest.raises(
        cardgames.InvalidInput, match=r"unknown encoding '54x5': did you mean 4x4x15\? choose from 4x4x15"
    ):
        settings(encoding="54x5")
