"""Assertion that a seat has the same view of two states that differ only in what is hidden from it."""

from collections.abc import Iterable

import numpy as np

import cardgames
from cardgames.core.state import State


def assert_same_for(state: State, other: State, seat: int, agents: Iterable[str]) -> None:
    """Assert that observations, encodings and, if `seat` is to move, actions of agents are equal in two states."""
    game = state.game
    ours, theirs = state.observation(seat), other.observation(seat)
    assert ours.to_bytes() == theirs.to_bytes()
    assert ours.to_dict() == theirs.to_dict()
    for name in game.encodings:
        if not name.startswith("cheating-"):
            assert np.array_equal(game.encode(ours, name), game.encode(other, name, seat)), name
    if seat == state.current_player():
        for name in agents:
            answers = {cardgames.agent(name, game, seed=4).act(seen).action for seen in (ours, theirs)}
            assert len(answers) == 1 and answers <= set(ours.legal_actions), name
