"""How likely a policy of `doudizhu.policies` is to take an action: the verb `likelihood`."""

import numpy as np

from cardgames.core import ops
from cardgames.core.bits import popcount
from cardgames.core.jit import njit
from cardgames.doudizhu.auction import sayable
from cardgames.doudizhu.considered import by_frugal, by_rhcp
from cardgames.doudizhu.movegen import follow_moves, lead_moves
from cardgames.doudizhu.policies import FRUGAL, PEASANT_UP, RANDOM, RHCP, word_by_value
from cardgames.doudizhu.rlcard_rule import settled_move
from cardgames.doudizhu.rules import DOUDIZHU_RULES
from cardgames.doudizhu.state import PLAY


@njit
def count_actions(rules, state):
    """Return how many actions are legal."""
    if state.phase != PLAY:
        return popcount(sayable(rules, state))
    hand = state.hands[state.to_move]
    return lead_moves(rules, hand, None) if state.last == 0 else 1 + follow_moves(rules, hand, state.last, None)


@njit
def _certain(rules, state, which):
    """Return the action a rule-based policy takes for certain, -1 where it takes a random one."""
    if state.phase != PLAY:
        return np.int64(word_by_value(rules, state, which))
    seat, last = np.int64(state.to_move), np.int64(state.last)
    if which == RHCP:
        return np.int64(by_rhcp(rules, state.hands[seat], last))
    if which == FRUGAL:
        return np.int64(by_frugal(rules, state))
    return settled_move(rules, state.hands[seat], last, (seat - state.landlord) % 3 == PEASANT_UP)


@ops.likelihood.register(DOUDIZHU_RULES)
@njit
def likelihood(rules, state, action, which, weights):
    """Dou Di Zhu's verb `likelihood`."""
    if not ops.is_legal(rules, state, action):
        return 0.0
    certain = np.int64(-1) if which == RANDOM else _certain(rules, state, which)
    if certain >= 0:
        return 1.0 if certain == action else 0.0
    return 1.0 / count_actions(rules, state)
