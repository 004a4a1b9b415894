"""Tests of networks with batch normalization: training compared with RLCard's, folding for play, resuming."""

from itertools import pairwise

import numpy as np
import pytest

from cardgames.core.game_registry import make
from cardgames.learners.algorithms.algorithm_registry import algorithm, make_learner
from cardgames.learners.algorithms.candqn import Branches
from cardgames.learners.networks import losses
from cardgames.learners.networks.optimizers import Adam, Optimizer, RmsProp, Sgd
from cardgames.learners.networks.trainable import Trainable
from cardgames.learners.networks.trainable_factory import initial_tensors, make_trainable
from cardgames.networks.network_file import network_of
from cardgames.support.errors import InvalidInput
from tests.learners.networks.test_trainable import assert_same, learn

torch = pytest.importorskip("torch")

SIZES = (240, 20, 30, 61)
BRANCHES = Branches(5, 7)
TIED_SIZES = (240, BRANCHES.units, 16, 61)
X = (np.random.default_rng(1).random((70, 240)) < 0.3).astype(np.int8)


def new_network(optimizer: Optimizer | None = None, seed: int = 0, *, bound: bool = False) -> Trainable:
    weight_tying = BRANCHES if bound else None
    return make_trainable(
        TIED_SIZES if bound else SIZES,
        optimizer or Adam(),
        seed=seed,
        weight_tying=weight_tying,
        batch_norm_activation="tanh",
    )


def test_training_equals_rlcards_estimator() -> None:
    agents = pytest.importorskip("rlcard.agents.dqn_agent")
    ours = new_network(Adam(1e-3))
    theirs = agents.Estimator(61, 1e-3, [4, 4, 15], [20, 30], torch.device("cpu"))
    linear = [part for part in theirs.qnet.modules() if isinstance(part, torch.nn.Linear)]
    with torch.no_grad():
        for number, layer in enumerate(linear):
            layer.weight.copy_(torch.from_numpy(ours.tensors()[f"{2 * number}.weight"]))
            layer.bias.copy_(torch.from_numpy(ours.tensors()[f"{2 * number}.bias"]))
    random = np.random.default_rng(0)
    for _ in range(50):
        x = (random.random((32, 240)) < 0.1).astype(np.int8)
        actions, targets = random.integers(61, size=32), random.random(32, np.float32)
        _, gradient = losses.action_loss(ours.forward(x), actions, targets)
        ours.step(gradient)
        theirs.update(x.reshape(-1, 4, 4, 15), actions, targets)
    expected = theirs.predict_nograd(X.reshape(-1, 4, 4, 15))
    np.testing.assert_allclose(ours.outputs(X), expected, atol=1e-4)
    assert np.abs(expected - new_network().outputs(X)).max() > 0.1, "nothing was learned"


@pytest.mark.parametrize("bound", [False, True])
def test_folded_network_in_kernels_gives_same_outputs(bound: bool) -> None:
    network = learn(new_network(bound=bound), 30)
    played = network_of(network.inference_tensors(), "4x4x15", "uno", activations=network.activations)
    assert played.activations == (("relu", "tanh") if bound else ("tanh", "tanh"))
    np.testing.assert_allclose(played(X), network.outputs(X), atol=1e-5)


@pytest.mark.parametrize("optimizer", [Adam(), RmsProp(), Sgd(0.1)], ids=str)
@pytest.mark.parametrize("bound", [False, True])
def test_resumed_training_is_bit_identical(optimizer: Optimizer, bound: bool) -> None:
    straight = learn(new_network(optimizer, bound=bound), 10)
    resumed = new_network(optimizer, seed=9, bound=bound)
    resumed.load_state(straight.state())
    assert_same(learn(straight, 10, 1).state(), learn(resumed, 10, 1).state())


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_state_moves_to_cuda_and_back() -> None:
    here = learn(new_network(), 5)
    there = make_trainable(SIZES, Adam(), device="cuda", batch_norm_activation="tanh")
    there.load_state(here.state())
    assert_same(there.state(), here.state())
    back = new_network()
    back.load_state(learn(there, 20, 1).state())
    for name, array in learn(here, 20, 1).state().items():
        np.testing.assert_allclose(back.state()[name], array, atol=1e-3, err_msg=name)


def test_copy_does_not_follow_training() -> None:
    network = learn(new_network(), 5)
    target, before = network.copy(), network.outputs(X)
    learn(network, 5)
    np.testing.assert_array_equal(target.outputs(X), before)
    target.load_tensors(network.tensors())
    np.testing.assert_array_equal(target.outputs(X), network.outputs(X))


def test_tied_weights_stay_tied() -> None:
    weights = learn(new_network(bound=True), 20).tensors()["0.weight"]
    np.testing.assert_array_equal(weights[-60:, 180:], np.eye(60))
    colors = weights.T[180:].reshape(4, 15, -1)[..., :5]
    np.testing.assert_array_equal(colors, np.broadcast_to(colors[:, :1], colors.shape))


def test_initial_weights_are_within_xavier_bounds() -> None:
    tensors = initial_tensors(SIZES, 0, xavier=True)
    for number, (inputs, outputs) in enumerate(pairwise(SIZES)):
        widest = np.abs(tensors[f"{2 * number}.weight"]).max()
        assert 0.95 < widest / (6 / (inputs + outputs)) ** 0.5 <= 1


def test_invalid_device_batch_activation_and_weights_are_refused() -> None:
    network = new_network()
    with pytest.raises(InvalidInput, match="use auto, cpu or cuda"):
        make_trainable(SIZES, Adam(), device="kernel", batch_norm_activation="tanh")
    with pytest.raises(InvalidInput, match="at least two rows"):
        network.forward(np.zeros((1, 240), np.int8))
    with pytest.raises(InvalidInput, match="batch normalization of 240 units"):
        network.load_tensors(initial_tensors(SIZES, 0))
    for wrong in (np.full(240, np.nan, np.float32), np.ones(240)):
        with pytest.raises(InvalidInput, match=r"normal\.scale"):
            network.load_tensors({**network.tensors(), "normal.scale": wrong})
    with pytest.raises(InvalidInput, match="unknown activation"):
        make_trainable(SIZES, Adam(), batch_norm_activation="sigmoid")
    with pytest.raises(InvalidInput, match="the network has"):
        network.load_state(make_trainable((240, 20, 61), Adam(), batch_norm_activation="tanh").state())


@pytest.mark.parametrize("name", ["ddqn", "sarsa", "dmc", "nfsp", "afdqn", "candqn", "afcandqn", "ddqn-mcts"])
def test_all_value_learners_train_with_network_rlcard(name: str) -> None:
    game = make("uno", players=2, rules="rlcard")
    changes = {"network": "rlcard", "hidden": "16-16", "memory_init": 20, "batch": 8, "rounds": 4}
    learner = make_learner(name, [game], algorithm(name).settings_class().with_changes(changes))
    while not learner.finished:
        learner.cycle()
    network = learner.network()
    q_network = network.q or network
    assert q_network.activations == (("relu", "tanh", "tanh") if "candqn" in name else ("tanh", "tanh"))
    assert network.activations == (("relu", "relu") if name == "nfsp" else q_network.activations)
    outputs = q_network(X)
    np.testing.assert_allclose(outputs, learner.online.outputs(X)[:, : outputs.shape[1]], atol=1e-4)


def test_batch_of_one_is_refused_with_network_rlcard() -> None:
    settings = algorithm("dqn").settings_class().with_changes({"network": "rlcard", "batch": 1})
    with pytest.raises(InvalidInput, match="batch is at least 2 with network=rlcard"):
        make_learner("dqn", [make("uno", rules="rlcard")], settings)
