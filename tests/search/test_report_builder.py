"""Tests of the construction of search reports."""

import numpy as np
import pytest

import cardgames
from cardgames.search.mcts.forest_search import Forest
from cardgames.search.mcts.mcts_settings import MctsSettings
from cardgames.search.report_builder import build_report, convergence_point


def observation_and_forest() -> tuple[cardgames.Observation, Forest]:
    """Return an observation and a forest of one tree whose root has two children, with 1 and 3 visits."""
    state = cardgames.make("uno").position(hands=["r1 r2", "b3 b4"], top="r5")
    observation = state.observation()
    roots = np.zeros(1, state.game.state_dtype)
    roots[0] = state.record
    settings = MctsSettings(trees=1, objective="win")
    forest = Forest(state.game, settings, settings.simulator(state.game), 0, roots, 0, 4)
    forest.num_nodes[0] = 3
    root, first, second = forest.trees[0][:3]
    root["visits"], root["total"], root["child"], root["sibling"], root["action"] = 4, 2.0, 2, -1, -1
    a, b = observation.legal_actions[:2]
    for node, (visits, action, sibling) in ((first, (1, a, -1)), (second, (3, b, 1))):
        node["visits"], node["action"], node["sibling"], node["child"] = visits, action, sibling, -1
        node["total"] = node["squares"] = visits / 2
    second["prior"], second["available"] = 0.25, 4
    return observation, forest


def test_report_has_nodes_priors_and_convergence() -> None:
    observation, forest = observation_and_forest()
    point = convergence_point(observation, forest)
    assert point.simulations == 4 and point.visits[:2] == (1, 3) and point.values[:2] == (0.5, 0.5)
    assert set(point.visits[2:]) <= {0} and set(point.values[2:]) <= {None}
    report = build_report("fake", observation, forest, 4, 0.1, None, complete=True, convergence=[point])
    best, other = report.roots[0].children
    assert (best.visits, best.share, other.standard_error) == (3, 0.75, None)
    assert (best.prior, best.available) == (0.25, 4)
    assert [row.prior for row in report.actions[:3]] == [0.25, None, None] and report.has_priors
    assert report.convergence_of(best.action) == ((3,), (0.5,)) and report.best.visits == 3
    assert report.to_dict()["convergence"][0]["visits"][1] == 3 and report.pruned(0).roots[0].children == ()


def test_principal_variation_separates_equal_actions_of_two_seats() -> None:
    observation, forest = observation_and_forest()
    a = int(forest.trees[0][1]["action"])
    forest.trees[0][2]["action"], forest.trees[0][2]["mover"], forest.trees[0][2]["total"] = a, 1, 0.0
    report = build_report("fake", observation, forest, 4, 0.1, None, complete=True)
    line = report.principal_variation
    assert (line.actions, line.visits, line.value) == ((a,), 3, 0.0)
    nodes, text = report.roots[0].children, observation.game.action_to_string(a)
    assert [node.seat for node in nodes] == [1, 0] and report.roots[0].seat == 0
    assert [node.text for node in nodes] == [f"1:{text}", text] and line.text == f"1:{text}"


def test_report_of_sequential_halving_has_convergence() -> None:
    game = cardgames.make("uno", players=2, rules="rlcard")
    state = game.position(hands=["r9 r1 b5 w", "g1 g2 g3"], top="r5", seed=1)
    agent = cardgames.agent("mcts:setting=paper,root=halving,simulations=400", game, seed=1)
    report = agent.search(state.observation()).report
    assert 30 <= len(report.convergence) <= 50
    simulations = [point.simulations for point in report.convergence]
    assert simulations == sorted(simulations) and simulations[-1] == report.simulations
    final = {a.action: (a.visits, a.value) for a in report.actions}
    visits, values = report.convergence[-1].visits, report.convergence[-1].values
    assert [final[action] for action in state.legal_actions()] == list(zip(visits, values, strict=True))
    assert agent.act(state.observation()).report.actions == report.actions


@pytest.mark.parametrize("mover", [0, 1, 2])
@pytest.mark.parametrize(
    "name",
    [
        "mcts-dbm:setting=paper,simulations=20",
        "ismcts:simulations=50",
        "mcts-net:simulations=20,particles=30",
        "q-tree:particles=30",
    ],
)
def test_report_has_belief_and_determinized_hands_of_each_seat(name: str, mover: int) -> None:
    own, sizes = "r1 r2 g3 b4", [4, 2, 9]
    hands = [own if seat == mover else sizes[(seat - mover) % 3] for seat in range(3)]
    state = cardgames.make("uno", players=3, rules="rlcard").position(hands=hands, top="r5", to_move=mover, seed=1)
    report = cardgames.agent(name, state.game, seed=1).act(state.observation()).report
    held = [sizes[(seat - mover) % 3] for seat in range(3)]
    assert report.player == mover
    believed = {seat: round(sum(cards), 6) for seat, cards in report.belief.items()}
    assert believed == {seat: held[seat] for seat in range(3) if seat != mover}
    for drawn in report.determinizations:
        assert [len(hand.split()) for hand in drawn] == held
        assert sorted(drawn[mover].split()) == sorted(own.split())
