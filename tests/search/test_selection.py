"""Tests of action selection with values computed by hand: bounds, untried actions, priors."""

import math

import numpy as np
import pytest

import cardgames
from cardgames.core import ops
from cardgames.kernels import rng
from cardgames.kernels.record_type import new_record
from cardgames.search.mcts import sequential_halving, simulation
from cardgames.search.mcts.mcts_settings import MctsSettings
from cardgames.search.mcts.simulation import SEARCH_CONFIG
from cardgames.search.selection import PUCT, UCB1, UCB_TUNED, bound
from cardgames.search.tree import NODE, add_child, add_root
from tests.search.mcts.test_mcts_agent import position


def test_bounds_equal_the_formulas_of_their_papers() -> None:
    config = new_record(SEARCH_CONFIG)
    config.c, config.bias, config.select = 2.0, 3.0, UCB1
    assert bound(config, 0.5, 2.0, 4, 10, 0.25) == pytest.approx(0.5 + 2 * math.sqrt(math.log(10) / 4) + 3 * 0.25 / 5)
    config.bias, config.select = 0.0, UCB_TUNED
    assert bound(config, 0.5, 2.0, 4, 10, 0.0) == pytest.approx(0.5 + 2 * math.sqrt(0.25 * math.log(10) / 4))
    variance = 0.01 + math.sqrt(2 * math.log(5000) / 2000)
    tuned = 0.5 + 2 * math.sqrt(variance * math.log(5000) / 2000)
    assert bound(config, 0.5, 2000 * 0.26, 2000, 5000, 0.0) == pytest.approx(tuned)
    config.select = PUCT
    assert bound(config, 0.5, 0.0, 3, 8, 0.25) == pytest.approx(0.5 + 2 * 0.25 * 3 / 4)
    assert bound(config, 0.5, 0.0, 0, 0, 0.25) == pytest.approx(0.5 + 2 * 0.25), (
        "the prior counts in the first selection"
    )


@pytest.mark.parametrize(("nodes", "best"), [("all", 1), ("own", 2)])
def test_nodes_all_uses_availability_counts_in_the_bound(nodes: str, best: int) -> None:
    config, tree = MctsSettings(nodes=nodes).config(cardgames.make("uno"), 0), np.zeros(3, NODE)
    add_root(tree, 0)
    for number, available in ((1, 99), (2, 3)):
        add_child(tree, number, 0, number, 0, 0.0)
        tree[number].available, tree[number].visits, tree[number].total = available, 1, 0.5
    tree[0].visits = 100
    chosen, _, num_untried = simulation._best_child(config, tree, 0, 0, np.array([1, 2], np.int32), 2)
    assert (chosen, num_untried) == (best, 0) and tree["available"].tolist() == [0, 100, 4]


def test_puct_untried_action_has_mean_of_root_or_one_half_below_it() -> None:
    state = position("rlcard")
    game, legal = state.game, np.array(state.legal_actions(), np.int32)
    settings = MctsSettings(select="puct", c=0.0)
    config, policies = settings.config(game, state.current_player()), settings.simulator(game).policies
    tree = np.zeros(2, NODE)
    add_root(tree, state.current_player())
    add_child(tree, 1, 0, int(legal[0]), state.current_player(), 0.0)
    tree["visits"], tree["total"] = 4, 4.0
    for node, best, taken in ((0, 0.9, True), (0, 1.0, False), (1, 0.4, True), (1, 0.6, False)):
        arguments = tree, node, legal, len(legal), len(legal), best, rng.stream(1)
        action, _ = simulation._next_untried(game.kernel_rules, config, policies, state.record, *arguments)
        assert (action >= 0) == taken


@pytest.mark.parametrize("options", ["bias=2", "select=puct", "root=halving,bias=2", "root=halving,nodes=all,bias=2"])
def test_prior_is_policy_probability_mixed_with_uniform(options: str) -> None:
    state = position("rlcard")
    game, n = state.game, len(state.legal_actions())
    options = f"mcts:setting=paper,{options},prior=linear,playout=random,simulations=200"
    report = cardgames.agent(options, game, seed=1).act(state.observation()).report
    for row in report.actions:
        likelihood = ops.likelihood(game.kernel_rules, state.record, np.int64(row.action), *game.policy("linear"))
        assert row.prior == pytest.approx(0.75 * likelihood + 0.25 / n)


def test_first_child_of_progressive_widening_is_action_of_the_prior() -> None:
    state = position("rlcard")
    preferred = cardgames.agent("linear", state.game, seed=1).act(state.observation()).action
    options = "mcts:setting=paper,widen=0.01,prior=linear,playout=random,simulations=50"
    report = cardgames.agent(options, state.game, seed=1).act(state.observation()).report
    assert (report.best.action, report.best.visits) == (preferred, 50)


def test_halving_adds_logarithm_of_prior_to_total() -> None:
    node = np.zeros(1, NODE)[0]
    node.visits, node.total, node.prior = 10, 6.0, 0.25
    assert sequential_halving._biased_mean(node, 2.0) == pytest.approx((6 + 2 * math.log(0.25)) / 10)
    assert sequential_halving._biased_mean(node, 0.0) == 0.6


@pytest.mark.parametrize(("n", "num_left"), [(2, 1), (5, 3), (6, 3)])
def test_halving_keeps_the_better_half(n: int, num_left: int) -> None:
    tree, candidates = np.zeros(n + 1, NODE), np.arange(1, n + 1)
    tree["visits"], tree["total"] = 4, (np.arange(n + 1) * 3) % 7
    assert sequential_halving._drop_worse_half(tree, candidates, n, 0.0) == num_left
    assert candidates.tolist() == sorted(range(1, n + 1), key=lambda node: -tree[node].total)
