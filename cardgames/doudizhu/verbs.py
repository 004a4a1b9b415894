"""Dou Di Zhu's remaining verbs, and the import that registers them all."""

import numpy as np

from cardgames.core import ops
from cardgames.doudizhu import deal, information_set, turn  # noqa: F401  (they register the other verbs)
from cardgames.doudizhu.belief import action_likelihood, particle_update  # noqa: F401  (they register the other verbs)
from cardgames.doudizhu.encodings import encode, move_encoding  # noqa: F401  (they register the other verbs)
from cardgames.doudizhu.policies import policy_dispatch  # noqa: F401  (they register the other verbs)
from cardgames.doudizhu.rules import DOUDIZHU_RULES
from cardgames.doudizhu.rules.payoff import write_payoffs
from cardgames.doudizhu.state import OVER
from cardgames.kernels.jit import njit


@ops.current_player.register(DOUDIZHU_RULES)
@njit
def current_player(rules, state):
    """Dou Di Zhu's verb `current_player`."""
    return np.int64(state.to_move)


@ops.is_terminal.register(DOUDIZHU_RULES)
@njit
def is_terminal(rules, state):
    """Dou Di Zhu's verb `is_terminal`."""
    return state.phase == OVER


@ops.won.register(DOUDIZHU_RULES)
@njit
def won(rules, state, seat):
    """Dou Di Zhu's verb `won`: both peasants win together."""
    return state.winner >= 0 and (state.winner == state.landlord) == (seat == state.landlord)


@ops.role.register(DOUDIZHU_RULES)
@njit
def role(rules, state, seat):
    """Dou Di Zhu's verb `role`: 0 for the landlord, 1 and 2 for the seats after him; he who spoke first counts as the
    landlord where there is none.
    """
    landlord = state.landlord if state.landlord >= 0 else state.dealer
    return np.int64((seat + 3 - landlord) % 3)


@ops.returns.register(DOUDIZHU_RULES)
@njit
def returns(rules, state, out):
    """Dou Di Zhu's verb `returns`."""
    write_payoffs(rules, state, out)


@ops.utility.register(DOUDIZHU_RULES)
@njit
def utility(rules, state, player):
    """Dou Di Zhu's verb `utility`: 1 for the side that wins, 0 for the other, half for a void round."""
    if state.winner < 0:
        return 0.5
    return 1.0 if won(rules, state, player) else 0.0
