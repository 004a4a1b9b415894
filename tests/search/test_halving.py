"""Sequential halving: few simulations see a fair part of the determinizations."""

import math

import numpy as np
import pytest

from cardgames.search.forest import Forest
from cardgames.search.halving import spread
from cardgames.search.settings import Settings
from tests.search.test_mcts import uno


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6, 7, 10, 12, 60, 97, 100, 200, 1000, 30_030])
def test_every_root_has_its_turn_and_the_first_ones_lie_apart(n: int):
    step = spread(n)
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
    settings = Settings(root="halving", chance="fixed")
    for seed in range(20):
        forest = Forest(game, settings, settings.simulator(game), 0, roots, seed, budget)
        forest.run_flat((game.parse_action("r1"), game.parse_action("r2")), budget, None, 0.0)
        tree = forest.trees[0]
        assert all(0.25 <= node.total / node.visits <= 0.75 for node in tree[1:3])
