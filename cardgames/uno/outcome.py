"""Whose turn it is, and how a round of Uno ends: winners, roles, payoffs, and the utility that searches maximize."""

import numpy as np

from cardgames.core import ops
from cardgames.kernels.jit import njit
from cardgames.uno.cards import MAX_PLAYERS
from cardgames.uno.rules import UNO_RULES
from cardgames.uno.rules.payoff import POINTS_IN_HANDS, write_payoffs
from cardgames.uno.state import OVER

POINT_SCALE = 200.0
"""Points that a search counts as a complete win or loss of a round; a typical win is worth 100."""


@ops.current_player.register(UNO_RULES)
@njit
def current_player(rules, state):
    """Implement `ops.current_player` for Uno."""
    return np.int64(state.to_move)


@ops.is_terminal.register(UNO_RULES)
@njit
def is_terminal(rules, state):
    """Implement `ops.is_terminal` for Uno."""
    return state.phase == OVER


@ops.won.register(UNO_RULES)
@njit
def won(rules, state, seat):
    """Implement `ops.won` for Uno."""
    return state.winner == seat


@ops.role.register(UNO_RULES)
@njit
def role(rules, state, seat):
    """Implement `ops.role` for Uno: all seats have the same role."""
    return 0


@ops.returns.register(UNO_RULES)
@njit
def returns(rules, state, out):
    """Implement `ops.returns` for Uno."""
    write_payoffs(rules, state, out)


@ops.utility.register(UNO_RULES)
@njit
def utility(rules, state, player):
    """Implement `ops.utility` for Uno: 1 for a win, 0 for a loss, 1 / players for a void round.

    Under `payoff=points` the payoff is scaled by `POINT_SCALE` and clipped to [0, 1]; a void round is worth 0.5.
    """
    if rules.payoff != POINTS_IN_HANDS:
        if state.winner < 0:
            return 1.0 / state.players
        return 1.0 if state.winner == player else 0.0
    payoffs = np.zeros(MAX_PLAYERS)
    write_payoffs(rules, state, payoffs)
    return min(1.0, max(0.0, 0.5 + payoffs[player] / (2.0 * POINT_SCALE)))
