"""Transcripts of whole rounds and counts of action sequences (perft), which the golden files of each game store."""

import cardgames
from cardgames.core import ops
from cardgames.core.state import State


def transcript(state: State, agent: str) -> str:
    """Play a round from `state` with copies of an agent; return one line for each event, then the payoffs."""
    agents = [cardgames.agent(agent, state.game, seed=seat) for seat in range(state.game.num_players)]
    while not state.is_terminal():
        state.apply_action(agents[state.current_player()].act(state.observation()).action)
    lines = [state.game.event_to_string(row) for row in state.history()]
    return "\n".join([*lines, f"returns {state.returns()}", ""])


def count(state: State, depth: int) -> int:
    """Return the number of action sequences of `depth` decisions (fewer if the round ends); the seed fixes chance."""
    if depth == 0 or state.is_terminal():
        return 1
    legal = state.legal_actions()
    if depth == 1:
        return len(legal)
    total = 0
    for action in legal:
        following = state.clone()
        # the verb itself, since no history is needed
        ops.apply_action(state.game.kernel_rules, following.record, action)
        total += count(following, depth - 1)
    return total
