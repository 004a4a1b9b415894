"""Legal actions and state transitions: the verbs `legal_actions`, `is_legal` and `apply_action`."""

import numpy as np

from cardgames.core import ops
from cardgames.doudizhu.auction import apply_auction_action, legal_auction_mask
from cardgames.doudizhu.moves.kickers import append_ids
from cardgames.doudizhu.moves.move_generation import NO_RANKS, beats, follow_moves, is_legal_move, lead_moves
from cardgames.doudizhu.moves.move_table import FIRST_MOVE, MOVE_CARDS, MOVE_FORM_RANKS, PASS
from cardgames.doudizhu.moves.move_types import BOMB, FORM_SIZE, ROCKET
from cardgames.doudizhu.rules import DOUDIZHU_RULES
from cardgames.doudizhu.state import NUM_RECENT_ACTIONS, OVER, PLAY
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
    """Return whether an action is legal now (implements `ops.is_legal`)."""
    if state.phase != PLAY:
        return action < FIRST_MOVE and legal_auction_mask(rules, state) >> action & 1 == 1
    if action == PASS:
        return state.last != 0
    if not is_legal_move(rules, state.hands[state.to_move], action):
        return False
    return state.last == 0 or beats(action, state.last)


@njit
def _pass(state, seat):
    """Apply a pass; after two in a row the next seat leads."""
    state.passes += 1
    state.to_move = (seat + 1) % 3
    if state.passes == 2:
        state.last, state.last_by, state.passes = 0, -1, 0


@njit
def _play(state, seat, action):
    """Play the cards of a move; the round ends with a seat's last card."""
    form = np.int64(MOVE_FORM_RANKS[action]) >> 4
    state.hands[seat] -= MOVE_CARDS[action]
    state.played[seat] += MOVE_CARDS[action]
    state.counts[seat] -= FORM_SIZE[form]
    state.play_counts[seat] += 1
    state.bombs += form == BOMB
    state.rockets += form == ROCKET
    state.last, state.last_by, state.passes = action, seat, 0
    if state.counts[seat] == 0:
        state.winner = seat
        state.phase, state.to_move = OVER, -1
    else:
        state.to_move = (seat + 1) % 3


@ops.apply_action.register(DOUDIZHU_RULES)
@njit
def apply_action(rules, state, action):
    """Apply a legal action to the state in place (implements `ops.apply_action`)."""
    seat = np.int64(state.to_move)
    state.decisions += 1
    if state.phase != PLAY:
        apply_auction_action(rules, state, seat, action)
        return
    state.recent_actions[state.turns % NUM_RECENT_ACTIONS] = action
    if state.turns < 3:
        state.first_actions[seat] = action
    state.turns += 1
    if action == PASS:
        _pass(state, seat)
    else:
        _play(state, seat, action)
