"""Tests of simulations with a cutoff: the network evaluates the right states, and its values are backed up."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cardgames
from cardgames.core import ops
from cardgames.core.kernel_policy import stack_policies
from cardgames.kernels import rng
from cardgames.networks.network import Mlp
from cardgames.networks.network_file import random_network, save_network
from cardgames.networks.policy_lookup import find_policy
from cardgames.search.mcts.mcts_settings import MctsSettings
from cardgames.search.network_evaluator import KernelEvaluator
from cardgames.search.objective import value_scale
from cardgames.search.playout import SimulationPolicies, finish_simulation, make_cutoff_evaluator
from cardgames.search.tree import NODE, add_child, add_root
from cardgames.uno.outcome import POINT_SCALE
from tests.differences import assert_same
from tests.search.mcts.test_mcts_agent import position, shuffled, uno

VALUE = random_network((240, 16, 1), 1, "4x4x15", "uno")
QUALITY = random_network((240, 16, 61), 2, "4x4x15", "uno", reward=(-1.0, 1.0))
CANONICAL = random_network((240, 16, 61), 2, "4x4x15-canonical", "uno", reward=(-1.0, 1.0))
POLICIES = ("reflex", "random", "reflex")


def saved(network: Mlp, folder: Path) -> Path:
    """Save `network` and return the file."""
    path = folder / "network.safetensors"
    save_network(network, path)
    return path


def simulated_value(game: cardgames.Game, state: Any, player: int, cutoff: int, stream: Any, network: Mlp) -> float:
    """Play `state` on in plain Python to the cutoff or the end of the round, and return the value of the simulation."""
    rules, legal = game.kernel_rules, np.zeros(game.num_distinct_actions, np.int32)
    own = 0
    while not ops.is_terminal(rules, state):
        seat = ops.current_player(rules, state)
        n = ops.legal_actions(rules, state, legal)
        if seat == player and own >= cutoff and n > 1 and (network.sizes[-1] == 1 or legal[0] < 61):
            return float(KernelEvaluator(game, network).evaluate(np.array([state]), np.array([player]))[0])
        own += seat == player
        policy = game.policy(POLICIES[0 if seat == player else 1])
        ops.apply_action(rules, state, ops.policy(rules, state, *policy, stream))
    if game.pays_points:
        payoffs = np.zeros(game.num_players)
        ops.returns(rules, state, payoffs)
        return float((payoffs[player] + POINT_SCALE) / (2 * POINT_SCALE))
    return float(ops.utility(rules, state, player))


@pytest.mark.parametrize("network", [VALUE, QUALITY, CANONICAL])
@pytest.mark.parametrize("rules", ["official", "rlcard"])
def test_network_evaluates_after_cutoff_own_decisions(rules: str, network: Mlp):
    ends = set()
    for seed in range(12):
        state = position(rules, plies=6, seed=seed)
        game, player = state.game, state.current_player()
        for cutoff in (0, 1, 3, 20):
            config = MctsSettings(playout="reflex", opponents="random").config(game, player)
            tree, path = np.zeros(2, NODE), np.array([0, 1])
            add_root(tree, player)
            add_child(tree, 1, 0, 0, player, 0.0)
            policies = SimulationPolicies(*stack_policies([find_policy(game, name) for name in POLICIES]))
            record, expected = state.record.copy(), state.record.copy()
            for copy in (record, expected):
                ops.apply_action(game.kernel_rules, copy, np.int64(state.legal_actions()[0]))
            bounds = value_scale(game, record, "payoff").bounds
            evaluator = make_cutoff_evaluator(game, network, cutoff)
            finish_simulation(
                game.kernel_rules, config, policies, None, evaluator, bounds, record, tree, path, 2, rng.stream(seed)
            )
            value = simulated_value(game, expected, player, cutoff, rng.stream(seed), network)
            assert_same(record, expected, f"seed {seed}, cutoff {cutoff}")
            assert tree["total"].tolist() == [value, value] and tree["visits"].tolist() == [1, 1]
            ends.add(bool(ops.is_terminal(game.kernel_rules, record)))
    assert ends == {True, False}


@pytest.mark.parametrize("options", ["c=1", "select=puct", "determinize=simulation", "root=halving"])
def test_cutoff_beyond_the_end_of_the_round_changes_nothing(tmp_path: Path, options: str):
    state = position("rlcard")
    without_cutoff, with_late_cutoff = (
        cardgames.agent(f"mcts-dbm:setting=paper,simulations=200,{options}{cutoff}", state.game, seed=1)
        .act(state.observation())
        .report
        for cutoff in ("", f",cutoff=100000,network={saved(VALUE, tmp_path)}")
    )
    assert without_cutoff.actions == with_late_cutoff.actions


@pytest.mark.parametrize(
    "options", ["cutoff=0", "cutoff=2,trees=4,threads=2", "cutoff=1,root=halving", "cutoff=0,determinize=simulation"]
)
@pytest.mark.parametrize("rules", ["official", "rlcard"])
def test_cutoff_searches_are_reproducible_and_ignore_hidden_cards(tmp_path: Path, rules: str, options: str):
    state = position(rules)
    options = f"{options},simulations=300,network={saved(QUALITY, tmp_path)}"
    for name in ("mcts:setting=paper", "mcts-dbm:setting=paper"):
        reports = [
            cardgames.agent(f"{name},{options}", state.game, seed=1).act(observation).report
            for observation in (state.observation(), state.observation(), shuffled(state))
        ]
        assert reports[0].actions == reports[1].actions == reports[2].actions
        assert sum(a.visits for a in reports[0].actions) == reports[0].simulations > 100
        most = POINT_SCALE if state.game.pays_points else 1
        assert all(-most <= a.value <= most for a in reports[0].actions if a.value is not None)
    cheating_agent = cardgames.agent(
        f"cheating-all:{options.replace(',determinize=simulation', '')}", state.game, seed=1
    )
    assert cheating_agent.peek(state).action in state.legal_actions()


@pytest.mark.parametrize("options", ["trees=1,simulations=7", "root=halving,simulations=200"])
def test_action_values_are_those_of_the_network(tmp_path: Path, options: str):
    constant_network = random_network((240, 1), 0, "4x4x15", "uno")
    constant_network.weights[:] = 0
    constant_network.weights[240 * 16] = 0.75
    game = uno(2)
    state = game.position(hands=["r9 r1 r3 w w", "g1 g2 g3 y4 y5 y6"], top="r5", seed=1)
    agent = cardgames.agent(f"mcts:setting=paper,cutoff=0,{options},network={saved(constant_network, tmp_path)}", game)
    actions = agent.act(state.observation()).report.actions
    assert len(actions) == 7
    assert all(action.value == pytest.approx(0.75) for action in actions)


@pytest.mark.parametrize("root", ["tree", "halving"])
def test_immediate_win_is_not_evaluated_by_the_network(tmp_path: Path, root: str):
    game = uno(2)
    state = game.position(hands=["r9", "g1 g2 g3"], top="r5")
    agent = cardgames.agent(
        f"mcts-dbm:setting=paper,cutoff=0,root={root},network={saved(VALUE, tmp_path)}", game, seed=0
    )
    assert agent.search(state.observation()).value == 1
