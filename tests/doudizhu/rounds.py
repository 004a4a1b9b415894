"""What the tests of whole rounds share: random rounds, position by position."""

import random
from collections.abc import Iterator

from cardgames.core.state import State
from cardgames.doudizhu.game import DouDiZhu


def played(state: State, chance: random.Random) -> Iterator[State]:
    """Play `state` to its end at random, yielding it before every decision and at the end."""
    while not state.is_terminal():
        yield state
        state.apply_action(chance.choice(state.legal_actions()))
    yield state


def after(game: DouDiZhu, seed: int, decisions: int) -> State:
    """The state after so many random decisions, or one before the end."""
    state, chance = game.new_initial_state(seed=seed), random.Random(seed)
    for _ in range(decisions):
        copy = state.clone()
        copy.apply_action(chance.choice(copy.legal_actions()))
        if copy.is_terminal():
            break
        state = copy
    return state
