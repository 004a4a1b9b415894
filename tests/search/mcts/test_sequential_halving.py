"""Tests of sequential halving: use of determinizations, budget and time limit."""

import math
import os
import subprocess
import sys
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import cardgames
from cardgames.agents.agent import Limit
from cardgames.search.mcts.forest_search import Forest
from cardgames.search.mcts.mcts_settings import MctsSettings
from cardgames.search.mcts.sequential_halving import golden_stride
from cardgames.search.mcts.simulation import DONE
from tests.search.mcts.test_mcts_agent import uno


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6, 7, 10, 12, 60, 97, 100, 200, 1000, 30_030])
def test_golden_stride_visits_all_roots_and_spreads_the_first(n: int):
    step = golden_stride(n)
    assert math.gcd(step, n) == 1
    for first in (2, 5, 10, 30):
        if first <= n:
            positions = sorted(i * step % n for i in range(first))
            gaps = [b - a for a, b in zip(positions, [*positions[1:], positions[0] + n], strict=True)]
            assert max(gaps) <= 4 * n / first + 1


@pytest.mark.parametrize("budget", [12, 40])
def test_halving_with_small_budget_samples_all_parts_of_the_roots(budget: int):
    """The first half of the roots is lost, because the opponent has a playable card; the second half is won."""
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


@pytest.mark.parametrize("nodes", ["own", "all", "observed"])
@pytest.mark.parametrize("playout", ["reflex", "random"])
@pytest.mark.parametrize("chance", ["fresh", "fixed"])
def test_halving_simulates_all_actions_with_common_random_numbers(nodes: str, playout: str, chance: str):
    """Red 1 and red 2 lead to equal results for equal deals and shuffles: the other 1s and 2s are discarded."""
    game, num_lost = uno(2), 0
    ones_and_twos = " ".join(2 * [f"{color}{face}" for color in "gby" for face in (1, 2)])
    state = game.position(hands=["r1 r2", 1], top="r5", discard=f"r1 r2 {ones_and_twos}", seed=1)
    roots = np.zeros(20, game.state_dtype)
    for i in range(20):
        roots[i] = game.determinize(state.observation(), i).record
    settings = MctsSettings(root="halving", nodes=nodes, playout=playout, chance=chance)
    for seed in range(20):
        forest = Forest(game, settings, settings.simulator(game), 0, roots, seed, 41)
        forest.run_halving((game.parse_action("r1"), game.parse_action("r2")), 41, None, 0.0)
        fewer_visits, more_visits = sorted(forest.trees[0][1:3], key=lambda node: node.visits)
        assert (fewer_visits.visits, more_visits.visits) == (20, 21)
        assert more_visits.total - fewer_visits.total in (0, 1), "equal wins, except in the last simulation"
        num_lost += 20 - int(fewer_visits.total)
    assert 40 < num_lost < 360, "results must depend on deals and chance"


def test_search_of_forced_action_samples_all_parts_of_the_roots():
    """As above with a single legal action: the search then runs without halving, on the same roots."""
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
def test_halving_with_budget_below_number_of_actions_tries_likeliest_or_random_ones(missing: int):
    game = uno(2)
    state = game.position(hands=["r1 r2 r3 r4 r5 r6 r7 r8", 7], top="r9", seed=1)
    actions = tuple(state.legal_actions())
    budget = len(actions) - missing

    def children(settings: MctsSettings, seed: int) -> Any:
        forest = Forest(game, settings, settings.simulator(game), 0, state.record.reshape(1), seed, budget)
        forest.run_halving(actions, budget, None, 0.0)
        return forest.trees[0][1 : len(actions) + 1]

    tried, num_tried = set[int](), budget - 1
    for seed in range(20):
        nodes = children(MctsSettings(root="halving", bias=1e-9, prior="linear"), seed)
        visited = nodes[nodes["visits"] > 0]
        assert len(visited) == num_tried and visited["prior"].min() >= np.sort(nodes["prior"])[-num_tried]
        nodes = children(MctsSettings(root="halving"), seed)
        tried |= set(nodes["action"][nodes["visits"] > 0].tolist())
    assert tried == set(actions)


def test_halving_uses_its_budget_with_many_actions():
    game = cardgames.make("doudizhu", rules="rlcard")
    state = game.new_initial_state(seed=1)
    assert len(state.legal_actions()) > 50
    agent = cardgames.agent("mcts:setting=paper,root=halving,trees=1", game, seed=1)
    assert 999 <= agent.act(state.observation(), Limit(simulations=1000)).report.simulations <= 1000


def test_halving_runs_fill_the_time_limit(monkeypatch: pytest.MonkeyPatch):
    """With a millisecond per simulation and a limit of one second, 1000 simulations run."""
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
    monkeypatch.setattr("cardgames.search.mcts.forest_search.time", clock)
    forest.run_halving((0, 1), 1_000_000, Limit(time=1.0), 0.0)
    assert runs[0] == 3 and 1000 <= sum(runs) <= 1001
    decisive = max(i for i in range(len(runs)) if 2 * runs[i] >= max(runs[: i + 1]))
    assert forest.halving_choice == (decisive + 1) % 2, "a short run at the end does not decide"
    assert all(after <= 8 * before for before, after in pairwise(runs)), "a short run may have been fast by chance"


SEARCH_IN_PLAIN_PYTHON = """
import warnings
import cardgames
warnings.filterwarnings("ignore", message="overflow")  # NumPy's, of integers that wrap on purpose
game = cardgames.make("uno", players=2, rules="rlcard")
state = game.position(hands=["r9 r1 b5 w", "g1 g2 g3"], top="r5", seed=1)
report = cardgames.agent("mcts:setting=paper,simulations=12,root=halving", game, seed=1).search(state.observation()).report
assert report.convergence and report.convergence[-1].simulations == report.simulations
"""


def test_halving_records_convergence_without_compiled_kernels():
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    subprocess.run([sys.executable, "-c", SEARCH_IN_PLAIN_PYTHON], env=environment, check=True)
