"""Tests of leaf evaluators: kernels, torch and numpy agree; playouts; choice of the device; error messages."""

from collections import OrderedDict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import cardgames
from cardgames.core import ops
from cardgames.networks.network import Mlp
from cardgames.networks.network_file import random_network, save_network
from cardgames.search import evaluators
from cardgames.search.evaluators import NetworkWithPlayoutFallback, PlayoutEvaluator, choose_device, make_evaluator
from cardgames.search.network_evaluator import KernelEvaluator, NetworkEvaluator
from cardgames.search.network_mcts.batched_search import BatchedSettings, search_many
from cardgames.search.qtree.batched_qtree import QForestSettings, grow_trees
from cardgames.search.torch_evaluator import TorchEvaluator, from_torch_module, to_torch_module
from tests.perceptron import outputs_by_numpy

GAME = cardgames.make("uno", players=3, rules="rlcard")
INPUTS = {"4x4x15": 240, "54x5": 270, "cheating-7x4x15": 420, "4x4x15-canonical": 240, "54x5-canonical": 270}


def states_of_rounds(game: cardgames.Game, games: int = 3) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return all states of some rounds, finished ones included, and the seat to move in each (0 in finished ones)."""
    player = cardgames.agent("reflex", game, seed=1)
    records, players = [], []
    for seed in range(games):
        state = game.new_initial_state(seed=seed)
        while True:
            records.append(state.record.copy())
            players.append(max(0, state.current_player()))
            if state.is_terminal():
                break
            state.apply_action(player.act(state.observation()).action)
    states = np.zeros(len(records), game.state_dtype)
    for i, record in enumerate(records):
        states[i] = record
    return states, np.array(players, np.int64)


STATES, PLAYERS = states_of_rounds(GAME)


def value_by_numpy(mlp: Mlp, i: int, seat: int | None = None) -> float:
    """Return the value of `STATES[i]` for a seat, by default the one to move, with the network computed by numpy."""
    rules, state, player = GAME.kernel_rules, STATES[i], int(PLAYERS[i]) if seat is None else seat
    if ops.is_terminal(rules, state):
        return float(state["winner"] == player)
    encoding = GAME.encoding(mlp.encoding)
    x: Any = np.zeros(encoding.inputs, np.int8)
    symmetry_id = ops.encode(rules, state, player, encoding.encoding_id, x)
    x = outputs_by_numpy(mlp, x)
    legal = np.zeros(GAME.num_distinct_actions, np.int32)
    n = ops.legal_actions(rules, state, legal)
    low, high = mlp.reward
    best = x[0] if len(x) == 1 else max(x[ops.apply_symmetry(rules, symmetry_id, action)] for action in legal[:n])
    return float(np.clip((best - low) / (high - low), 0, 1))


@given(
    encoding=st.sampled_from(sorted(INPUTS)),
    hidden=st.lists(st.integers(1, 80), max_size=3),
    outputs=st.sampled_from([1, 61]),
    reward=st.sampled_from([(0.0, 1.0), (-1.0, 1.0), (-3.0, 2.0)]),
    seed=st.integers(0, 2**32 - 1),
)
@settings(max_examples=20, deadline=None)
def test_kernel_torch_and_numpy_give_equal_values(
    encoding: str, hidden: list[int], outputs: int, reward: tuple[float, float], seed: int
):
    pytest.importorskip("torch")
    for activation in ("relu", "tanh"):
        options: dict[str, Any] = {"reward": reward, "activations": (activation,) * len(hidden)}
        mlp = random_network((INPUTS[encoding], *hidden, outputs), seed, encoding, "uno", **options)
        values = KernelEvaluator(GAME, mlp).evaluate(STATES, PLAYERS)
        torch = TorchEvaluator(GAME, to_torch_module(mlp), encoding, reward).evaluate(STATES, PLAYERS)
        numpy = [value_by_numpy(mlp, i) for i in range(len(STATES))]
        assert values.dtype == np.float64 and values.shape == (len(STATES),)
        assert np.allclose(values, torch, rtol=0, atol=1e-5)
        assert np.allclose(values, numpy, rtol=0, atol=1e-5)


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_network_values_states_for_every_seat(seat: int):
    mlp, players = random_network((240, 16, 1), 3, "4x4x15", "uno"), np.full(len(STATES), seat)
    values = KernelEvaluator(GAME, mlp).evaluate(STATES, players)
    assert np.allclose(values, [value_by_numpy(mlp, i, seat) for i in range(len(STATES))], rtol=0, atol=1e-5)
    assert not np.allclose(values, KernelEvaluator(GAME, mlp).evaluate(STATES, PLAYERS))


def test_playout_values_of_all_seats_sum_to_one():
    values = [PlayoutEvaluator(GAME, playouts=4).evaluate(STATES, np.full(len(STATES), seat)) for seat in range(3)]
    assert np.allclose(np.sum(values, axis=0), 1)
    over = np.array([ops.is_terminal(GAME.kernel_rules, state) for state in STATES])
    winners = STATES["winner"][over]
    assert np.array_equal(np.array(values)[:, over], [winners == seat for seat in range(3)])
    assert set(winners.tolist()) != {1}, "the winners must differ in reversed order of seats"


def test_cuda_and_kernel_give_equal_values():
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("no CUDA device")
    mlp = random_network((240, 64, 64, 61), 0, "4x4x15", "uno", reward=(-1.0, 1.0))
    kernel, cuda = (make_evaluator(GAME, mlp, device).evaluate(STATES, PLAYERS) for device in ("kernel", "cuda"))
    assert np.allclose(kernel, cuda, rtol=0, atol=1e-5)


def test_values_do_not_depend_on_the_batch():
    mlp = random_network((240, 64, 64, 61), 3, "4x4x15", "uno", reward=(-1.0, 1.0))
    evaluator = KernelEvaluator(GAME, mlp)
    batch = evaluator.evaluate(STATES, PLAYERS)
    for i in range(0, len(STATES), 7):
        assert evaluator.evaluate(STATES[i : i + 1], PLAYERS[i : i + 1])[0] == batch[i]


def test_hidden_cards_do_not_change_a_value():
    evaluator = KernelEvaluator(GAME, random_network((240, 16, 1), 3, "4x4x15", "uno"))
    hidden = np.zeros(len(STATES), GAME.state_dtype)
    for state, player, out in zip(STATES, PLAYERS, hidden, strict=True):
        ops.observe(GAME.kernel_rules, state, player, out)
    assert np.array_equal(evaluator.evaluate(STATES, PLAYERS), evaluator.evaluate(hidden, PLAYERS))


def test_q_network_refuses_player_who_is_not_to_move():
    mlp = random_network((240, 8, 61), 0, "4x4x15", "uno")
    with pytest.raises(cardgames.InvalidInput, match="not to move"):
        KernelEvaluator(GAME, mlp).evaluate(STATES[:1], (PLAYERS[:1] + 1) % 3)


def test_playouts_replace_missing_values_of_q_network():
    network = KernelEvaluator(GAME, random_network((240, 8, 20), 0, "4x4x15", "uno"))
    playouts = PlayoutEvaluator(GAME)
    values, network_values = (
        NetworkWithPlayoutFallback(network, playouts).evaluate(STATES, PLAYERS),
        network.values(STATES, PLAYERS),
    )
    missing = np.isnan(network_values)
    assert 0 < missing.sum() < len(missing)
    assert np.array_equal(values, np.where(missing, playouts.evaluate(STATES, PLAYERS), network_values))


@pytest.mark.parametrize(
    "evaluator", [PlayoutEvaluator(GAME), KernelEvaluator(GAME, random_network((240, 1), 0, "4x4x15", "uno"))]
)
@pytest.mark.parametrize(
    ("states", "players", "words"),
    [
        (STATES, PLAYERS[:3], "a seat for each state"),
        (STATES, PLAYERS.astype(float), "players are an int64 array"),
        (STATES, list(PLAYERS), "players are an int64 array"),
        (STATES[:2], np.array([0, 3]), "seats from 0 to 2"),
        (STATES[:2], np.array([-1, 0]), "seats from 0 to 2"),
        (np.zeros(2), PLAYERS[:2], "records of uno's states"),
        (STATES[0], PLAYERS[:1], "records of uno's states"),
    ],
)
def test_evaluators_refuse_arrays_of_wrong_type_or_shape(
    evaluator: evaluators.Evaluator, states: Any, players: Any, words: str
):
    with pytest.raises(cardgames.InvalidInput, match=words):
        evaluator.evaluate(states, players)


def test_make_evaluator_refuses_objects_that_are_no_network():
    nn = pytest.importorskip("torch").nn
    for network, encoding, words in (
        (42, "4x4x15", "the path of a file, an Mlp or a torch module, not int"),
        (nn.Linear(240, 1), "", "a torch module needs the name of its input encoding"),
        (nn.Linear(239, 1), "4x4x15", "does not map"),
        (nn.Linear(240, 1000), "4x4x15", "1000 outputs, but uno"),
        (nn.Sequential(nn.Linear(240, 8), nn.Sigmoid(), nn.Linear(7, 1)), "4x4x15", "does not map"),
        (
            nn.Sequential(nn.Linear(240, 8), nn.Tanh(), nn.Linear(7, 1)),
            "4x4x15",
            "does not fit its bias or the layer before",
        ),
    ):
        with pytest.raises(cardgames.InvalidInput, match=words) as caught:
            make_evaluator(GAME, network, encoding=encoding)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("options", [{"encoding": "4x4x15"}, {"reward": (0.0, 1.0)}])
def test_encoding_and_reward_of_an_mlp_cannot_be_overridden(options: dict[str, Any]):
    with pytest.raises(cardgames.InvalidInput, match="a file or an Mlp has its own"):
        make_evaluator(GAME, random_network((240, 8, 1), 0, "4x4x15", "uno"), **options)


def test_torch_module_keeps_its_training_modes_and_gradients():
    torch = pytest.importorskip("torch")
    module = torch.nn.Sequential(torch.nn.Linear(240, 61), torch.nn.Dropout(), torch.nn.Dropout())
    module[2].eval()
    evaluator = make_evaluator(GAME, module, encoding="4x4x15")
    first, second = (evaluator.evaluate(STATES, PLAYERS) for _ in range(2))
    assert isinstance(evaluator, TorchEvaluator)
    assert np.array_equal(first, second)
    assert [part.training for part in module.modules()] == [True, True, True, False], "submodules keep their modes"
    assert all(parameter.grad is None and parameter.requires_grad for parameter in module.parameters())


def test_only_plain_perceptrons_are_converted_for_kernels():
    torch = pytest.importorskip("torch")
    nn = torch.nn
    for hidden, activations in (([8], ("relu",)), ([8], ("tanh",)), ([8, 7], ("tanh", "relu"))):
        mlp = random_network((240, *hidden, 1), 0, "4x4x15", "uno", activations=activations)
        again = from_torch_module(to_torch_module(mlp), "4x4x15", "uno")
        assert again is not None and again.activations == activations and np.array_equal(again.weights, mlp.weights)
    named = nn.Sequential(OrderedDict(first=nn.Linear(240, 8), act=nn.ReLU(), last=nn.Linear(8, 1)))
    converted = from_torch_module(named, "4x4x15", "uno")
    assert converted is not None
    assert np.array_equal(converted.tensors()["2.weight"], named.last.weight.detach().numpy())
    weight_normed = nn.Sequential(nn.utils.parametrizations.weight_norm(nn.Linear(240, 1)))
    hooked = nn.Sequential(nn.Linear(240, 1))
    hooked.register_forward_hook(lambda part, inputs, outputs: 1 - outputs)
    for module in (
        weight_normed,
        hooked,
        nn.Sequential(nn.Linear(240, 8), nn.Sigmoid(), nn.Linear(8, 1)),
        nn.Sequential(nn.Linear(240, 8), nn.ReLU()),
        nn.Sequential(nn.Linear(240, 1, bias=False)),
        nn.Linear(240, 1),
    ):
        assert from_torch_module(module, "4x4x15", "uno") is None
        with pytest.raises(cardgames.InvalidInput, match="takes no other module"):
            make_evaluator(GAME, module, "kernel", encoding="4x4x15")


def test_layer_used_twice_is_converted_twice():
    torch = pytest.importorskip("torch")
    same, relu = torch.nn.Linear(240, 240), torch.nn.ReLU()
    module = torch.nn.Sequential(same, relu, same, relu, torch.nn.Linear(240, 1))
    inputs = np.random.default_rng(1).integers(0, 2, (5, 240)).astype(np.int8)
    by_torch, by_kernel = (make_evaluator(GAME, module, device, encoding="4x4x15") for device in ("cpu", "kernel"))
    assert by_kernel.outputs(inputs) == pytest.approx(by_torch.outputs(inputs), abs=1e-5)


def test_auto_device_depends_on_parameters_and_batch(monkeypatch: pytest.MonkeyPatch):
    torch = pytest.importorskip("torch")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert choose_device(24_000, 64) == choose_device(24_000, 4096) == choose_device(1_400_000, 64) == "kernel"
    assert choose_device(4_000_000, 64) == choose_device(24_000, 64, perceptron=False) == "cpu"
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert choose_device(24_000, 64) == "kernel"
    assert choose_device(24_000, 4096) == choose_device(4_000_000, 64) == "cuda"
    assert [choose_device(417_000, batch) for batch in (32, 1024)] == ["kernel", "cuda"], (
        "updates of hidden layers 512-512"
    )
    monkeypatch.setattr(evaluators, "find_spec", lambda name: None)
    assert choose_device(4_000_000, 64) == "kernel"


def test_make_evaluator_loads_a_file(tmp_path: Path):
    mlp = random_network((240, 8, 1), 0, "4x4x15", "uno", rules=GAME.rules.hash)
    path = tmp_path / "value.safetensors"
    save_network(mlp, path)
    evaluator = make_evaluator(GAME, path)
    assert isinstance(evaluator, KernelEvaluator)
    assert np.array_equal(evaluator.evaluate(STATES, PLAYERS), KernelEvaluator(GAME, mlp).evaluate(STATES, PLAYERS))
    other = cardgames.make("uno", players=3, rules="official")
    with pytest.raises(cardgames.InvalidInput, match="trained under rules"):
        make_evaluator(other, str(path))


@pytest.mark.parametrize(("device", "words"), [("gpu", "unknown device 'gpu'"), ("cuda", "torch finds no CUDA device")])
def test_unknown_or_missing_device_is_refused(device: str, words: str, monkeypatch: pytest.MonkeyPatch):
    torch = pytest.importorskip("torch")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(cardgames.InvalidInput, match=words):
        make_evaluator(GAME, random_network((240, 8, 1), 0, "4x4x15", "uno"), device)


def test_playouts_give_equal_states_equal_values():
    evaluator = PlayoutEvaluator(GAME, playouts=3)
    values = evaluator.evaluate(STATES, PLAYERS)
    assert ((values >= 0) & (values <= 1)).all()
    assert np.array_equal(evaluator.evaluate(STATES[::-1], PLAYERS[::-1]), values[::-1])
    over = np.array([ops.is_terminal(GAME.kernel_rules, state) for state in STATES])
    assert np.array_equal(values[over], (STATES["winner"] == PLAYERS)[over])


def test_playouts_prefer_the_better_position():
    game = cardgames.make("uno", players=2, rules="rlcard")
    records = [
        game.position(hands=[mine, "g1 g2 g3 b4 b6 y7"], top="r5").record
        for mine in ("r9 r8", "g9 g8 b7 y4 y2 b1 b2 b3")
    ]
    states = np.zeros(400, game.state_dtype)
    for i in range(400):
        states[i] = records[i % 2]
    states["rng"] = np.arange(400)
    values = PlayoutEvaluator(game).evaluate(states, np.zeros(400, np.int64))
    assert values[::2].mean() > 0.8 > 0.6 > values[1::2].mean()


@pytest.mark.parametrize(
    "options", [{"policy": "nobody"}, {"playouts": 0}, {"playouts": 1.5}, {"playouts": "2"}, {"playouts": True}]
)
def test_playout_evaluator_refuses_wrong_options(options: dict[str, Any]):
    with pytest.raises(cardgames.InvalidInput):
        PlayoutEvaluator(GAME, **options)


@pytest.mark.parametrize("outputs", [1, 61])
def test_module_with_nan_outputs_is_refused(outputs: int):
    torch = pytest.importorskip("torch")
    module = torch.nn.Sequential(torch.nn.Linear(240, 8), torch.nn.GELU(), torch.nn.Linear(8, outputs))
    evaluator = make_evaluator(GAME, module, "cpu", encoding="4x4x15", reward=(-1.0, 1.0))
    evaluator.evaluate(STATES, PLAYERS)
    with torch.no_grad():
        module[2].bias[0] = float("nan")
    with pytest.raises(cardgames.InvalidInput, match="outputs are not all finite numbers"):
        evaluator.evaluate(STATES, PLAYERS)


class FixedResult:
    """Evaluator that returns a fixed result."""

    def __init__(self, values: Any):
        self.values = values

    def evaluate(self, states: NDArray[Any], players: NDArray[np.int64]) -> Any:
        """Return the fixed result; a float is repeated for each state."""
        return np.full(len(states), self.values) if isinstance(self.values, float) else self.values


@pytest.mark.parametrize("values", [np.full(1, 0.5), float("nan"), np.full((4, 1), 0.5), float("inf")])
def test_searches_refuse_wrong_evaluator_results(values: Any) -> None:
    state = GAME.new_initial_state(seed=3)
    settings = BatchedSettings(simulations=20, trees=2)
    with pytest.raises(cardgames.InvalidInput, match="an evaluator returns a value"):
        search_many([state.observation()], FixedResult(values), settings)
    with pytest.raises(cardgames.InvalidInput, match="an evaluator returns a value"):
        roots = np.repeat(state.record.reshape(1), 3)
        grow_trees(GAME, roots, FixedResult(values), QForestSettings(simulations=3), np.arange(3).astype(np.uint64))


@pytest.mark.parametrize("other", [("rlcard", 2), ("common", 3)])
def test_searches_refuse_evaluators_of_another_game(other: tuple[str, int]) -> None:
    evaluator = PlayoutEvaluator(cardgames.make("uno", players=other[1], rules=other[0]))
    state = GAME.new_initial_state(seed=3)
    with pytest.raises(cardgames.InvalidInput, match=f"{other[1]} players, rules {other[0]}>, not for <uno, 3 players"):
        search_many([state.observation()], evaluator)
    with pytest.raises(cardgames.InvalidInput, match=r"the evaluator is for .*, not for"):
        grow_trees(GAME, state.record.reshape(1), evaluator, QForestSettings(), np.zeros(1, np.uint64))


@pytest.mark.parametrize("reward", [(1.0, 0.0), (1.0, 1.0), 3, (0.0, float("nan"))])
def test_network_evaluator_refuses_wrong_reward(reward: Any) -> None:
    class Own(NetworkEvaluator):
        def outputs(self, inputs: NDArray[np.int8]) -> NDArray[np.float32]:
            return np.zeros((len(inputs), 61), np.float32)

    with pytest.raises(cardgames.InvalidInput, match=r"a lost (round than for a|and a) won"):
        Own(GAME, "4x4x15", reward)


def test_playout_values_do_not_depend_on_number_of_threads() -> None:
    evaluator, growth = PlayoutEvaluator(GAME), QForestSettings(simulations=30)
    roots = STATES[PLAYERS >= 0][:48]
    roots = roots[[not ops.is_terminal(GAME.kernel_rules, state) for state in roots]]
    seeds = np.arange(len(roots)).astype(np.uint64)
    one, four = (grow_trees(GAME, roots, evaluator, growth, seeds, batch=8, threads=n) for n in (1, 4))
    assert np.array_equal(one.q, four.q) and np.array_equal(one.visits, four.visits)


def test_playout_evaluator_uses_default_policy_of_the_game() -> None:
    game = cardgames.make("doudizhu")
    state = game.new_initial_state(seed=1)
    players = np.array([state.current_player()], np.int64)
    values = [
        PlayoutEvaluator(game, policy).evaluate(state.record.reshape(1), players)
        for policy in ("", game.default_policy)
    ]
    assert values[0] == values[1]


def test_playouts_of_one_state_differ() -> None:
    game = cardgames.make("uno", players=2, rules="rlcard")
    state = game.position(hands=["r1 g2 b3", "g1 g2 g3"], top="r5", seed=1)
    (value,) = PlayoutEvaluator(game, playouts=50).evaluate(state.record.reshape(1), np.zeros(1, np.int64))
    assert 0.02 <= value <= 0.98
