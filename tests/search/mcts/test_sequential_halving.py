"""Sequential halving: few simulations see a fair part of the determinizations."""

import math
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import cardgames
from cardgames.agents.agent import Limit
from cardgames.search.mcts.forest import Forest
from cardgames.search.mcts.sequential_halving import golden_stride
from cardgames.search.mcts.simulation import DONE
from cardgames.search.settings import MctsSettings
from tests.search.mcts.test_mcts_agent import uno


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6, 7, 10, 12, 60, 97, 100, 200, 1000, 30_030])
def test_every_root_has_its_turn_and_the_first_ones_lie_apart(n: int):
    step = golden_stride(n)
    assert math.gcd(step, n) == 1
    for first in (2, 5, 10, 30):
        if first <= n:
            places = sorted(i * step % n for i in range(first))
            gaps = [b - a for a, b in zip(places, [*places[1:], places[0] + n], strict=True)]
            assert max(gaps) <= 4 * n / first + 1


@pytest.mark.parametrize("budget", [12, 40])
def test_a_small_budget_sees_every_kind_of_deal(budget: int):
    """Half of the deals, one after the other, are lost, for the opponent holds an answer; the others are won."""
    game = uno(2)
    lost, won = (game.position(hands=["r1 r2", card], top="r5", draw="g4 g6", seed=1) for card in ("r9", "b7"))
    roots = np.zeros(100, game.state_dtype)
    roots[:50], roots[50:] = lost.record, won.record
    settings = MctsSettings(root="halving", chance="fixed")
    for seed in range(20):
        forest = Forest(game, settings, settings.simulator(game), 0, roots, seed, budget)
        forest.run_halving((game.parse_action("r1"), game.parse_action("r2")), budget, None, 0.0)
        tree = forest.trees[0]
        assert all(0.25 <= node.total / node.visits <= 0.75 for node in tree[1:3])


def test_a_forced_move_is_searched_on_every_kind_of_deal():
    """The same, where there is one action only: no halving then, but the deals are as many."""
    game = uno(2)
    lost, won = (game.position(hands=["r1 g2", card], top="r5", draw="g4 g6", seed=1) for card in ("r9", "b7"))
    roots = np.zeros(100, game.state_dtype)
    roots[:50], roots[50:] = lost.record, won.record
    settings = MctsSettings(root="halving", chance="fixed")
    forest = Forest(game, settings, settings.simulator(game), 0, roots, 1, 200)
    forest.run(200, None, 0.0)
    root = forest.trees[0][0]
    assert 0.25 <= root.total / root.visits <= 0.75


@pytest.mark.parametrize("missing", [0, 5])
def test_where_a_budget_does_not_do_for_all_actions_any_are_tried_or_the_likeliest(missing: int):
    game = uno(2)
    state = game.position(hands=["r1 r2 r3 r4 r5 r6 r7 r8", 7], top="r9", seed=1)
    actions = tuple(state.legal_actions())
    budget = len(actions) - missing

    def nodes(settings: MctsSettings, seed: int) -> Any:
        forest = Forest(game, settings, settings.simulator(game), 0, state.record.reshape(1), seed, budget)
        forest.run_halving(actions, budget, None, 0.0)
        return forest.trees[0][1 : len(actions) + 1]

    tried, best = set[int](), budget - 1
    for seed in range(20):
        found = nodes(MctsSettings(root="halving", bias=1e-9, prior="linear"), seed)
        visited = found[found["visits"] > 0]
        assert len(visited) == best and visited["prior"].min() >= np.sort(found["prior"])[-best]
        found = nodes(MctsSettings(root="halving"), seed)
        tried |= set(found["action"][found["visits"] > 0].tolist())
    assert tried == set(actions)


def test_a_budget_is_spent_however_many_actions_there_are():
    game = cardgames.make("doudizhu", rules="rlcard")
    state = game.new_initial_state(seed=1)
    assert len(state.legal_actions()) > 50
    agent = cardgames.agent("mcts:root=halving,trees=1", game, seed=1)
    assert 999 <= agent.act(state.observation(), Limit(simulations=1000)).report.simulations <= 1000


def test_halvings_take_the_time_there_is(monkeypatch: pytest.MonkeyPatch):
    """A millisecond a simulation, a second in all: however the search is cut, it neither stops before nor goes on after."""
    game, settings = uno(2), MctsSettings(root="halving")
    roots = np.zeros(1, game.state_dtype)
    roots[:] = game.new_initial_state(seed=1).record
    forest = Forest(game, settings, settings.simulator(game), 0, roots, 1, 100)
    runs: list[int] = []

    def halve(actions: int, budget: int, course: object) -> int:
        runs.append(budget)
        forest.control[DONE] += budget
        return 1 + len(runs) % 2

    monkeypatch.setattr(forest, "_halve", halve)
    clock = SimpleNamespace(perf_counter=lambda: sum(runs) / 1000)
    monkeypatch.setattr("cardgames.search.mcts.forest.time", clock)
    forest.run_halving((0, 1), 1_000_000, Limit(time=1.0), 0.0)
    assert runs[0] == 3 and 1000 <= sum(runs) <= 1001
    decisive = max(i for i in range(len(runs)) if 2 * runs[i] >= max(runs[: i + 1]))
    assert forest.halving_choice == (decisive + 1) % 2, "a short one at the end decides nothing"
    assert all(after <= 8 * before for before, after in pairwise(runs)), (
        "a short one tells little of how long others take"
    )
