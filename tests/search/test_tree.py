"""Tests of the backup of a finished round's outcome in a tree."""

import numpy as np
import pytest

import cardgames
from cardgames.core import ops
from cardgames.search.objective import UTILITY
from cardgames.search.tree import NODE, add_child, add_root, backward_outcome


def final_state(game: cardgames.Game, seed: int) -> cardgames.State:
    """Return the final state of a round of random players."""
    state, player = game.new_initial_state(seed=seed), cardgames.agent("random", game, seed=seed)
    while not state.is_terminal():
        state.apply_action(player.act(state.observation()).action)
    return state


@pytest.mark.parametrize(("name", "rules"), [("uno", "rlcard"), ("doudizhu", "rlcard")])
def test_backup_gives_a_node_the_outcome_for_the_seat_that_moved(name: str, rules: str) -> None:
    game, winners = cardgames.make(name, players=3, rules=rules), set()
    for seed in range(8):
        state = final_state(game, seed)
        tree, movers = np.zeros(5, NODE), [0, 0, 1, 2, 1]
        add_root(tree, movers[0])
        for node in range(1, 5):
            add_child(tree, node, node - 1, node, movers[node], 0.0)
        backward_outcome(game.kernel_rules, state.record, tree, np.arange(5), 4, UTILITY, np.zeros((3, 2)))
        values = [float(ops.utility(game.kernel_rules, state.record, seat)) for seat in range(3)]
        assert values == [float(seat in state.winners()) for seat in range(3)]
        assert tree["total"].tolist() == [*(values[mover] for mover in movers[:4]), 0.0]
        assert tree["visits"].tolist() == [1, 1, 1, 1, 0]
        winners.add(tuple(state.winners()))
    assert any(seats != tuple(2 - seat for seat in reversed(seats)) for seats in winners), (
        "some winners must differ in reversed order of seats"
    )
