"""Assertion that a seat has the same view of two states that differ only in what is hidden from it."""

from collections.abc import Iterable

import cardgames
from cardgames.core.state import State
from tests.differences import assert_same, assert_same_observation


def assert_same_for(state: State, other: State, seat: int, agents: Iterable[str]) -> None:
    """Assert that observations, encodings and, if `seat` is to move, actions of agents are equal in two states."""
    __tracebackhide__ = True
    game = state.game
    ours, theirs = state.observation(seat), other.observation(seat)
    assert_same_observation(theirs, ours)
    for name in game.encodings:
        if not name.startswith("cheating-"):
            inputs = game.encode(other, name, seat), game.encode(ours, name)
            assert_same(*inputs, f"seat {seat}, encoding {name}")
    if seat == state.current_player():
        for name in agents:
            actions = [cardgames.agent(name, game, seed=4).act(seen).action for seen in (theirs, ours)]
            assert_same(*actions, f"seat {seat}, action of {name}")
            assert actions[0] in ours.legal_actions, f"seat {seat}, action of {name}: {actions[0]} is not legal"
