"""Kernels for the seat to move, the end of a round, roles, winners, payoffs, and the utility that searches maximize."""

import numpy as np

from cardgames.core import ops
from cardgames.doudizhu.rules import DOUDIZHU_RULES
from cardgames.doudizhu.rules.payoff import POINTS, RLCARD, present_stake, write_payoffs
from cardgames.doudizhu.state import OVER
from cardgames.kernels.jit import njit


@ops.current_player.register(DOUDIZHU_RULES)
@njit
def current_player(rules, state):
    """Return the seat to move, -1 once the round is over (implements `ops.current_player`)."""
    return np.int64(state.to_move)


@ops.is_terminal.register(DOUDIZHU_RULES)
@njit
def is_terminal(rules, state):
    """Return whether the round is over (implements `ops.is_terminal`)."""
    return state.phase == OVER


@ops.won.register(DOUDIZHU_RULES)
@njit
def won(rules, state, seat):
    """Return whether the side of `seat` (the landlord, or both peasants together) has won (implements `ops.won`)."""
    return state.winner >= 0 and (state.winner == state.landlord) == (seat == state.landlord)


@ops.role.register(DOUDIZHU_RULES)
@njit
def role(rules, state, seat):
    """Return the role of `seat`: 0 for the landlord, 1 and 2 for the first and second seat after it (implements `ops.role`).

    Until there is a landlord, the seat that acts first in the auction counts as the landlord.
    """
    landlord = state.landlord if state.landlord >= 0 else state.dealer
    return np.int64((seat + 3 - landlord) % 3)


@ops.returns.register(DOUDIZHU_RULES)
@njit
def returns(rules, state, out):
    """Write each seat's payoff into `out` (implements `ops.returns`)."""
    write_payoffs(rules, state, out)


@ops.stakes.register(DOUDIZHU_RULES)
@njit
def stakes(rules, state, player):
    """Return the payoffs of losing and winning as things stand (implements `ops.stakes`)."""
    if rules.payoff != POINTS:
        return (0.0, 1.0) if rules.payoff == RLCARD else (-1.0, 1.0)
    stake = np.float64(present_stake(rules, state, np.int64(player)))
    return -stake, stake


@ops.utility.register(DOUDIZHU_RULES)
@njit
def utility(rules, state, player):
    """Return the utility of a finished round for seat `player`: 1 if its side won, 0 if it lost (implements `ops.utility`).

    A round without a winner (all seats passed in the auction) has utility 0.5.
    """
    if state.winner < 0:
        return 0.5
    return 1.0 if won(rules, state, player) else 0.0


@ops.same_side.register(DOUDIZHU_RULES)
@njit
def same_side(rules, state, seat, other):
    """Return whether two seats are partners: both peasants, or the same seat (implements `ops.same_side`)."""
    if state.landlord < 0:
        return seat == other
    return (seat == state.landlord) == (other == state.landlord)
