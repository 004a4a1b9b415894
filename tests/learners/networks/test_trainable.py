"""Tests of trainable networks: kernels against torch, resuming, copies, errors."""

from dataclasses import replace

import numpy as np
import pytest

from cardgames.learners.networks import losses
from cardgames.learners.networks.kernel_network import KernelTrainable
from cardgames.learners.networks.optimizers import Adam, Optimizer, RmsProp, Sgd
from cardgames.learners.networks.trainable import Trainable
from cardgames.learners.networks.trainable_factory import initial_tensors, make_trainable
from cardgames.networks.network_file import network_of
from cardgames.search.torch_evaluator import to_torch_module
from cardgames.support.errors import InvalidInput

torch = pytest.importorskip("torch")

SIZES = (40, 24, 17, 6)
DEVICES = ["kernel", "cpu"]
OPTIMIZERS = [Adam(), Adam(max_norm=0.05), RmsProp(), Sgd(0.1)]


def learn(network: Trainable, steps: int, seed: int = 0) -> Trainable:
    """Take `steps` steps on random data, and return the network."""
    random = np.random.default_rng(seed)
    for _ in range(steps):
        inputs = (random.random((32, network.sizes[0])) < 0.25).astype(np.int8)
        actions, targets = random.integers(network.sizes[-1], size=32), random.random(32, np.float32)
        _, gradient = losses.action_loss(network.forward(inputs), actions, targets)
        network.step(gradient)
    return network


def assert_same(a: dict[str, np.ndarray], b: dict[str, np.ndarray]) -> None:
    assert a.keys() == b.keys()
    for name in a:
        np.testing.assert_array_equal(a[name], b[name], err_msg=name)


class Unknown(Optimizer):
    """Optimizer that neither kernels nor torch have."""


def test_optimizer_constants_are_those_of_their_sources() -> None:
    assert (Adam.betas, Adam.epsilon) == ((0.9, 0.999), 1e-8), "Kingma and Ba's"
    assert (RmsProp.decay, RmsProp.epsilon) == (0.99, 1e-5), "RLCard's DMC's"


@pytest.mark.parametrize("device", DEVICES)
def test_unknown_optimizer_is_refused(device: str) -> None:
    with pytest.raises(InvalidInput, match=r"no optimizer .*Unknown"):
        make_trainable(SIZES, Unknown(), device=device)


@pytest.mark.parametrize("optimizer", OPTIMIZERS, ids=str)
def test_kernel_and_torch_training_agree(optimizer: Optimizer) -> None:
    ours, theirs = (learn(make_trainable(SIZES, optimizer, device=device), 100).tensors() for device in DEVICES)
    for name in ours:
        np.testing.assert_allclose(ours[name], theirs[name], rtol=1e-5, atol=1e-5 * np.abs(theirs[name]).max())


def test_gradient_of_input_features_equals_torch() -> None:
    random = np.random.default_rng(0)
    features = np.maximum(random.normal(size=(30, SIZES[0])), 0).astype(np.float32)
    slopes = random.normal(size=(30, SIZES[-1])).astype(np.float32)
    network = KernelTrainable(initial_tensors(SIZES, 0), Sgd(0.1))
    torch_features = torch.from_numpy(features).requires_grad_()
    to_torch_module(network_of(network.tensors(), "", ""))(torch_features).backward(torch.from_numpy(slopes))
    network.forward(features)
    input_gradient = network.step_and_backpropagate(slopes)
    np.testing.assert_allclose(input_gradient, np.where(features > 0, torch_features.grad, 0), rtol=1e-4, atol=1e-6)
    stepped = make_trainable(SIZES, Sgd(0.1), device="kernel")
    stepped.forward(features)
    stepped.step(slopes)
    assert_same(network.state(), stepped.state())


def test_gradient_of_int8_inputs_is_refused() -> None:
    network = KernelTrainable(initial_tensors(SIZES, 0), Sgd(0.1))
    network.forward(np.zeros((2, SIZES[0]), np.int8))
    with pytest.raises(InvalidInput, match="needs float32 inputs"):
        network.step_and_backpropagate(np.zeros((2, SIZES[-1]), np.float32))


@pytest.mark.parametrize("device", DEVICES)
def test_same_seed_gives_identical_training(device: str) -> None:
    first, second = (learn(make_trainable(SIZES, Adam(), seed=3, device=device), 20) for _ in range(2))
    assert_same(first.state(), second.state())
    assert (first.tensors()["0.weight"] != initial_tensors(SIZES, 4)["0.weight"]).all()


@pytest.mark.parametrize("optimizer", OPTIMIZERS, ids=str)
@pytest.mark.parametrize("device", DEVICES)
def test_resumed_training_is_bit_identical(device: str, optimizer: Optimizer) -> None:
    straight = learn(make_trainable(SIZES, optimizer, device=device), 10)
    resumed = make_trainable(SIZES, optimizer, seed=9, device=device)
    resumed.load_state(straight.state())
    assert_same(learn(straight, 10, 1).state(), learn(resumed, 10, 1).state())
    assert resumed.steps == 20


@pytest.mark.parametrize("there", DEVICES)
def test_state_moves_between_devices(there: str) -> None:
    here = learn(make_trainable(SIZES, Adam(), device="cpu" if there == "kernel" else "kernel"), 5)
    other = make_trainable(SIZES, Adam(), device=there)
    other.load_state(here.state())
    assert_same(here.state(), other.state())
    inputs = np.ones((3, SIZES[0]), np.int8)
    np.testing.assert_allclose(other.outputs(inputs), here.outputs(inputs), atol=1e-5)


@pytest.mark.parametrize("device", DEVICES)
def test_copy_does_not_follow_training(device: str) -> None:
    network = learn(make_trainable(SIZES, Adam(), device=device), 5)
    target, before = network.copy(), network.tensors()
    learn(network, 5)
    assert_same(target.tensors(), before)
    assert target.steps == 0
    target.load_tensors(network.tensors())
    assert_same(target.tensors(), network.tensors())


@pytest.mark.parametrize("device", DEVICES)
def test_forward_equals_outputs_and_saved_network(device: str) -> None:
    network = learn(make_trainable(SIZES, Adam(), device=device), 5)
    inputs = (np.random.default_rng(1).random((70, SIZES[0])) < 0.3).astype(np.int8)
    q = network.outputs(inputs)
    np.testing.assert_array_equal(network.forward(inputs), q)
    np.testing.assert_allclose(network_of(network.tensors(), "none", "none")(inputs), q, atol=1e-5)


@pytest.mark.parametrize("device", DEVICES)
def test_learning_rate_can_change_between_steps(device: str) -> None:
    network = learn(make_trainable(SIZES, Adam(), device=device), 3)
    network.optimizer = replace(network.optimizer, learning_rate=0.0)
    before = network.tensors()
    assert_same(learn(network, 3).tensors(), before)


def test_initial_weights_have_distribution_of_torch_linear() -> None:
    tensors = initial_tensors((400, 300, 5), 0)
    for number, inputs in ((0, 400), (2, 300)):
        theirs = torch.nn.Linear(inputs, 200).weight.detach().numpy()
        ours = np.concatenate([tensors[f"{number}.weight"].ravel(), tensors[f"{number}.bias"]])
        assert np.abs(ours).max() <= inputs**-0.5
        assert ours.std() == pytest.approx(theirs.std(), rel=0.05)
        assert abs(ours.mean()) < 0.05 * inputs**-0.5


def test_auto_device_of_small_network_is_kernel() -> None:
    assert make_trainable(SIZES, Adam(), batch=32).device == "kernel"


@pytest.mark.parametrize("device", DEVICES)
def test_inputs_and_gradients_of_wrong_shape_are_refused(device: str) -> None:
    network = make_trainable(SIZES, Adam(), device=device)
    for wrong in (np.zeros((2, 39), np.int8), np.zeros((2, 40), np.int16), np.zeros(40, np.int8)):
        with pytest.raises(InvalidInput, match=r"takes int8 or float32 \[n, 40\] inputs"):
            network.outputs(wrong)
    assert network.outputs(np.zeros((0, 40), np.int8)).shape == (0, 6)
    with pytest.raises(InvalidInput, match="at least one"):
        network.forward(np.zeros((0, 40), np.int8))
    network.forward(np.zeros((2, 40), np.int8))
    for gradient in (np.zeros((2, 5), np.float32), np.zeros((3, 6), np.float32), np.zeros((2, 6))):
        with pytest.raises(InvalidInput, match=r"gradient is float32 \[2, 6\]"):
            network.step(gradient)


@pytest.mark.parametrize("device", DEVICES)
def test_step_without_forward_is_refused(device: str) -> None:
    network = make_trainable(SIZES, Adam(), device=device)
    gradient = np.zeros((1, 6), np.float32)
    with pytest.raises(InvalidInput, match="call forward before each step"):
        network.step(gradient)
    network.forward(np.zeros((1, 40), np.int8))
    network.step(gradient)
    with pytest.raises(InvalidInput, match="call forward before each step"):
        network.step(gradient)


@pytest.mark.parametrize("device", DEVICES)
def test_state_of_another_network_is_refused(device: str) -> None:
    network = make_trainable(SIZES, Adam(), device=device)
    state = network.state()
    with pytest.raises(InvalidInput, match="the network has"):
        network.load_state(make_trainable((40, 6), Adam()).state())
    with pytest.raises(InvalidInput, match="unknown part"):
        network.load_state({**state, "momentum.0.bias": state["mean.0.bias"]})
    with pytest.raises(InvalidInput, match="lacks its steps"):
        network.load_state({name: array for name, array in state.items() if name != "steps"})
    with pytest.raises(InvalidInput, match="perceptron"):
        network.load_state(make_trainable(SIZES, Sgd()).state())
    with pytest.raises(InvalidInput, match="the network has"):
        network.load_tensors(initial_tensors((40, 24, 17, 5), 0))


def test_invalid_optimizers_devices_and_sizes_are_refused() -> None:
    with pytest.raises(InvalidInput, match="learning rate"):
        Adam(learning_rate=-1.0)
    with pytest.raises(InvalidInput, match="max_norm"):
        Sgd(max_norm=0.0)
    with pytest.raises(InvalidInput, match="unknown device"):
        make_trainable(SIZES, Adam(), device="tpu")
    with pytest.raises(InvalidInput, match="at least one input and one output"):
        make_trainable((40,), Adam())


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a CUDA device")
def test_cuda_without_device_is_refused() -> None:
    with pytest.raises(InvalidInput, match="no CUDA device"):
        make_trainable(SIZES, Adam(), device="cuda")


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
@pytest.mark.parametrize("optimizer", OPTIMIZERS, ids=str)
def test_cuda_training_agrees_with_kernel_and_resumes(optimizer: Optimizer) -> None:
    kernel, cuda = (make_trainable(SIZES, optimizer, device=device) for device in ("kernel", "cuda"))
    ours, theirs = learn(kernel, 100).tensors(), learn(cuda, 100).tensors()
    for name in ours:
        np.testing.assert_allclose(theirs[name], ours[name], rtol=1e-4, atol=1e-4)
    resumed = make_trainable(SIZES, optimizer, seed=9, device="cuda")
    resumed.load_state(cuda.state())
    assert_same(learn(cuda, 10, 1).state(), learn(resumed, 10, 1).state())
