"""Tests of the batched search and the agent `mcts-net`: visit counts, reproducibility, and agreement with `mcts`."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import cardgames
from cardgames.core import ops
from cardgames.networks.network_file import random_network, save_network
from cardgames.search.evaluators import Evaluator, PlayoutEvaluator
from cardgames.search.network_evaluator import KernelEvaluator
from cardgames.search.network_mcts.batched_search import BatchedSearch, BatchedSettings, search_many
from cardgames.search.report import SearchReport
from tests.search.mcts.test_mcts_agent import position, shuffled, uno

SMALL = BatchedSettings(simulations=103, trees=4, leaves=3)


class CountingEvaluator:
    """Evaluator that records the size of every batch."""

    def __init__(self, evaluator: Evaluator):
        self.evaluator = evaluator
        self.batches: list[int] = []

    def evaluate(self, states: NDArray[Any], players: NDArray[np.int64]) -> NDArray[np.float64]:
        """Record the batch size and call the wrapped evaluator."""
        self.batches.append(len(states))
        return self.evaluator.evaluate(states, players)


def evaluators(game: cardgames.Game) -> list[Evaluator]:
    """Return an evaluator of each kind that works without torch."""
    network = random_network((240, 32, 1), 0, "4x4x15", "uno")
    return [PlayoutEvaluator(game), KernelEvaluator(game, network)]


@pytest.mark.parametrize("rules", ["official", "simplified", "rlcard"])
def test_report_visits_add_up(rules: str):
    observation = position(rules).observation()
    for evaluator in evaluators(observation.game):
        counting = CountingEvaluator(evaluator)
        report = search_many([observation], counting, SMALL)[0].report
        assert report.simulations == 103 == sum(counting.batches) == sum(a.visits for a in report.actions)
        assert counting.batches[0] == 12 and len(counting.batches) == 9
        assert {a.action for a in report.actions} == set(observation.legal_actions)
        assert all(0 <= a.value <= 1 for a in report.actions if a.value is not None)
        for root in report.roots:
            assert root.visits == sum(child.visits for child in root.children)
            nodes = [root]
            for node in nodes:
                nodes.extend(node.children)
                # descents that end at a node are counted in none of its children
                assert node.visits >= max(1, sum(child.visits for child in node.children))


def test_equal_seed_gives_equal_search():
    state = position("rlcard")
    for evaluator in evaluators(state.game):
        first, again = (search_many([state.observation()], evaluator, SMALL, seed=4)[0] for _ in range(2))
        hidden = search_many([shuffled(state)], evaluator, SMALL, seed=4)[0]
        other = search_many([state.observation()], evaluator, SMALL, seed=5)[0]
        assert first.report.roots == again.report.roots == hidden.report.roots != other.report.roots


def test_search_many_equals_separate_searches():
    game = uno(3)
    agent = cardgames.agent("reflex", game, seed=1)
    observations = []
    for seed in range(6):
        state = game.new_initial_state(seed=seed)
        while len(state.legal_actions()) < 2:
            state.apply_action(agent.act(state.observation()).action)
        observations.append(state.observation())
    for evaluator, settings in zip(evaluators(game), (SMALL, replace(SMALL, particles=20)), strict=True):
        counting = CountingEvaluator(evaluator)
        together = search_many(observations, counting, settings)
        assert counting.batches[0] == 6 * 12
        alone = [search_many([seen], evaluator, settings)[0] for seen in observations]
        assert [d.report.roots for d in together] == [d.report.roots for d in alone]


@pytest.mark.parametrize("leaves", [1, 8])
def test_batched_search_plays_the_winning_card(leaves: int):
    game = uno(2)
    state = game.position(hands=["r9", "g1 g2 g3"], top="r5")
    for evaluator in evaluators(game):
        decision = search_many([state.observation()], evaluator, BatchedSettings(leaves=leaves))[0]
        assert decision.action == game.parse_action("r9")
        assert decision.value == 1


def test_leaves_are_decisions_of_the_searching_player():
    state = position("rlcard")
    rules, player = state.game.kernel_rules, state.current_player()

    class CheckingEvaluator(PlayoutEvaluator):
        def evaluate(self, states: NDArray[Any], players: NDArray[np.int64]) -> NDArray[np.float64]:
            assert (players == player).all()
            for leaf in states:
                assert ops.is_terminal(rules, leaf) or ops.current_player(rules, leaf) == player
            return super().evaluate(states, players)

    search_many([state.observation()], CheckingEvaluator(state.game), SMALL)


def test_report_during_evaluation_excludes_pending_leaves():
    seen: list[SearchReport] = []

    class ReportingEvaluator(PlayoutEvaluator):
        def evaluate(self, states: NDArray[Any], players: NDArray[np.int64]) -> NDArray[np.float64]:
            seen.append(search.report(0, "watched", complete=False))
            return np.full(len(states), 0.8)

    state = position("rlcard")
    search = BatchedSearch([state.observation()], BatchedSettings(simulations=60), 0)
    search.run(ReportingEvaluator(state.game))
    assert [report.simulations for report in seen] == [0, 20, 40]
    for report in seen:
        assert sum(entry.visits for entry in report.actions) == report.simulations
        assert all(entry.value == pytest.approx(0.8) for entry in report.actions if entry.visits)


def test_report_copes_with_trees_that_grow_meanwhile(monkeypatch: pytest.MonkeyPatch):
    """The searching thread may go on between the reading of the paths and the copying of the trees."""

    class ReportingEvaluator(PlayoutEvaluator):
        def evaluate(self, states: NDArray[Any], players: NDArray[np.int64]) -> NDArray[np.float64]:
            paths = search._paths.copy()
            search.report(0, "watched", complete=False)
            search._paths[:] = paths
            return super().evaluate(states, players)

    def grown_forest(number: int) -> Any:
        arrays = forest(number)
        search._paths[:] = arrays.trees.shape[1]
        return arrays

    state = position("rlcard")
    search = BatchedSearch([state.observation()], BatchedSettings(simulations=60), 0)
    forest = search.forest
    monkeypatch.setattr(search, "forest", grown_forest)
    search.run(ReportingEvaluator(state.game))


def test_search_refuses_values_outside_0_to_1():
    class OutOfRangeEvaluator(PlayoutEvaluator):
        def evaluate(self, states: NDArray[Any], players: NDArray[np.int64]) -> NDArray[np.float64]:
            return 2 * super().evaluate(states, players) - 1

    state = position("rlcard")
    with pytest.raises(cardgames.InvalidInput, match="an evaluator returns values from 0 to 1, not from -1 to"):
        search_many([state.observation()], OutOfRangeEvaluator(state.game), SMALL)
    with pytest.raises(cardgames.InvalidInput, match="is not an observation"):
        search_many([state], PlayoutEvaluator(state.game), SMALL)  # type: ignore[list-item]


def test_batched_search_agrees_with_mcts():
    """With playouts the mean root values over 40 seeds differ by less than 3.5 standard errors."""
    observation = position("rlcard").observation()
    options = {"simulations": 200, "trees": 4, "c": 1.0}
    evaluator = PlayoutEvaluator(observation.game)
    plain, batched = [], []
    for seed in range(40):
        decision = cardgames.agent("mcts:setting=paper", observation.game, seed=seed, **options).act(observation)
        plain.append(decision.report)
        batched.append(search_many([observation], evaluator, BatchedSettings(leaves=1, **options), seed=seed)[0].report)
    means = [
        np.array([sum(a.visits * (a.value or 0) for a in report.actions) / 200 for report in reports])
        for reports in (plain, batched)
    ]
    error = np.sqrt(sum(values.var(ddof=1) / len(values) for values in means))
    assert abs(means[0].mean() - means[1].mean()) < 3.5 * error
    visits = [
        {a.action: sum(b.visits for r in reports for b in r.actions if b.action == a.action) for a in plain[0].actions}
        for reports in (plain, batched)
    ]
    assert max(visits[0], key=lambda action: visits[0][action]) == max(visits[1], key=lambda action: visits[1][action])


def test_limit_bounds_simulations_and_time():
    observation = position("rlcard").observation()
    evaluator = PlayoutEvaluator(observation.game)
    limit = cardgames.Limit(simulations=30)
    assert search_many([observation], evaluator, SMALL, limit=limit)[0].report.simulations == 30
    report = search_many([observation], evaluator, SMALL, limit=cardgames.Limit(time=0.2))[0].report
    assert 103 < report.simulations < 10_000_000 and max(report.nodes) > 256


def test_mcts_net_plays_with_a_network_file(tmp_path: Path):
    path = tmp_path / "value.safetensors"
    save_network(random_network((240, 16, 61), 0, "4x4x15", "uno", reward=(-1.0, 1.0)), path)
    game = uno(2)
    agent = cardgames.agent(f"mcts-net:network={path},simulations=40,trees=2", game)
    state = game.new_initial_state(seed=1)
    while not state.is_terminal():
        state.apply_action(agent.act(state.observation()).action)
    assert sum(state.returns()) == 0


@pytest.mark.parametrize(
    "options",
    [
        {"simulations": 0},
        {"leaves": "x"},
        {"c": "nan"},
        {"playout": "nobody"},
        {"x": 1},
        {"network": "none"},
        {"particles": -1},
        {"mismatch_weight": 1},
    ],
)
def test_mcts_net_refuses_wrong_options(options: dict[str, Any]):
    observation = position("rlcard").observation()
    with pytest.raises(cardgames.InvalidInput):
        cardgames.agent("mcts-net", observation.game, **options).act(observation)


def test_search_many_refuses_other_games_and_seats_not_to_move():
    observation = position("rlcard").observation()
    evaluator = PlayoutEvaluator(observation.game)
    assert search_many([], evaluator) == []
    with pytest.raises(cardgames.InvalidInput, match="same game"):
        search_many([observation, position("official").observation()], evaluator)
    state = position("rlcard")
    with pytest.raises(cardgames.InvalidInput, match="to move"):
        search_many([state.observation((state.current_player() + 1) % 3)], evaluator)


def test_trees_have_different_determinizations():
    observation = position("rlcard").observation()
    report = search_many([observation], PlayoutEvaluator(observation.game), SMALL)[0].report
    assert len(set(report.determinizations)) == 4


def test_determinizations_can_come_from_the_particle_filter():
    observation = position("rlcard").observation()
    settings = BatchedSettings(simulations=50, particles=30)
    report = search_many([observation], PlayoutEvaluator(observation.game), settings)[0].report
    assert report.particles == 30 and 1 <= report.effective_sample_size <= 30
    assert set(report.belief) == {0, 1, 2} - {observation.player}


def test_mcts_net_search_includes_forced_actions_and_convergence():
    game = uno(2)
    state = game.position(hands=["r9 b2", "g1 g2 g3"], top="r5")
    agent = cardgames.agent("mcts-net:simulations=400", game, seed=1)
    assert agent.act(state.observation()).report is None
    report = agent.search(state.observation()).report
    assert report.simulations == 400 == sum(a.visits for a in report.actions)
    assert 20 <= len(report.convergence) <= 60 and report.convergence[-1].simulations == 400
    state = position("rlcard")
    agent = cardgames.agent("mcts-net:simulations=400", state.game, seed=1)
    assert agent.search(state.observation()).report.roots == agent.act(state.observation()).report.roots


def test_huge_exploration_constant_visits_all_actions_equally() -> None:
    state = uno(2).position(hands=["r9 r1 r3 w", "g1 g2 g3"], top="r5", seed=1)
    n = len(state.legal_actions())
    settings = BatchedSettings(simulations=40 * n, trees=1, leaves=1, c=1e6)
    report = search_many([state.observation()], PlayoutEvaluator(state.game), settings)[0].report
    assert {entry.visits for entry in report.actions} == {40}


def test_every_tree_has_its_own_random_stream() -> None:
    search = BatchedSearch([position("rlcard").observation()], BatchedSettings(), 0)
    assert len(set(search._streams["rng"].tolist())) == 5


def test_option_playout_selects_policy_of_opponents_and_leaves() -> None:
    observation = position("rlcard").observation()
    game = observation.game
    evaluator = KernelEvaluator(game, random_network((240, 16, 1), 0, "4x4x15", "uno"))
    reflex, chance = (
        search_many([observation], evaluator, BatchedSettings(simulations=60, playout=name))[0].report.roots
        for name in ("reflex", "random")
    )
    assert reflex != chance
    settings = BatchedSettings(simulations=60, playout="random")
    agent = cardgames.agent("mcts-net:simulations=60,playout=random", game, seed=3)
    expected = search_many([observation], PlayoutEvaluator(game, "random"), settings, seed=3)[0]
    assert agent.act(observation).report.roots == expected.report.roots
