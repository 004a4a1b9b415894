"""Greedy policy of a Q-network: it takes the best legal action from the mover's observation; unfit files are refused."""

import os
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cardgames
from cardgames.core import ops
from cardgames.kernels import rng
from cardgames.networks.network import Mlp
from cardgames.networks.network_file import load_network, network_of, random_network, save_network
from cardgames.networks.policy_lookup import find_policy
from tests.perceptron import outputs_by_numpy
from tests.uno.tables import PRESETS, lively, play


def saved(
    path: Path, sizes: tuple[int, ...] = (240, 16, 61), seed: int = 0, encoding: str = "4x4x15", **options: Any
) -> str:
    """Write a random network and return the name of its file."""
    file = path / f"{'-'.join(map(str, sizes))}-{seed}.safetensors"
    save_network(random_network(sizes, seed, encoding, "uno", **options), file)
    return str(file)


def best_by_numpy(mlp: Mlp, state: cardgames.State) -> set[int]:
    """Return the legal actions of greatest Q, computed with numpy; all within rounding of the greatest."""
    x = outputs_by_numpy(mlp, state.game.encode(state.observation(), mlp.encoding).ravel())
    q = {action: x[action] for action in state.legal_actions() if action < len(x)}
    return {action for action, value in q.items() if value > max(q.values()) - 1e-5}


@pytest.mark.parametrize(
    ("sizes", "encoding", "activations"),
    [
        ((240, 61), "4x4x15", ()),
        ((240, 64, 64, 126), "4x4x15", ()),
        ((270, 20, 20, 20, 50), "54x5", ()),
        ((240, 20, 20, 61), "4x4x15", ("tanh", "relu")),
        ((240, *[12] * 11, 61), "4x4x15", ("relu",) * 10 + ("tanh",)),
    ],
)
@pytest.mark.parametrize("preset", PRESETS)
def test_network_policy_takes_the_best_legal_action_from_the_observation(
    preset: str, sizes: tuple[int, ...], encoding: str, activations: tuple[str, ...], tmp_path: Path
) -> None:
    game = cardgames.make("uno", players=3, rules=preset, overrides=["turn-limit=120"])
    sizes = (*sizes[:-1], min(sizes[-1], game.num_distinct_actions))
    file = saved(tmp_path, sizes, 3, encoding, activations=activations)
    network, policy, reflex = load_network(file), find_policy(game, file), game.policy("reflex")
    hidden, chance, compared = np.zeros(1, game.state_dtype)[0], random.Random(2), 0
    for state in play(game.new_initial_state(seed=1), chance):
        if state.is_terminal():
            break
        observation = state.observation()
        ops.determinize(game.kernel_rules, observation.record, rng.stream(chance.getrandbits(60)), hidden)
        records = (state.record, observation.record, hidden)
        answers = {int(ops.policy(game.kernel_rules, record, *policy, rng.stream(1))) for record in records}
        assert len(answers) == 1
        if len(observation.legal_actions) == 1:
            assert answers == set(observation.legal_actions)
        elif best := best_by_numpy(network, state):
            compared += 1
            assert answers <= best
        else:
            assert answers == {int(ops.policy(game.kernel_rules, state.record, *reflex, rng.stream(1)))}
    assert compared > 10


@pytest.mark.parametrize("preset", PRESETS)
def test_likelihoods_sum_to_one_and_allow_the_chosen_action(preset: str, tmp_path: Path) -> None:
    game = cardgames.make("uno", players=3, rules=preset, overrides=["turn-limit=120"])
    rules = game.kernel_rules
    policies = [find_policy(game, saved(tmp_path, (240, outputs), seed)) for seed, outputs in ((4, 61), (5, 30))]
    for state in play(game.new_initial_state(seed=3), random.Random(1)):
        for policy in policies if not state.is_terminal() else []:
            legal = state.legal_actions()
            shares = {action: ops.likelihood(rules, state.record, action, *policy) for action in legal}
            assert sum(shares.values()) == pytest.approx(1)
            assert shares[int(ops.policy(rules, state.record, *policy, rng.stream(2)))] > 0
            others = set(range(game.num_distinct_actions)) - shares.keys()
            assert not any(ops.likelihood(rules, state.record, action, *policy) for action in others)


def test_actions_of_equal_q_are_taken_equally_often(tmp_path: Path) -> None:
    game = cardgames.make("uno", players=2, rules="rlcard")
    zeros = {"0.weight": np.zeros((61, 240), np.float32), "0.bias": np.zeros(61, np.float32)}
    save_network(network_of(zeros, "4x4x15", "uno"), tmp_path / "zeros.safetensors")
    policy = find_policy(game, str(tmp_path / "zeros.safetensors"))
    state, stream = game.position(hands=["r1 r2 r3 b9", "g1"], top="r5"), rng.stream(3)
    legal = state.legal_actions()
    answers = [int(ops.policy(game.kernel_rules, state.record, *policy, stream)) for _ in range(3000)]
    for action in legal:
        assert ops.likelihood(game.kernel_rules, state.record, action, *policy) == 1 / len(legal)
        assert abs(answers.count(action) / 3000 - 1 / len(legal)) < 0.05


def test_changed_network_file_is_read_again(tmp_path: Path) -> None:
    game = cardgames.make("uno", players=2, rules="rlcard")
    file = saved(tmp_path, seed=0)
    first = find_policy(game, file).weights
    assert find_policy(game, file).weights is first
    save_network(random_network((240, 16, 61), 1, "4x4x15", "uno"), file)
    os.utime(file, ns=(1, 1))
    assert not np.array_equal(find_policy(game, file).weights, first)


@pytest.mark.parametrize("name", ["mcts:setting=paper", "mcts-dbm:setting=paper"])
@pytest.mark.parametrize(
    "options",
    [
        "playout={}",
        "opponents={},select=puct,prior={}",
        "root=halving,playout={}",
        "playout=expectimax,bias=1,prior={}",
    ],
)
def test_search_with_network_policies_ignores_hidden_cards(name: str, options: str, tmp_path: Path) -> None:
    game = cardgames.make("uno", players=3, rules="rlcard", overrides=["turn-limit=200"])
    state = game.new_initial_state(seed=4)
    chance = random.Random(2)
    while len(state.legal_actions()) < 2 or len(state.history()) < 20:
        state.apply_action(lively(state.legal_actions(), chance))
    file = saved(tmp_path, rules=game.rules.hash)
    other = state.clone()
    ops.determinize(game.kernel_rules, state.observation().record, rng.stream(3), other.record)
    text = f"{name},simulations=40,{options.format(file, file)}"
    text += f",particles=10,belief_policy={file}" if "dbm" in name else ""
    reports = [cardgames.agent(text, game, seed=1).act(seen.observation()).report for seen in (state, state, other)]
    assert reports[0].actions == reports[1].actions == reports[2].actions
    assert sum(row.visits for row in reports[0].actions) == reports[0].simulations


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"encoding": "cheating-7x4x15", "sizes": (420, 61)}, "sees hidden cards"),
        ({"sizes": (240, 8, 1)}, "one output"),
        ({"sizes": (240, *[4] * 14, 61)}, "15 layers; a policy may have at most 12"),
        ({"sizes": (240, 500)}, "500 outputs"),
        ({"rules": "0123456789abcdef"}, "trained under rules"),
    ],
)
def test_network_unfit_for_a_policy_is_refused_in_one_line(
    change: dict[str, object], message: str, tmp_path: Path
) -> None:
    file = saved(tmp_path, **change)  # type: ignore[arg-type]
    with pytest.raises(cardgames.InvalidInput, match=message) as refused:
        cardgames.agent("mcts:setting=paper", cardgames.make("uno", rules="rlcard"), playout=file)
    assert file in str(refused.value) and "\n" not in str(refused.value)


@pytest.mark.parametrize("option", ["playout", "opponents", "prior", "belief_policy"])
def test_unknown_policy_is_refused_with_the_list_of_policies(option: str, tmp_path: Path) -> None:
    game = cardgames.make("uno")
    with pytest.raises(cardgames.InvalidInput, match=f"unknown {option} 'nobody': .*linear, expectimax, .*safetensors"):
        cardgames.agent("mcts-dbm:setting=paper,select=puct", game, **{option: "nobody"})
    with pytest.raises(cardgames.InvalidInput, match=r"cannot read .*nowhere\.safetensors"):
        cardgames.agent("mcts-dbm:setting=paper,select=puct", game, **{option: str(tmp_path / "nowhere.safetensors")})
