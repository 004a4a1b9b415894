"""Tests of search options: parsing, ranges, and refusal of options that have no effect."""

import math
from pathlib import Path
from typing import Any

import pytest

import cardgames
from cardgames.networks.network_file import random_network, save_network
from cardgames.search.mcts.mcts_agent import make_mcts
from cardgames.search.mcts.mcts_settings import MctsSettings
from cardgames.search.option_parsing import budget

GAME = cardgames.make("uno", players=2, rules="rlcard")


@pytest.fixture
def network(tmp_path: Path) -> Path:
    """Return a file with a network that has no fixed rules."""
    path = tmp_path / "value.safetensors"
    save_network(random_network((240, 8, 1), 0, "4x4x15", "uno"), path)
    return path


def test_settings_select_playout_opponent_and_prior_policies() -> None:
    policy_id = GAME.policies
    simulator = MctsSettings(playout="reflex", opponents="random", prior="linear", select="puct").simulator(GAME)
    assert simulator.policies.policy_ids.tolist() == [policy_id["reflex"], policy_id["random"], policy_id["linear"]]
    assert MctsSettings(playout="reflex").simulator(GAME).policies.policy_ids.tolist() == [policy_id["reflex"]] * 3


@pytest.mark.parametrize("name", ["mcts-net", "q-tree"])
def test_network_option_refuses_objects_and_names_make_evaluator(name: str) -> None:
    with pytest.raises(cardgames.InvalidInput, match="not object: pass a torch module to make_evaluator"):
        cardgames.agent(name, GAME, network=object())


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("root=halving,select=ucb1", "select has no effect with root=halving"),
        ("root=halving,c=1", "c has no effect with root=halving"),
        ("root=halving,widen=1", "widen has no effect with root=halving"),
        ("select=puct,widen=1", "widen has no effect with select=puct"),
        ("root=halving,determinize=simulation", "determinize has no effect with root=halving"),
        ("root=halving,trees=5", "trees has no effect with root=halving"),
        ("root=halving,threads=2", "threads has no effect with only one tree"),
        ("determinize=simulation,trees=2", "trees has no effect with determinize=simulation"),
        ("determinize=simulation,threads=2", "threads has no effect with only one tree"),
        ("trees=1,threads=2", "threads has no effect with only one tree"),
        ("select=puct,bias=1", "bias has no effect with select=puct"),
        ("root=halving,nodes=observed,select=puct,widen=1", "widen has no effect with select=puct"),
        ("prior=linear", "prior has no effect without select=puct, bias or widen"),
        ("root=halving,prior=linear", "prior has no effect in a flat search without bias"),
        ("root=halving,nodes=observed,prior=linear", "prior has no effect without select=puct, bias or widen"),
        ("particles=50", "particles has no effect without a filter"),
    ],
)
def test_options_without_effect_are_refused(options: str, words: str) -> None:
    with pytest.raises(cardgames.InvalidInput, match=words):
        cardgames.agent(f"mcts:setting=paper,{options}", GAME)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"mismatch_weight": 0.5}, "mismatch_weight has no effect without a filter"),
        ({"belief_policy": "linear"}, "belief_policy has no effect without a filter"),
        ({"nonsense": 3}, "unknown search option 'nonsense'"),
        ({"playout": 3}, "playout is a text, not 3"),
        ({"c": 10**400}, "c is a number, not 1000"),
        ({"simulations": 10**5000}, "simulations is a whole number from 1 to .*, not one of thousands of digits"),
    ],
)
def test_make_mcts_refuses_wrong_options(options: dict[str, Any], words: str) -> None:
    with pytest.raises(cardgames.InvalidInput, match=words):
        make_mcts(GAME, 0, **options)


def test_make_mcts_accepts_a_default_given_explicitly() -> None:
    make_mcts(GAME, 0, "paper", cutoff=None)


@pytest.mark.parametrize(
    "options",
    [
        "determinize=simulation,trees=1,threads=1,particles=50",
        "root=halving,trees=1,particles=50,prior=linear,bias=1",
        "select=puct,prior=linear",
        "bias=1,prior=linear",
        "widen=1,prior=linear,nodes=all",
        "root=halving,nodes=observed,c=0.3,widen=0.3",
        "root=halving,nodes=observed,select=puct,bias=0",
        "reuse=false,nodes=all",
        "trees=2,threads=2",
    ],
)
def test_options_with_an_effect_are_accepted(options: str) -> None:
    cardgames.agent(f"mcts:setting=paper,{options}", GAME)
    cardgames.agent(f"mcts-dbm:setting=paper,{options}", GAME)
    cardgames.agent("mcts-dbm:setting=paper,particles=50", GAME)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("cutoff=0", "cutoff=N and network=FILE go together"),
        ("network={}", "cutoff=N and network=FILE go together"),
        ("cutoff=-1,network={}", "cutoff is a whole number from 0"),
        ("cutoff=x,network={}", "cutoff is a whole number, not 'x'"),
        ("cutoff=1,network=nothing", "unknown network 'nothing'"),
        ("cutoff=1,network={},nodes=all", "cannot be combined with nodes=all"),
        ("reuse=true,nodes=all", "cannot be combined with nodes=all"),
        ("reuse=true,root=halving", "cannot be combined with root=halving"),
        ("reuse=1", "reuse is true or false, not '1'"),
    ],
)
def test_cutoff_network_and_reuse_refuse_wrong_combinations(network: Path, options: str, words: str) -> None:
    with pytest.raises(cardgames.InvalidInput, match=words):
        cardgames.agent(f"mcts:setting=paper,{options.format(network)}", GAME)


def test_network_for_other_rules_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "official.safetensors"
    rules = cardgames.make("uno", rules="official").rules.hash
    save_network(random_network((240, 8, 1), 0, "4x4x15", "uno", rules=rules), path)
    with pytest.raises(cardgames.InvalidInput, match="trained under rules"):
        cardgames.agent(f"mcts:setting=paper,cutoff=1,network={path}", GAME)


@pytest.mark.parametrize("name", ["mcts-net", "q-tree"])
@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("device=cpu", "device has no effect without a network"),
        ("mismatch_weight=0.5", "mismatch_weight has no effect without particles"),
        ("simulations=0", "simulations is a whole number from 1"),
        ("simulations=99999999999999999999", "simulations is a whole number from 1 to 100,000,000"),
        ("particles=-1", "particles is a whole number from 0"),
        ("particles=1000000000", "particles is a whole number from 0 to 100,000"),
    ],
)
def test_network_searches_refuse_options_without_effect_or_out_of_range(name: str, options: str, words: str) -> None:
    with pytest.raises(cardgames.InvalidInput, match=words):
        cardgames.agent(f"{name}:{options}", GAME)


def test_trees_times_leaves_is_limited() -> None:
    with pytest.raises(cardgames.InvalidInput, match="trees times leaves is at most 1,000,000"):
        cardgames.agent("mcts-net:trees=100000,leaves=100", GAME)


@pytest.mark.parametrize(
    ("limit", "simulations", "seconds"),
    [
        (None, 500, math.inf),
        (cardgames.Limit(simulations=7), 7, math.inf),
        (cardgames.Limit(time=2.0, simulations=7), 7, 2.0),
        (cardgames.Limit(time=2.0), 2**31 - 1, 2.0),
        (cardgames.Limit(simulations=10**30), 100_000_000, math.inf),
    ],
)
def test_limit_replaces_the_default_budget(limit: cardgames.Limit | None, simulations: int, seconds: float) -> None:
    assert budget(500, limit) == (simulations, seconds)
