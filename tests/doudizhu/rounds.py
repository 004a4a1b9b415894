"""Random playthroughs of whole rounds for tests."""

import random
from collections.abc import Iterator

from cardgames.core.state import State
from cardgames.doudizhu.game import DouDiZhu


def random_playthrough(state: State, chance: random.Random) -> Iterator[State]:
    """Yield a state before every random action and at the end; the state is changed in place."""
    while not state.is_terminal():
        yield state
        state.apply_action(chance.choice(state.legal_actions()))
    yield state


def state_after(game: DouDiZhu, seed: int, num_actions: int) -> State:
    """Return the state after `num_actions` random actions, or the last state before the end of the round."""
    state, chance = game.new_initial_state(seed=seed), random.Random(seed)
    for _ in range(num_actions):
        next_state = state.clone()
        next_state.apply_action(chance.choice(next_state.legal_actions()))
        if next_state.is_terminal():
            break
        state = next_state
    return state
