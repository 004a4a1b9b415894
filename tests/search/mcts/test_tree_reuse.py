"""Tree reuse: the right part of the right trees, and nothing where the round is another."""

from typing import Any

import numpy as np
import pytest

import cardgames
from cardgames.agents.agent import decide
from cardgames.search.mcts.forest import Forest
from cardgames.search.mcts.search_memory import PreviousSearch
from cardgames.search.mcts.tree_reuse import copy_subtree
from cardgames.search.report import SearchReport
from cardgames.search.settings import MctsSettings
from cardgames.search.tree import NODE
from tests.search.mcts.test_mcts_agent import position, uno

Tree = dict[int, tuple[Any, ...]]


def as_dict(tree: Any, node: int) -> Tree:
    """Return what is below a node: action -> visits, total, squares, what is below that, prior and availability."""
    found, child = {}, int(tree[node].child)
    while child > 0:
        row = tree[child]
        counted = int(row.visits), float(row.total), float(row.squares)
        found[int(row.action)] = (*counted, as_dict(tree, child), float(row.prior), int(row.available))
        child = int(row.sibling)
    return found


def searched(state: cardgames.State, simulations: int = 500) -> Forest:
    """Return the forest of a search at `state`."""
    settings = MctsSettings(trees=2, simulations=simulations, c=0.5)
    roots = np.zeros(2, state.game.state_dtype)
    roots[:] = state.record
    player = state.current_player()
    forest = Forest(state.game, settings, settings.simulator(state.game), player, roots, 3, simulations)
    forest.run(simulations, None, 0.0)
    return forest


@pytest.mark.parametrize("length", [0, 1, 2])
def test_what_lies_below_a_path_is_taken_over(length: int):
    state, random = position("rlcard"), np.random.default_rng(1)
    for tree in searched(state).trees:
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


def test_an_action_never_tried_leaves_an_empty_tree():
    state = position("rlcard")
    tree, out = searched(state).trees[0], np.zeros(500, NODE)
    legal = np.ones(state.game.num_distinct_actions, np.bool_)
    unheard_of = next(action for action in range(61) if action not in state.legal_actions())
    assert copy_subtree(tree, np.array([unheard_of, 0]), legal, out) == 1
    assert (out[0].visits, out[0].child) == (0, -1)


@pytest.mark.parametrize("rules", ["official", "rlcard"])
def test_a_memory_follows_its_player_through_a_round(rules: str):
    """In every round the path is made of the decisions with a choice since the search, the forced ones left out."""
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
                    memory = memory.advance_particle(seen)
                    assert memory is not None and memory.path == tuple(chosen) and memory.forced is not choice
                elif choice:
                    memory = PreviousSearch(None, seen)  # type: ignore[arg-type]
                forced += not choice
            action = player.act(seen).action
            if memory is not None and seen.player == 1 and choice:
                chosen.append(action)
            state.apply_action(action)
    assert forced > 10


def test_a_memory_is_of_one_round_and_of_every_decision_in_it():
    game = uno(2)
    state = game.position(hands=["r1 r2 r3 r4 r5 r6", "r7 r8 r9 r0 rs rd"], top="r5", to_move=0, seed=1)
    memory = PreviousSearch(None, state.observation())  # type: ignore[arg-type]
    assert memory.advance_particle(state.observation()) is None
    seen = []
    for card in ("r1", "r7", "r2", "r8"):
        state.apply_action(game.parse_action(card))
        seen.append(state.observation(0))
    followed = memory.advance_particle(seen[1])
    assert followed is not None and followed.path == (game.parse_action("r1"),)
    assert memory.advance_particle(seen[3]) is None
    again = followed.advance_particle(seen[3])
    assert again is not None and again.path == (game.parse_action("r1"), game.parse_action("r2"))
    assert memory.advance_particle(state.observation(1)) is None
    other = game.position(hands=["r1 r2 r3 r4 r5 r9", "r7 r8 r6 r0 rs rd"], top="r5", to_move=0, seed=1)
    for card in ("r1", "r7"):
        other.apply_action(game.parse_action(card))
    assert memory.advance_particle(other.observation()) is None


def test_a_memory_ends_where_the_cards_are_dealt_again():
    game = cardgames.make("doudizhu", rules="classic")
    state = game.new_initial_state(seed=1)
    player = state.current_player()
    memory = PreviousSearch(None, state.observation())  # type: ignore[arg-type]
    while not state.record.redeals or state.current_player() != player:
        state.apply_action(game.parse_action("pass"))
    assert memory.advance_particle(state.observation()) is None


def two_searches(agent: Any) -> list[SearchReport]:
    """Return the reports of an agent's first two searches from a position on, the others playing by reflex."""
    state, reports = position("rlcard", players=2), []
    player, others = state.current_player(), cardgames.agent("reflex", state.game, seed=1)
    while len(reports) < 2:
        decision = decide(agent if state.current_player() == player else others, state)
        if decision.report is not None:
            reports.append(decision.report)
        state.apply_action(decision.action)
    return reports


@pytest.mark.parametrize("name", ["mcts:", "mcts-dbm:", "mcts-dbm:determinize=simulation,", "cheating-hands:"])
def test_a_search_adds_to_what_the_last_one_found(name: str):
    game = uno(2)
    first, second = two_searches(cardgames.agent(f"{name}simulations=600,c=0.5,reuse=true", game, seed=1))
    again = two_searches(cardgames.agent(f"{name}simulations=600,c=0.5,reuse=true", game, seed=1))
    plain = two_searches(cardgames.agent(f"{name}simulations=600,c=0.5", game, seed=1))
    assert [report.actions for report in again] == [first.actions, second.actions]
    assert plain[0].actions == first.actions and plain[1].actions != second.actions
    inherited = sum(a.visits for a in second.actions) - second.simulations
    assert second.simulations == 600 and 0 < inherited < first.best.visits
    assert [root.visits for root in second.roots] == [sum(c.visits for c in root.children) for root in second.roots]


def test_another_round_begins_with_nothing():
    game = uno(2)
    agent = cardgames.agent("mcts:simulations=100,reuse=true", game, seed=1)
    for seed in (1, 2):
        state = game.new_initial_state(seed=seed)
        while len(state.legal_actions()) < 2:
            state.apply_action(state.legal_actions()[0])
        fresh = cardgames.agent("mcts:simulations=100,reuse=true", game, seed=1)
        assert agent.act(state.observation()).report.actions == fresh.act(state.observation()).report.actions
