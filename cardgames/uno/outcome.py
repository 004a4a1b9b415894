"""Seat to move, end of a round, winner, payoffs, and the utility that searches maximize, as kernels of Uno."""

import numpy as np

from cardgames.core import ops
from cardgames.kernels.jit import njit
from cardgames.uno.cards import MAX_PLAYERS
from cardgames.uno.rules import UNO_RULES
from cardgames.uno.rules.payoff import POINTS_IN_HANDS, write_payoffs
from cardgames.uno.state import OVER

POINT_SCALE = 200.0
"""Points won or lost in a round that `utility` counts as a complete win or loss; a typical win is worth 100 points."""


@ops.current_player.register(UNO_RULES)
@njit
def current_player(rules, state):
    """Implement `ops.current_player` for Uno: return the seat that has to decide, -1 once the round is over."""
    return np.int64(state.to_move)


@ops.is_terminal.register(UNO_RULES)
@njit
def is_terminal(rules, state):
    """Implement `ops.is_terminal` for Uno: return whether the round is over."""
    return state.phase == OVER


@ops.won.register(UNO_RULES)
@njit
def won(rules, state, seat):
    """Implement `ops.won` for Uno: return whether `seat` has won the round."""
    return state.winner == seat


@ops.role.register(UNO_RULES)
@njit
def role(rules, state, seat):
    """Implement `ops.role` for Uno: return 0, since all seats have the same role."""
    return 0


@ops.returns.register(UNO_RULES)
@njit
def returns(rules, state, out):
    """Implement `ops.returns` for Uno: write the payoff of each seat by the rule `payoff` into `out`."""
    write_payoffs(rules, state, out)


@ops.stakes.register(UNO_RULES)
@njit
def stakes(rules, state, player):
    """Implement `ops.stakes` for Uno: return minus and plus `POINT_SCALE` under `payoff=points`, else -1 and 1."""
    return (-POINT_SCALE, POINT_SCALE) if rules.payoff == POINTS_IN_HANDS else (-1.0, 1.0)


@ops.utility.register(UNO_RULES)
@njit
def utility(rules, state, player):
    """Implement `ops.utility` for Uno: return 1 for a win of `player`, 0 for a loss, and a share for a void round.

    The share is 1 / number of players. Under `payoff=points` the utility is 0.5 + payoff / (2 * `POINT_SCALE`), clipped
    to [0, 1]; that of a void round is 0.5.
    """
    if rules.payoff != POINTS_IN_HANDS:
        if state.winner < 0:
            return 1.0 / state.players
        return 1.0 if state.winner == player else 0.0
    payoffs = np.zeros(MAX_PLAYERS)
    write_payoffs(rules, state, payoffs)
    return min(1.0, max(0.0, 0.5 + payoffs[player] / (2.0 * POINT_SCALE)))
