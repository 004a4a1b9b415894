"""Tests of tree reuse: copied subtrees, and when a search may continue from the last one."""

from typing import Any

import numpy as np
import pytest

import cardgames
from cardgames.agents.agent import decide
from cardgames.search.mcts.forest_search import Forest
from cardgames.search.mcts.mcts_settings import MctsSettings
from cardgames.search.mcts.search_memory import PreviousSearch
from cardgames.search.mcts.tree_reuse import copy_subtree
from cardgames.search.report import SearchReport
from cardgames.search.tree import NODE
from tests.search.mcts.test_mcts_agent import position, uno

Tree = dict[int, tuple[Any, ...]]


def as_dict(tree: Any, node: int) -> Tree:
    """Return the subtree of a node: action -> (visits, total, squares, subtree, prior, availability)."""
    children, child = {}, int(tree[node].child)
    while child > 0:
        row = tree[child]
        statistics = int(row.visits), float(row.total), float(row.squares)
        children[int(row.action)] = (*statistics, as_dict(tree, child), float(row.prior), int(row.available))
        child = int(row.sibling)
    return children


def search_forest(state: cardgames.State, simulations: int = 500) -> Forest:
    """Return the forest of a search from `state`."""
    settings = MctsSettings(trees=2, simulations=simulations, c=0.5)
    roots = np.zeros(2, state.game.state_dtype)
    roots[:] = state.record
    player = state.current_player()
    forest = Forest(state.game, settings, settings.simulator(state.game), player, roots, 3, simulations)
    forest.run(simulations, None, 0.0)
    return forest


@pytest.mark.parametrize("length", [0, 1, 2])
def test_copy_subtree_copies_the_subtree_below_a_path(length: int):
    state, random = position("rlcard"), np.random.default_rng(1)
    for tree in search_forest(state).trees:
        tree["prior"], tree["available"] = random.random(len(tree)), random.integers(100, size=len(tree))
        below, path = as_dict(tree, 0), []
        for _ in range(length):
            action = max(below, key=lambda action: below[action][0])
            path.append(action)
            below = below[action][3]
        legal = np.ones(state.game.num_distinct_actions, np.bool_)
        legal[max(below)] = False
        out = np.zeros(len(tree), NODE)
        num_nodes = copy_subtree(tree, np.array(path, np.int64), legal, out)
        expected = {action: rest for action, rest in below.items() if legal[action]}
        assert as_dict(out, 0) == expected and len(expected) == len(below) - 1
        assert (out[0].visits, out[0].action) == (sum(rest[0] for rest in expected.values()), -1)
        assert out[0].total == pytest.approx(sum(rest[1] for rest in expected.values()))
        for number, node in enumerate(out[:num_nodes]):
            assert node.child == -1 or number < node.child < num_nodes


def test_copy_subtree_of_untried_action_is_empty():
    state = position("rlcard")
    tree, out = search_forest(state).trees[0], np.zeros(500, NODE)
    legal = np.ones(state.game.num_distinct_actions, np.bool_)
    untried = next(action for action in range(61) if action not in state.legal_actions())
    assert copy_subtree(tree, np.array([untried, 0]), legal, out) == 1
    assert (out[0].visits, out[0].child) == (0, -1)


@pytest.mark.parametrize("rules", ["official", "rlcard"])
def test_previous_search_advances_through_a_whole_round(rules: str):
    """The path has the player's actions since the search, except forced ones."""
    game = uno(3, rules)
    forced = 0
    for seed in range(6):
        state, player = game.new_initial_state(seed=seed), cardgames.agent("random", game, seed=seed)
        memory: PreviousSearch | None = None
        chosen: list[int] = []
        while not state.is_terminal():
            seen = state.observation()
            if seen.player == 1:
                choice = len(seen.legal_actions) > 1
                if memory is not None:
                    memory = memory.advance(seen)
                    assert memory is not None and memory.path == tuple(chosen) and memory.forced is not choice
                elif choice:
                    memory = PreviousSearch(None, seen)  # type: ignore[arg-type]
                forced += not choice
            action = player.act(seen).action
            if memory is not None and seen.player == 1 and choice:
                chosen.append(action)
            state.apply_action(action)
    assert forced > 10


def test_previous_search_advances_only_to_next_decision_of_same_round():
    game = uno(2)
    state = game.position(hands=["r1 r2 r3 r4 r5 r6", "r7 r8 r9 r0 rs rd"], top="r5", to_move=0, seed=1)
    memory = PreviousSearch(None, state.observation())  # type: ignore[arg-type]
    assert memory.advance(state.observation()) is None
    seen = []
    for card in ("r1", "r7", "r2", "r8"):
        state.apply_action(game.parse_action(card))
        seen.append(state.observation(0))
    followed = memory.advance(seen[1])
    assert followed is not None and followed.path == (game.parse_action("r1"),)
    assert memory.advance(seen[3]) is None
    again = followed.advance(seen[3])
    assert again is not None and again.path == (game.parse_action("r1"), game.parse_action("r2"))
    assert memory.advance(state.observation(1)) is None
    other = game.position(hands=["r1 r2 r3 r4 r5 r9", "r7 r8 r6 r0 rs rd"], top="r5", to_move=0, seed=1)
    for card in ("r1", "r7"):
        other.apply_action(game.parse_action(card))
    assert memory.advance(other.observation()) is None


def test_previous_search_ends_at_a_redeal():
    game = cardgames.make("doudizhu", rules="classic")
    state = game.new_initial_state(seed=1)
    player = state.current_player()
    memory = PreviousSearch(None, state.observation())  # type: ignore[arg-type]
    while not state.record.redeals or state.current_player() != player:
        state.apply_action(game.parse_action("pass"))
    assert memory.advance(state.observation()) is None


def two_searches(agent: Any) -> list[SearchReport]:
    """Return the reports of an agent's first two searches after a position, with `reflex` as the other players."""
    state, reports = position("rlcard", players=2), []
    player, others = state.current_player(), cardgames.agent("reflex", state.game, seed=1)
    while len(reports) < 2:
        decision = decide(agent if state.current_player() == player else others, state)
        if decision.report is not None:
            reports.append(decision.report)
        state.apply_action(decision.action)
    return reports


@pytest.mark.parametrize(
    "name",
    [
        "mcts:setting=paper,",
        "mcts-dbm:setting=paper,",
        "mcts-dbm:setting=paper,determinize=simulation,",
        "cheating-hands:",
    ],
)
def test_reuse_adds_simulations_to_the_last_search(name: str):
    game = uno(2)
    first, second = two_searches(cardgames.agent(f"{name}simulations=600,c=0.5,reuse=true", game, seed=1))
    again = two_searches(cardgames.agent(f"{name}simulations=600,c=0.5,reuse=true", game, seed=1))
    plain = two_searches(cardgames.agent(f"{name}simulations=600,c=0.5", game, seed=1))
    assert [report.actions for report in again] == [first.actions, second.actions]
    assert plain[0].actions == first.actions and plain[1].actions != second.actions
    inherited = sum(a.visits for a in second.actions) - second.simulations
    assert second.simulations == 600 and 0 < inherited < first.best.visits
    assert [root.visits for root in second.roots] == [sum(c.visits for c in root.children) for root in second.roots]


def test_reuse_does_not_carry_over_to_another_round():
    game = uno(2)
    agent = cardgames.agent("mcts:setting=paper,simulations=100,reuse=true", game, seed=1)
    for seed in (1, 2):
        state = game.new_initial_state(seed=seed)
        while len(state.legal_actions()) < 2:
            state.apply_action(state.legal_actions()[0])
        fresh = cardgames.agent("mcts:setting=paper,simulations=100,reuse=true", game, seed=1)
        assert agent.act(state.observation()).report.actions == fresh.act(state.observation()).report.actions
