"""Perceptrons inside kernels give the same numbers as numpy; network files are checked when read and written."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from safetensors.numpy import load_file, save_file

import cardgames
from cardgames.networks.mlp import mlp_value
from cardgames.networks.network import Mlp
from cardgames.networks.network_file import load_network, network_of, random_network, save_network
from tests.perceptron import outputs_by_numpy

SIZES = st.tuples(st.integers(1, 300), st.lists(st.integers(1, 150), max_size=3), st.integers(1, 80)).map(
    lambda sizes: (sizes[0], *sizes[1], sizes[2])
)


def test_network_that_sees_hidden_cards_refuses_an_observation() -> None:
    game = cardgames.make("uno", players=3)
    cheating_network = random_network((420, 8, 61), 0, "cheating-7x4x15", "uno")
    with pytest.raises(cardgames.InvalidInput, match="sees hidden cards"):
        cheating_network.outputs_for(game.new_initial_state(seed=1).observation())


def network(sizes: tuple[int, ...] = (240, 64, 64, 61), seed: int = 0, tanh: int = 0) -> Mlp:
    """Return a network with random weights and biases; the set bits of `tanh` are the hidden layers with tanh."""
    random = np.random.default_rng(seed)
    tensors = {}
    for number, (inputs, outputs) in enumerate(pairwise(sizes)):
        tensors[f"{2 * number}.weight"] = random.normal(0, inputs**-0.5, (outputs, inputs)).astype(np.float32)
        tensors[f"{2 * number}.bias"] = random.normal(0, 0.1, outputs).astype(np.float32)
    activations = tuple("tanh" if tanh >> layer & 1 else "relu" for layer in range(len(sizes) - 2))
    options = {"rules": "0123456789abcdef", "reward": (-1.0, 1.0), "activations": activations}
    return network_of(tensors, "4x4x15", "uno", **options)


def inputs(n: int, size: int, seed: int) -> NDArray[np.int8]:
    """Return random inputs [n, size], a quarter of them set."""
    return (np.random.default_rng(seed).random((n, size)) < 0.25).astype(np.int8)


@given(sizes=SIZES, seed=st.integers(0, 2**32 - 1), tanh=st.integers(0, 7))
@settings(max_examples=80, deadline=None)
def test_kernel_outputs_equal_those_of_numpy(sizes: tuple[int, ...], seed: int, tanh: int):
    mlp, x = network(sizes, seed, tanh), inputs(5, sizes[0], seed)
    assert np.allclose(mlp(x), outputs_by_numpy(mlp, x), rtol=0, atol=1e-5)


@pytest.mark.parametrize("x", [np.zeros((1, 240), np.int8), np.ones((1, 240), np.int8)], ids=["none", "all"])
def test_outputs_with_no_input_set_and_with_all_set(x: NDArray[np.int8]):
    assert np.allclose(network()(x), outputs_by_numpy(network(), x), rtol=0, atol=1e-5)


@pytest.mark.parametrize(("hidden", "tanh"), [([64], 0), ([150], 0), ([64, 20], 1)])
def test_batch_gives_the_same_bits_as_single_samples(hidden: list[int], tanh: int):
    mlp, x = network((240, *hidden, 61), tanh=tanh), inputs(65, 240, 1)
    batch, single = mlp(x), np.empty(61, np.float32)
    for i in range(65):
        mlp_value(mlp.weights, mlp.kernel_sizes, mlp.kernel_activations, x[i], single)
        assert np.array_equal(single, batch[i])


def test_inputs_of_another_shape_are_refused():
    with pytest.raises(cardgames.InvalidInput, match=r"takes \[n, 240\] inputs"):
        network()(inputs(1, 270, 0))


@given(sizes=SIZES)
@settings(max_examples=20, deadline=None)
def test_unpacked_weights_equal_the_packed_ones(sizes: tuple[int, ...]):
    mlp = network(sizes)
    again = network_of(mlp.tensors(), mlp.encoding, mlp.game)
    assert again.sizes == sizes
    assert np.array_equal(again.weights, mlp.weights)
    assert mlp.parameters == sum(tensor.size for tensor in mlp.tensors().values())


def test_loaded_network_equals_the_saved_one(tmp_path: Path):
    path = tmp_path / "q.safetensors"
    before = replace(network(), reward=(np.float64(-1), np.float64(0.5)))
    save_network(before, path)
    after = load_network(path)
    assert list(load_file(path)) == ["0.bias", "0.weight", "2.bias", "2.weight", "4.bias", "4.weight"]
    for field in ("sizes", "encoding", "game", "rules", "reward", "activations"):
        assert getattr(after, field) == getattr(before, field)
    assert np.array_equal(after.weights, before.weights)


def test_network_file_stores_the_activations_of_network_and_q(tmp_path: Path):
    path = tmp_path / "policy.safetensors"
    save_network(replace(network(tanh=2), algorithm="nfsp", q=network((240, 8, 61), tanh=1)), path)
    after = load_network(path)
    assert after.activations == ("relu", "tanh")
    assert after.q is not None and after.q.activations == ("tanh",)


def test_network_for_other_rules_is_refused_with_both_names(tmp_path: Path):
    game = cardgames.make("uno", players=2, rules="common", overrides=["hand-size=3", "stacking=same"])
    path = tmp_path / "mine.safetensors"
    save_network(replace(network(), rules=game.rules.hash, rules_name=game.rules.name), path)
    load_network(path).check(game)
    with pytest.raises(
        cardgames.InvalidInput, match=r"under rules common\+hand-size=3\+stacking=same, not under rlcard"
    ):
        load_network(path).check(cardgames.make("uno", players=2, rules="rlcard"))
    with pytest.raises(
        cardgames.InvalidInput, match=rf"rules rlcard \({game.rules.hash}\), not under rlcard \(\w{{16}}\)"
    ):
        replace(load_network(path), rules_name="rlcard").check(cardgames.make("uno", players=2, rules="rlcard"))
    with pytest.raises(cardgames.InvalidInput, match="rules_name is a text, not 5"):
        replace(network(), rules_name=5)


@pytest.mark.parametrize("beside", ["critic", "q"])
@pytest.mark.parametrize("algorithm", ["", "ppo"])
def test_critic_and_q_are_refused_for_a_network_without_logits(beside: str, algorithm: str):
    evaluators = {"critic": with_critic().critic, "q": network((240, 8, 61))}
    with pytest.raises(cardgames.InvalidInput, match=f"one of nfsp, actor-critic, not '{algorithm}'"):
        replace(network((240, 8, 61)), algorithm=algorithm, **{beside: evaluators[beside]})


@pytest.mark.parametrize(
    ("activations", "reason"),
    [(("tanh",), "2 hidden layers and 1 activations"), (("relu", "sigmoid"), "unknown activation 'sigmoid'")],
)
def test_activations_that_do_not_fit_are_refused(activations: tuple[str, ...], reason: str):
    with pytest.raises(cardgames.InvalidInput, match=reason):
        replace(network(), activations=activations)


def with_critic(sizes: tuple[int, ...] = (240, 8, 61), tanh: int = 0) -> Mlp:
    """Return a policy network with a critic."""
    random = np.random.default_rng(3)
    critic = (random.normal(0, 0.3, (1, sizes[-2])).astype(np.float32), np.full(1, 0.25, np.float32))
    return replace(network(sizes, tanh=tanh), algorithm="actor-critic", critic=critic)


def test_network_file_stores_the_critic(tmp_path: Path):
    path, before = tmp_path / "policy.safetensors", with_critic()
    save_network(before, path)
    after = load_network(path)
    assert list(load_file(path))[-2:] == ["critic.bias", "critic.weight"]
    assert np.array_equal(after.weights, before.weights)
    assert before.critic is not None and after.critic is not None
    assert all(np.array_equal(a, b) for a, b in zip(after.critic, before.critic, strict=True))


@pytest.mark.parametrize("tanh", [0, 1])
def test_value_network_is_the_critic_on_the_last_hidden_layer(tanh: int):
    policy, x = with_critic(tanh=tanh), inputs(40, 240, 5)
    value_network = policy.value_network
    assert value_network.sizes == (240, 8, 1) and value_network.value_network is value_network
    (weight, bias), critic = policy.layers()[0], policy.critic
    assert critic is not None
    units = x @ weight.T.astype(np.float64) + bias
    expected = (np.tanh(units) if tanh else np.maximum(units, 0)) @ critic[0].T.astype(np.float64) + critic[1]
    assert np.allclose(value_network(x), expected, rtol=0, atol=1e-5)
    assert policy.with_outputs(3).critic is critic and policy.with_outputs(3).activations == policy.activations


def test_random_network_depends_only_on_the_seed():
    one, same, other = (random_network((240, 8, 1), seed, "4x4x15", "uno") for seed in (1, 1, 2))
    assert np.array_equal(one.weights, same.weights) and not np.array_equal(one.weights, other.weights)


def damaged(path: Path, how: str) -> None:
    """Write a network file with one kind of damage."""
    save_network(network((240, 8, 61)), path)
    tensors = load_file(path)
    metadata = {
        "format": "cardgames-mlp-1",
        "game": "uno",
        "rules": "",
        "encoding": "4x4x15",
        "sizes": "240 8 61",
        "reward": "0 1",
    }
    if how == "cut off":
        path.write_bytes(path.read_bytes()[:-100])
        return
    if how == "text":
        path.write_text("weights")
        return
    if how == "empty":
        path.write_bytes(b"")
        return
    if how == "foreign":
        metadata = {"format": "pt"}
    elif how == "no encoding":
        del metadata["encoding"]
    elif how == "other sizes":
        metadata["sizes"] = "240 9 61"
    elif how == "no reward":
        metadata["reward"] = "1"
    elif how == "reward upside down":
        metadata["reward"] = "1 0"
    elif how == "double precision":
        tensors["0.weight"] = tensors["0.weight"].astype(np.float64)
    elif how == "not finite":
        tensors["2.bias"][3] = np.nan
    elif how == "a layer missing":
        del tensors["2.weight"]
    elif how == "layers that do not fit":
        tensors["2.weight"] = np.zeros((61, 9), np.float32)
    elif how == "half a critic":
        tensors["critic.bias"] = np.zeros(1, np.float32)
    elif how == "a critic of other units":
        tensors |= {"critic.weight": np.zeros((1, 9), np.float32), "critic.bias": np.zeros(1, np.float32)}
    elif how == "a scalar":
        tensors["0.weight"] = np.zeros((), np.float32)
    save_file(tensors, path, metadata)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ("cut off", "not a readable safetensors"),
        ("text", "not a readable safetensors"),
        ("empty", "not a readable safetensors"),
        ("foreign", "is not a network of cardgames"),
        ("no encoding", "damaged metadata: 'encoding'"),
        ("other sizes", "but its metadata says"),
        ("no reward", "damaged metadata"),
        ("reward upside down", "a lower value for a lost round than for a won one"),
        ("double precision", "0.weight is float64, not float32"),
        ("not finite", "2.bias has entries that are not finite"),
        ("a layer missing", "not the weights of a perceptron"),
        ("layers that do not fit", "2.weight does not fit its bias or the layer before"),
        ("half a critic", r"a critic has weights \[1, units\]"),
        ("a critic of other units", "the critic does not fit the layer before it"),
        ("a scalar", "0.weight does not fit"),
    ],
)
def test_damaged_network_file_is_refused_in_one_line(tmp_path: Path, how: str, message: str):
    path = tmp_path / "x.safetensors"
    damaged(path, how)
    with pytest.raises(cardgames.InvalidInput, match=message) as refused:
        load_network(path)
    assert str(path) in str(refused.value) and "\n" not in str(refused.value)


def test_files_that_cannot_be_read_or_written_are_refused(tmp_path: Path):
    for path in (tmp_path / "nowhere.safetensors", tmp_path):
        with pytest.raises(cardgames.InvalidInput, match=str(tmp_path)):
            load_network(path)
    with pytest.raises(cardgames.InvalidInput, match="cannot write"):
        save_network(network(), tmp_path / "no" / "folder.safetensors")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"game": "doudizhu"}, "is for doudizhu, not for uno"),
        ({"encoding": "9x9"}, "encoding 9x9 is unknown"),
        ({"encoding": "54x5"}, "takes 240 inputs, the encoding 54x5 has 270"),
        ({"rules": "0123456789abcdef"}, "trained under rules 0123456789abcdef, not under rlcard"),
    ],
)
def test_network_for_another_game_encoding_or_rules_is_refused(changes: dict[str, str], message: str):
    fields = {"encoding": "4x4x15", "game": "uno"} | changes
    mlp = random_network((240, 8, 61), 0, **fields)
    game = cardgames.make("uno", players=2, rules="rlcard")
    with pytest.raises(cardgames.InvalidInput, match=message):
        mlp.check(game)
    if "rules" in changes:
        mlp.check(game, any_rules=True)


def test_network_for_the_same_rules_is_accepted():
    game = cardgames.make("uno", players=2, rules="rlcard")
    random_network((240, 8, 61), 0, "4x4x15", "uno", rules=game.rules.hash).check(game)
    with pytest.raises(cardgames.InvalidInput, match="outputs"):
        random_network((240, 8, 500), 0, "4x4x15", "uno").check(game)


@pytest.mark.parametrize("rules", ["rlcard", None, 5])
def test_rules_of_a_network_have_to_be_a_hash(rules: object):
    message = rf"rules is a RuleSet\.hash \(sixteen hex digits\) or empty, not {rules!r}"
    with pytest.raises(cardgames.InvalidInput, match=message):
        random_network((240, 8, 61), 0, "4x4x15", "uno", rules=rules)


def test_inputs_may_have_the_shape_of_their_encoding() -> None:
    mlp, flat = network(), inputs(5, 240, seed=1)
    assert np.array_equal(mlp(flat.reshape(5, 4, 4, 15)), mlp(flat))
    with pytest.raises(cardgames.InvalidInput, match=r"the network takes \[n, 240\] inputs, not \[240\]"):
        mlp(flat[0])


def test_weights_that_are_not_arrays_are_refused():
    with pytest.raises(cardgames.InvalidInput, match=r"0\.weight has to be a numpy array of float32, not a"):
        network_of({"0.weight": [[1.0]], "0.bias": [0.0]}, "4x4x15", "uno")  # type: ignore[dict-item, list-item]
