"""Reading a search's arrays, whichever fields its nodes have."""

import numpy as np
import pytest

import cardgames
from cardgames.search.inspect import convergence_point, report_of
from cardgames.search.mcts import Forest
from cardgames.search.tree import NODE

LARGER = np.dtype([*((name, NODE[name]) for name in NODE.names[:3]), ("prior", "f4"), ("available", "i4"),
                   *((name, NODE[name]) for name in NODE.names[3:])])  # fmt: skip


def searched(layout: np.dtype) -> tuple[cardgames.Observation, Forest]:
    """Return a forest of one tree whose root has two children, of 1 and 3 visits."""
    state = cardgames.make("uno").position(hands=["r1 r2", "b3 b4"], top="r5")
    observation = state.observation()
    forest = Forest(state.game, 1, 4)
    forest.trees, forest.used[0] = np.zeros((1, 4), layout), 3
    root, first, second = forest.trees[0][:3]
    root["visits"], root["total"], root["child"], root["sibling"], root["action"] = 4, 2.0, 2, -1, -1
    a, b = observation.legal_actions[:2]
    for node, (visits, action, sibling) in ((first, (1, a, -1)), (second, (3, b, 1))):
        node["visits"], node["action"], node["sibling"], node["child"] = visits, action, sibling, -1
        node["total"] = node["squares"] = visits / 2
    if "prior" in layout.names:
        second["prior"], second["available"] = 0.25, 4
    return observation, forest


@pytest.mark.parametrize("layout", [NODE, LARGER])
def test_nodes_and_convergence(layout: np.dtype) -> None:
    observation, forest = searched(layout)
    point = convergence_point(observation, forest)
    assert point.simulations == 4 and point.visits[:2] == (1, 3) and point.values[:2] == (0.5, 0.5)
    assert set(point.visits[2:]) <= {0} and set(point.values[2:]) <= {None}
    report = report_of("fake", observation, forest, 4, 0.1, None, complete=True, convergence=[point])
    best, other = report.roots[0].children
    assert (best.visits, best.share, other.standard_error) == (3, 0.75, None)
    assert (best.prior, best.available) == ((0.25, 4) if "prior" in layout.names else (None, None))
    assert report.course(best.action) == ((3,), (0.5,)) and report.best.visits == 3
    assert report.to_dict()["convergence"][0]["visits"][1] == 3 and report.cut(0).roots[0].children == ()
