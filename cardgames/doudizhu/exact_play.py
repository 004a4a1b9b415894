"""Kernels of Dou Di Zhu for the exact solver: the hash of a state, and the order in which moves are tried."""

import numpy as np

from cardgames.core import ops
from cardgames.doudizhu.cards import rank_masks
from cardgames.doudizhu.moves.move_forms import BOMB, FORM_SIZE, ROCKET
from cardgames.doudizhu.moves.move_generation import main_start_mask
from cardgames.doudizhu.moves.move_table import MOVE_CARDS, MOVE_FORM_RANKS, PASS
from cardgames.doudizhu.rules import DOUDIZHU_RULES
from cardgames.doudizhu.state import AUCTION, PLAY
from cardgames.kernels.bits import NONE, lowest_bit
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import mix

_GOES_OUT = np.int64(1 << 20)
_PASSES = np.int64(-(1 << 16))
_YIELDS = np.int64(1 << 16)
_BREAKS_STAKE = np.int64(-(1 << 12))


@njit
def move_to_beat(state):
    """Return the form of the move to beat, times 32, and the lowest main rank that a move of this form needs to beat it.

    The rank counts only as far as it matters: it is the lowest above the move's at which any seat holds the main cards,
    31 if none does. -1 if the seat to move leads.
    """
    if state.last == 0:
        return np.int64(-1)
    form, rank = np.int64(MOVE_FORM_RANKS[state.last]) >> 4, np.int64(MOVE_FORM_RANKS[state.last]) & 15
    if form == ROCKET:
        return form << 5
    starts = np.int64(0)
    for seat in range(3):
        starts |= main_start_mask(rank_masks(state.hands[seat]), form)
    starts &= -(np.int64(2) << rank)
    return form << 5 | (lowest_bit(starts) if starts else np.int64(31))


@njit
def _stake_so_far(state):
    """Return a hash of all that happened in the round so far and multiplies its stake."""
    word = np.uint64(state.bombs) | np.uint64(state.rockets) << np.uint64(8) | np.uint64(state.bid) << np.uint64(12)
    word |= np.uint64(state.robs) << np.uint64(16)
    for seat in range(3):
        word |= np.uint64(min(state.play_counts[seat], 2)) << np.uint64(24 + 2 * seat)
        word |= np.uint64(state.doubles[seat]) << np.uint64(32 + 4 * seat)
    return mix(word)


@ops.state_hash.register(DOUDIZHU_RULES)
@njit
def state_hash(rules, state, objective):
    """Return the hash of a state after the auction, 0 during it (implements `ops.state_hash`)."""
    if state.phase == AUCTION:
        return NONE
    word = mix(state.hands[0])
    word = mix(word ^ state.hands[1])
    word = mix(word ^ state.hands[2])
    turn = np.int64(state.to_move) + 4 * state.landlord + 16 * state.passes
    if state.phase != PLAY:
        turn += 64 * (1 + np.int64(state.spoken))
    word = mix(word ^ np.uint64(turn | (move_to_beat(state) + 1) << 16))
    if objective:
        word = mix(word ^ _stake_so_far(state))
    return word


@ops.action_priorities.register(DOUDIZHU_RULES)
@njit
def action_priorities(rules, state, actions, out):
    """Write the priorities of moves: going out, then leads of many cards, then low ranks (implements the verb)."""
    if state.phase != PLAY:
        for i in range(len(actions)):
            out[i] = 0
        return
    hand = state.hands[state.to_move]
    for i in range(len(actions)):
        action = actions[i]
        if action == PASS:
            out[i] = _PASSES if (state.last_by == state.landlord) != (state.to_move == state.landlord) else _YIELDS
            continue
        form_rank = np.int64(MOVE_FORM_RANKS[action])
        form, rank = form_rank >> 4, form_rank & 15
        if MOVE_CARDS[action] == hand:
            out[i] = _GOES_OUT
        elif form == BOMB or form == ROCKET:
            out[i] = _BREAKS_STAKE - rank
        else:
            out[i] = 4 * FORM_SIZE[form] - rank
