"""Uno's remaining verbs, and the import that registers them all."""

import numpy as np

from cardgames.core import ops
from cardgames.kernels.jit import njit
from cardgames.uno import deal, information_set, legal, turn  # noqa: F401  (they register the other verbs)
from cardgames.uno.belief import action_likelihood, particle_projection, particle_update  # noqa: F401  (they register the other verbs)
from cardgames.uno.cards import MAX_PLAYERS
from cardgames.uno.encodings import encode  # noqa: F401  (they register the other verbs)
from cardgames.uno.expectimax import chance_node, hand_evaluation  # noqa: F401  (they register the other verbs)
from cardgames.uno.policies import rule_policies  # noqa: F401  (they register the other verbs)
from cardgames.uno.rules import UNO_RULES
from cardgames.uno.rules.payoff import POINTS_IN_HANDS, write_payoffs
from cardgames.uno.state import OVER

POINT_SCALE = 200.0
"""Points that count as a complete win or loss when a search weighs a round; a typical win is worth 100."""


@ops.current_player.register(UNO_RULES)
@njit
def current_player(rules, state):
    """Uno's verb `current_player`."""
    return np.int64(state.to_move)


@ops.is_terminal.register(UNO_RULES)
@njit
def is_terminal(rules, state):
    """Uno's verb `is_terminal`."""
    return state.phase == OVER


@ops.won.register(UNO_RULES)
@njit
def won(rules, state, seat):
    """Uno's verb `won`."""
    return state.winner == seat


@ops.role.register(UNO_RULES)
@njit
def role(rules, state, seat):
    """Uno's verb `role`: all seats are alike."""
    return 0


@ops.returns.register(UNO_RULES)
@njit
def returns(rules, state, out):
    """Uno's verb `returns`."""
    write_payoffs(rules, state, out)


@ops.utility.register(UNO_RULES)
@njit
def utility(rules, state, player):
    """Uno's verb `utility`: 1 for a win, 0 for a loss, an even share for a void round; under `payoff=points` by
    points, of which a void round pays none.
    """
    if rules.payoff != POINTS_IN_HANDS:
        if state.winner < 0:
            return 1.0 / state.players
        return 1.0 if state.winner == player else 0.0
    payoffs = np.zeros(MAX_PLAYERS)
    write_payoffs(rules, state, payoffs)
    return min(1.0, max(0.0, 0.5 + payoffs[player] / (2.0 * POINT_SCALE)))
