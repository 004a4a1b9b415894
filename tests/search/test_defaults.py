"""Tests of the default options of the searches, value by value."""

from dataclasses import replace

import numpy as np
import pytest

import cardgames
from cardgames.agents.agent import decide
from cardgames.kernels import rng
from cardgames.search.evaluators import PlayoutEvaluator
from cardgames.search.mcts.mcts_settings import MctsSettings
from cardgames.search.network_mcts.batched_search import BatchedSettings
from cardgames.search.qtree.batched_qtree import QForestSettings
from cardgames.search.qtree.qtree_agent import QTreeSettings
from tests.differences import assert_same
from tests.search.mcts.test_mcts_agent import position

TREE = MctsSettings(
    simulations=500,
    trees=5,
    c=5.0,
    select="ucb1",
    nodes="own",
    determinize="tree",
    chance="fresh",
    root="tree",
    playout="",
    opponents="",
    prior="",
    bias=0.0,
    widen=0.0,
    particles=100,
    mismatch_weight=0.9,
    belief_policy="",
    exact=True,
    objective="payoff",
    cutoff=None,
    network="",
    reuse=False,
    threads=1,
)
"""Search of paper 001: five trees, 500 simulations, UCB1 with a constant of 5."""


def test_default_options_of_a_tree_search() -> None:
    assert_same(MctsSettings(), TREE, "MctsSettings")


@pytest.mark.parametrize(
    ("agent", "expected"),
    [
        ("mcts:setting=paper", replace(TREE, exact=False)),
        ("mcts-dbm:setting=paper", replace(TREE, exact=False)),
        ("cheating-hands", TREE),
        ("cheating-all", replace(TREE, chance="fixed")),
        (
            "ismcts",
            replace(
                TREE,
                simulations=1000,
                nodes="observed",
                determinize="simulation",
                root="halving",
                c=0.3,
                widen=0.3,
                bias=4.0,
            ),
        ),
    ],
)
def test_default_settings_of_each_tree_search(agent: str, expected: MctsSettings) -> None:
    game = cardgames.make("uno", players=2, rules="rlcard")
    assert_same(cardgames.agent(agent, game, seed=1).settings, expected, agent)


@pytest.mark.parametrize(("select", "constant"), [("ucb1", 5.0), ("ucb-tuned", 1.0), ("puct", 1.5)])
def test_default_exploration_constant_of_each_selection(select: str, constant: float) -> None:
    assert MctsSettings(select=select).c == MctsSettings(select=select).config(cardgames.make("uno"), 0).c == constant


def test_default_options_of_a_batched_search() -> None:
    expected = BatchedSettings(simulations=500, trees=5, leaves=4, c=1.0, playout="", particles=0, mismatch_weight=0.9)
    assert_same(BatchedSettings(), expected, "BatchedSettings")


def test_default_options_of_a_single_player_tree() -> None:
    assert_same(
        QForestSettings(), QForestSettings(simulations=50, c=1.0, discount=0.99, opponents=""), "QForestSettings"
    )
    expected = QTreeSettings(
        simulations=50,
        c=1.0,
        discount=0.99,
        opponents="",
        true_state=False,
        particles=0,
        mismatch_weight=0.9,
        exact=True,
    )
    assert_same(QTreeSettings(), expected, "QTreeSettings")


DOCUMENTED = [
    (
        "uno",
        "mcts:setting=paper",
        "simulations=500,trees=5,c=5,select=ucb1,nodes=own,determinize=tree,chance=fresh,root=tree,playout=reflex,"
        "opponents=reflex,bias=0,widen=0,reuse=false,threads=1",
    ),
    ("uno", "mcts:setting=paper,select=ucb-tuned", "c=1"),
    ("uno", "mcts:setting=paper,select=puct", "c=1.5,prior=reflex"),
    ("uno", "mcts:setting=paper,root=halving", "simulations=500,bias=0"),
    ("uno", "mcts-dbm:setting=paper", "simulations=500,trees=5,c=5,particles=100,mismatch_weight=0.9"),
    (
        "uno",
        "ismcts",
        "simulations=1000,nodes=observed,root=halving,c=0.3,widen=0.3,bias=4,particles=100,"
        "mismatch_weight=0.9,playout=reflex,opponents=reflex,prior=reflex",
    ),
    (
        "doudizhu",
        "ismcts",
        "simulations=1000,nodes=observed,root=halving,c=0.3,widen=0.3,bias=4,particles=100,"
        "mismatch_weight=0.9,playout=frugal,opponents=frugal,prior=frugal",
    ),
    ("uno", "mcts-net", "simulations=500,trees=5,leaves=4,c=1,playout=reflex,particles=0"),
    ("uno", "q-tree", "simulations=50,c=1,discount=0.99,opponents=reflex,true_state=false,particles=0"),
    ("uno", "expectimax", "depth=2,chain=paper,colors=1,cards=-2,wilds=1,result=0"),
    ("uno", "cheating-hands", "simulations=500,trees=5,c=5"),
    ("uno", "cheating-all", "simulations=500,trees=5,c=5"),
]


@pytest.mark.parametrize(("name", "agent", "options"), DOCUMENTED)
def test_agent_without_options_decides_as_with_its_documented_defaults(name: str, agent: str, options: str) -> None:
    state = position("rlcard") if name == "uno" else cardgames.make(name, rules="rlcard").new_initial_state(seed=3)
    explicit = f"{agent}{',' if ':' in agent else ':'}{options}"
    first, second = (decide(cardgames.agent(text, state.game, seed=1), state) for text in (agent, explicit))
    assert_same(first.action, second.action, f"action of {agent}")
    assert first.report is not None and second.report is not None
    assert_same(first.report.actions, second.report.actions, f"actions of {agent}")
    assert_same(first.report.effective_sample_size, second.report.effective_sample_size, f"particles of {agent}")


def test_default_policy_and_number_of_playouts() -> None:
    state = position("rlcard")
    players = [state.current_player()] * 20
    states = np.repeat(state.record.reshape(1), 20)
    states["rng"] = [rng.derive(seed) for seed in range(20)]
    values = PlayoutEvaluator(state.game).evaluate(states, np.array(players))
    assert set(values.tolist()) == {0.0, 1.0}
    assert values.tolist() == PlayoutEvaluator(state.game, "reflex", 1).evaluate(states, np.array(players)).tolist()
