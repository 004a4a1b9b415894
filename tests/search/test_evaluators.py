"""Evaluators: one value for the same weights whoever computes it, and clear words where there is none."""

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
from cardgames.search.qtree.qforest import QForestSettings, grow_trees
from cardgames.search.torch_evaluator import TorchEvaluator, from_torch_module, to_torch_module
from tests.perceptron import outputs_by_numpy

GAME = cardgames.make("uno", players=3, rules="rlcard")
INPUTS = {"4x4x15": 240, "54x5": 270, "cheating-7x4x15": 420, "4x4x15-canonical": 240, "54x5-canonical": 270}


def rounds(game: cardgames.Game, games: int = 3) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return all states of some rounds, the finished ones included, and who is to move in each."""
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


STATES, PLAYERS = rounds(GAME)


def expected(mlp: Mlp, i: int) -> float:
    """Return the value of `STATES[i]` computed with numpy alone."""
    rules, state, player = GAME.kernel_rules, STATES[i], int(PLAYERS[i])
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
def test_kernel_torch_and_numpy_agree(
    encoding: str, hidden: list[int], outputs: int, reward: tuple[float, float], seed: int
):
    pytest.importorskip("torch")
    for activation in ("relu", "tanh"):
        about: dict[str, Any] = {"reward": reward, "activations": (activation,) * len(hidden)}
        mlp = random_network((INPUTS[encoding], *hidden, outputs), seed, encoding, "uno", **about)
        values = KernelEvaluator(GAME, mlp).evaluate(STATES, PLAYERS)
        torch = TorchEvaluator(GAME, to_torch_module(mlp), encoding, reward).evaluate(STATES, PLAYERS)
        numpy = [expected(mlp, i) for i in range(len(STATES))]
        assert values.dtype == np.float64 and values.shape == (len(STATES),)
        assert np.allclose(values, torch, rtol=0, atol=1e-5)
        assert np.allclose(values, numpy, rtol=0, atol=1e-5)


def test_cuda_agrees():
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("no CUDA device")
    mlp = random_network((240, 64, 64, 61), 0, "4x4x15", "uno", reward=(-1.0, 1.0))
    kernel, cuda = (make_evaluator(GAME, mlp, device).evaluate(STATES, PLAYERS) for device in ("kernel", "cuda"))
    assert np.allclose(kernel, cuda, rtol=0, atol=1e-5)


def test_a_batch_is_its_states():
    mlp = random_network((240, 64, 64, 61), 3, "4x4x15", "uno", reward=(-1.0, 1.0))
    evaluator = KernelEvaluator(GAME, mlp)
    batch = evaluator.evaluate(STATES, PLAYERS)
    for i in range(0, len(STATES), 7):
        assert evaluator.evaluate(STATES[i : i + 1], PLAYERS[i : i + 1])[0] == batch[i]


def test_a_value_depends_on_what_the_player_sees_alone():
    evaluator = KernelEvaluator(GAME, random_network((240, 16, 1), 3, "4x4x15", "uno"))
    hidden = np.zeros(len(STATES), GAME.state_dtype)
    for state, player, out in zip(STATES, PLAYERS, hidden, strict=True):
        ops.observe(GAME.kernel_rules, state, player, out)
    assert np.array_equal(evaluator.evaluate(STATES, PLAYERS), evaluator.evaluate(hidden, PLAYERS))


def test_a_q_network_has_no_value_where_the_player_is_not_to_move():
    mlp = random_network((240, 8, 61), 0, "4x4x15", "uno")
    with pytest.raises(cardgames.InvalidInput, match="not to move"):
        KernelEvaluator(GAME, mlp).evaluate(STATES[:1], (PLAYERS[:1] + 1) % 3)


def test_where_a_network_of_q_has_no_value_rounds_are_played_out():
    network = KernelEvaluator(GAME, random_network((240, 8, 20), 0, "4x4x15", "uno"))
    playouts = PlayoutEvaluator(GAME)
    found, known = (
        NetworkWithPlayoutFallback(network, playouts).evaluate(STATES, PLAYERS),
        network.values(STATES, PLAYERS),
    )
    untold = np.isnan(known)
    assert 0 < untold.sum() < len(untold)
    assert np.array_equal(found, np.where(untold, playouts.evaluate(STATES, PLAYERS), known))


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
def test_wrong_arrays_are_refused(evaluator: evaluators.Evaluator, states: Any, players: Any, words: str):
    with pytest.raises(cardgames.InvalidInput, match=words):
        evaluator.evaluate(states, players)


def test_what_is_no_network_is_refused():
    nn = pytest.importorskip("torch").nn
    for network, encoding, words in (
        (42, "4x4x15", "the path of a file, an Mlp or a torch module, not int"),
        (nn.Linear(240, 1), "", "of a torch module is to be said what it sees"),
        (nn.Linear(239, 1), "4x4x15", "does not map"),
        (nn.Linear(240, 1000), "4x4x15", "1000 outputs, uno"),
        (nn.Sequential(nn.Linear(240, 8), nn.Sigmoid(), nn.Linear(7, 1)), "4x4x15", "does not map"),
        (nn.Sequential(nn.Linear(240, 8), nn.Tanh(), nn.Linear(7, 1)), "4x4x15", "does not fit its neighbours"),
    ):
        with pytest.raises(cardgames.InvalidInput, match=words) as caught:
            make_evaluator(GAME, network, encoding=encoding)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("told", [{"encoding": "4x4x15"}, {"reward": (0.0, 1.0)}])
def test_what_a_file_knows_is_not_told_again(told: dict[str, Any]):
    with pytest.raises(cardgames.InvalidInput, match="a file or an Mlp knows its own"):
        make_evaluator(GAME, random_network((240, 8, 1), 0, "4x4x15", "uno"), **told)


def test_torch_modules_are_left_as_they_were():
    torch = pytest.importorskip("torch")
    module = torch.nn.Sequential(torch.nn.Linear(240, 61), torch.nn.Dropout(), torch.nn.Dropout())
    module[2].eval()
    evaluator = make_evaluator(GAME, module, encoding="4x4x15")
    first, second = (evaluator.evaluate(STATES, PLAYERS) for _ in range(2))
    assert isinstance(evaluator, TorchEvaluator)
    assert np.array_equal(first, second)
    assert [part.training for part in module.modules()] == [True, True, True, False], "each part as it was"
    assert all(parameter.grad is None and parameter.requires_grad for parameter in module.parameters())


def test_only_perceptrons_become_kernels():
    torch = pytest.importorskip("torch")
    nn = torch.nn
    for hidden, activations in (([8], ("relu",)), ([8], ("tanh",)), ([8, 7], ("tanh", "relu"))):
        mlp = random_network((240, *hidden, 1), 0, "4x4x15", "uno", activations=activations)
        again = from_torch_module(to_torch_module(mlp), "4x4x15", "uno")
        assert again is not None and again.activations == activations and np.array_equal(again.weights, mlp.weights)
    named = nn.Sequential(OrderedDict(first=nn.Linear(240, 8), act=nn.ReLU(), last=nn.Linear(8, 1)))
    found = from_torch_module(named, "4x4x15", "uno")
    assert found is not None
    assert np.array_equal(found.tensors()["2.weight"], named.last.weight.detach().numpy())
    normed = nn.Sequential(nn.utils.parametrizations.weight_norm(nn.Linear(240, 1)))
    turned = nn.Sequential(nn.Linear(240, 1))
    turned.register_forward_hook(lambda part, inputs, outputs: 1 - outputs)
    for module in (
        normed,
        turned,
        nn.Sequential(nn.Linear(240, 8), nn.Sigmoid(), nn.Linear(8, 1)),
        nn.Sequential(nn.Linear(240, 8), nn.ReLU()),
        nn.Sequential(nn.Linear(240, 1, bias=False)),
        nn.Linear(240, 1),
    ):
        assert from_torch_module(module, "4x4x15", "uno") is None
        with pytest.raises(cardgames.InvalidInput, match="no other module"):
            make_evaluator(GAME, module, "kernel", encoding="4x4x15")


def test_a_layer_used_twice_stands_twice_in_the_kernels_network():
    torch = pytest.importorskip("torch")
    same, relu = torch.nn.Linear(240, 240), torch.nn.ReLU()
    module = torch.nn.Sequential(same, relu, same, relu, torch.nn.Linear(240, 1))
    inputs = np.random.default_rng(1).integers(0, 2, (5, 240)).astype(np.int8)
    by_torch, by_kernel = (make_evaluator(GAME, module, device, encoding="4x4x15") for device in ("cpu", "kernel"))
    assert by_kernel.outputs(inputs) == pytest.approx(by_torch.outputs(inputs), abs=1e-5)


def test_the_device_is_chosen_by_size(monkeypatch: pytest.MonkeyPatch):
    torch = pytest.importorskip("torch")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert choose_device(24_000, 64) == choose_device(24_000, 4096) == choose_device(1_400_000, 64) == "kernel"
    assert choose_device(4_000_000, 64) == choose_device(24_000, 64, perceptron=False) == "cpu"
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert choose_device(24_000, 64) == "kernel"
    assert choose_device(24_000, 4096) == choose_device(4_000_000, 64) == "cuda"
    assert [choose_device(417_000, batch) for batch in (32, 1024)] == ["kernel", "cuda"], "updates on 512-512"
    monkeypatch.setattr(evaluators, "find_spec", lambda name: None)
    assert choose_device(4_000_000, 64) == "kernel"


def test_an_evaluator_is_made_of_a_file(tmp_path: Path):
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
def test_devices_that_are_not_there_are_refused(device: str, words: str, monkeypatch: pytest.MonkeyPatch):
    torch = pytest.importorskip("torch")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(cardgames.InvalidInput, match=words):
        make_evaluator(GAME, random_network((240, 8, 1), 0, "4x4x15", "uno"), device)


def test_playouts_value_equal_states_equally():
    evaluator = PlayoutEvaluator(GAME, playouts=3)
    values = evaluator.evaluate(STATES, PLAYERS)
    assert ((values >= 0) & (values <= 1)).all()
    assert np.array_equal(evaluator.evaluate(STATES[::-1], PLAYERS[::-1]), values[::-1])
    over = np.array([ops.is_terminal(GAME.kernel_rules, state) for state in STATES])
    assert np.array_equal(values[over], (STATES["winner"] == PLAYERS)[over])


def test_playouts_know_who_is_winning():
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
def test_wrong_playouts_are_refused(options: dict[str, Any]):
    with pytest.raises(cardgames.InvalidInput):
        PlayoutEvaluator(GAME, **options)


@pytest.mark.parametrize("outputs", [1, 61])
def test_a_module_that_learned_itself_out_of_numbers_is_refused(outputs: int):
    torch = pytest.importorskip("torch")
    module = torch.nn.Sequential(torch.nn.Linear(240, 8), torch.nn.GELU(), torch.nn.Linear(8, outputs))
    evaluator = make_evaluator(GAME, module, "cpu", encoding="4x4x15", reward=(-1.0, 1.0))
    evaluator.evaluate(STATES, PLAYERS)
    with torch.no_grad():
        module[2].bias[0] = float("nan")
    with pytest.raises(cardgames.InvalidInput, match="outputs are not all finite numbers"):
        evaluator.evaluate(STATES, PLAYERS)


class Told:
    """An evaluator that tells whatever it was told."""

    def __init__(self, values: Any):
        self.values = values

    def evaluate(self, states: NDArray[Any], players: NDArray[np.int64]) -> Any:
        """Tell it, so often as there are states if it is a number."""
        return np.full(len(states), self.values) if isinstance(self.values, float) else self.values


@pytest.mark.parametrize("values", [np.full(1, 0.5), float("nan"), np.full((4, 1), 0.5), float("inf")])
def test_searches_do_not_take_every_answer_for_values(values: Any) -> None:
    state = GAME.new_initial_state(seed=3)
    settings = BatchedSettings(simulations=20, trees=2)
    with pytest.raises(cardgames.InvalidInput, match="an evaluator tells a value"):
        search_many([state.observation()], Told(values), settings)
    with pytest.raises(cardgames.InvalidInput, match="an evaluator tells a value"):
        roots = np.repeat(state.record.reshape(1), 3)
        grow_trees(GAME, roots, Told(values), QForestSettings(simulations=3), np.arange(3).astype(np.uint64))


@pytest.mark.parametrize("other", [("rlcard", 2), ("common", 3)])
def test_searches_take_evaluators_of_their_own_game(other: tuple[str, int]) -> None:
    evaluator = PlayoutEvaluator(cardgames.make("uno", players=other[1], rules=other[0]))
    state = GAME.new_initial_state(seed=3)
    with pytest.raises(
        cardgames.InvalidInput, match=f"{other[1]} players, rules {other[0]}> is none for <uno, 3 players"
    ):
        search_many([state.observation()], evaluator)
    with pytest.raises(cardgames.InvalidInput, match=r"an evaluator for .* is none for"):
        grow_trees(GAME, state.record.reshape(1), evaluator, QForestSettings(), np.zeros(1, np.uint64))


@pytest.mark.parametrize("reward", [(1.0, 0.0), (1.0, 1.0), 3, (0.0, float("nan"))])
def test_a_reward_is_a_lost_and_a_won_round(reward: Any) -> None:
    class Own(NetworkEvaluator):
        def outputs(self, inputs: NDArray[np.int8]) -> NDArray[np.float32]:
            return np.zeros((len(inputs), 61), np.float32)

    with pytest.raises(cardgames.InvalidInput, match=r"a lost (round is worth less than a|and a) won"):
        Own(GAME, "4x4x15", reward)


def test_play_outs_are_the_same_in_any_number_of_threads() -> None:
    evaluator, growth = PlayoutEvaluator(GAME), QForestSettings(simulations=30)
    roots = STATES[PLAYERS >= 0][:48]
    roots = roots[[not ops.is_terminal(GAME.kernel_rules, state) for state in roots]]
    seeds = np.arange(len(roots)).astype(np.uint64)
    one, four = (grow_trees(GAME, roots, evaluator, growth, seeds, batch=8, threads=n) for n in (1, 4))
    assert np.array_equal(one.q, four.q) and np.array_equal(one.visits, four.visits)


def test_play_outs_follow_the_games_pacemaker_unless_told() -> None:
    game = cardgames.make("doudizhu")
    state = game.new_initial_state(seed=1)
    players = np.array([state.current_player()], np.int64)
    told = [
        PlayoutEvaluator(game, policy).evaluate(state.record.reshape(1), players)
        for policy in ("", game.default_policy)
    ]
    assert told[0] == told[1]


def test_play_outs_of_a_state_differ() -> None:
    game = cardgames.make("uno", players=2, rules="rlcard")
    state = game.position(hands=["r1 g2 b3", "g1 g2 g3"], top="r5", seed=1)
    (value,) = PlayoutEvaluator(game, playouts=50).evaluate(state.record.reshape(1), np.zeros(1, np.int64))
    assert 0.02 <= value <= 0.98
