"""Slow referee of the exact solver: minimax in plain Python over states, with a dictionary of positions."""

import math
from typing import Any

from cardgames.core.game import Game
from cardgames.core.state import State

Interval = tuple[float, float]


def play(record: Any, game: Game, action: int) -> State:
    """Return the state after an action."""
    state = State(game, record.copy(), [])
    state.apply_action(action)
    return state


def are_partners(game: Game, record: Any, seat: int, other: int) -> bool:
    """Return whether two seats play together, by the rules of the game and not by the verb under test."""
    if game.name == "doudizhu":
        return bool((seat == record.landlord) == (other == record.landlord))
    return seat == other


def final(state: State, player: int, objective: str) -> float:
    """Return the value of a finished round."""
    if objective == "payoff":
        return float(state.returns()[player])
    winners = state.winners()
    if winners:
        return float(player in winners)
    return 1.0 / state.game.num_players if state.game.rules["payoff"] != "points" else 0.5


class Minimax:
    """Minimax value of states for one seat, as an interval that is wide where a line draws from the random stream."""

    def __init__(self, game: Game, player: int, objective: str, max_states: int = 20_000):
        self.game, self.player, self.objective, self.max_states = game, player, objective, max_states
        self.known: dict[bytes, Interval] = {}

    def value(self, state: State) -> Interval:
        """Return the interval of the value of a state. Raises `OverflowError` if there are too many states."""
        if state.is_terminal():
            value = final(state, self.player, self.objective)
            return value, value
        key = _key(self.game, state.record)
        if key not in self.known:
            if len(self.known) >= self.max_states:
                raise OverflowError
            self.known[key] = -math.inf, math.inf  # reserves the place
            values = [self.after(state, action) for action in state.legal_actions()]
            own = are_partners(self.game, state.record, self.player, state.current_player())
            choose = max if own else min
            self.known[key] = choose(low for low, _ in values), choose(high for _, high in values)
        return self.known[key]

    def after(self, state: State, action: int) -> Interval:
        """Return the interval of the value after an action, as wide as can be if it draws from the random stream.

        Chance after the last card cannot change who has won.
        """
        following = play(state.record, self.game, action)
        is_won = self.objective == "win" and bool(following.winners())
        if following.record.rng != state.record.rng and not is_won:
            return (0.0, 1.0) if self.objective == "win" else (-math.inf, math.inf)
        return self.value(following)


def _key(game: Game, record: Any) -> bytes:
    """Return the whole record except for fields that only count what has happened."""
    copy = record.copy()
    names = ["decisions", "turns"] if game.name == "doudizhu" else ["decisions", "laid", "clock"]
    for name in names:
        copy[name] = 0
    for name in ["recent_actions", "first_actions"] if game.name == "doudizhu" else ["cards_since_draw"]:
        copy[name][:] = 0
    return bytes(copy.tobytes())
