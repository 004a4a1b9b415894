"""Kernels that list the legal actions of a Dou Di Zhu state and check one action (`legal_actions`, `is_legal`)."""

import numpy as np

from cardgames.core import ops
from cardgames.doudizhu.auction import legal_auction_mask
from cardgames.doudizhu.moves.kickers import append_ids
from cardgames.doudizhu.moves.move_generation import NO_RANKS, beats, follow_moves, is_legal_move, lead_moves
from cardgames.doudizhu.moves.move_table import FIRST_MOVE, PASS
from cardgames.doudizhu.rules import DOUDIZHU_RULES
from cardgames.doudizhu.state import PLAY
from cardgames.kernels.jit import njit


@ops.legal_actions.register(DOUDIZHU_RULES)
@njit
def legal_actions(rules, state, out):
    """Write the legal action ids into `out` and return their number (implements `ops.legal_actions`)."""
    if state.phase != PLAY:
        return append_ids(np.int64(legal_auction_mask(rules, state)), NO_RANKS, out, NO_RANKS)
    hand, last = state.hands[state.to_move], np.int64(state.last)
    if last == 0:
        return lead_moves(rules, hand, out)
    out[0] = PASS
    return 1 + follow_moves(rules, hand, last, out[1:])


@ops.is_legal.register(DOUDIZHU_RULES)
@njit
def is_legal(rules, state, action):
    """Return whether `action` is legal in `state` for the seat to move (implements `ops.is_legal`)."""
    if state.phase != PLAY:
        return action < FIRST_MOVE and legal_auction_mask(rules, state) >> action & 1 == 1
    if action == PASS:
        return state.last != 0
    if not is_legal_move(rules, state.hands[state.to_move], action):
        return False
    return state.last == 0 or beats(action, state.last)
