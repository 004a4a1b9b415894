"""Kernels that apply an action to a Dou Di Zhu state in place (implement `ops.apply_action`)."""

import numpy as np

from cardgames.core import ops
from cardgames.doudizhu.auction import apply_auction_action
from cardgames.doudizhu.moves.move_forms import BOMB, FORM_SIZE, ROCKET
from cardgames.doudizhu.moves.move_table import MOVE_CARDS, MOVE_FORM_RANKS, PASS
from cardgames.doudizhu.rules import DOUDIZHU_RULES
from cardgames.doudizhu.state import NUM_RECENT_ACTIONS, OVER, PLAY
from cardgames.kernels.jit import njit


@njit
def _pass(state, seat):
    """Apply a pass of `seat` and move to the next seat. After two passes in a row the next seat leads a new trick."""
    state.passes += 1
    state.to_move = (seat + 1) % 3
    if state.passes == 2:
        state.last, state.last_by, state.passes = 0, -1, 0


@njit
def _play(state, seat, action):
    """Apply the move `action` of `seat`: take its cards from the hand, count it, and move to the next seat.

    If the seat has no cards left, it is the winner and the round is over.
    """
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
    """Apply a legal action of the seat to move to `state` in place (implements `ops.apply_action`)."""
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
