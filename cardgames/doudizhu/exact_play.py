"""Kernels of Dou Di Zhu for the exact solver: the hash of a state, and the order in which moves are tried."""

import numpy as np

from cardgames.core import ops
from cardgames.doudizhu.cards import ACE, TWO, has_rocket, rank_masks
from cardgames.doudizhu.moves.move_forms import BOMB, FORM_SIZE, ROCKET
from cardgames.doudizhu.moves.move_generation import chain_start_mask, main_start_mask
from cardgames.doudizhu.moves.move_table import MOVE_CARDS, MOVE_FORM_RANKS, PASS
from cardgames.doudizhu.rules import DOUDIZHU_RULES
from cardgames.doudizhu.rules.bomb_doubling import bomb_factor
from cardgames.doudizhu.rules.multiplier_cap import cap_multiplier
from cardgames.doudizhu.rules.payoff import POINTS
from cardgames.doudizhu.rules.rocket_doubling import rocket_factor
from cardgames.doudizhu.state import AUCTION, PLAY
from cardgames.kernels.bits import NONE, highest_bit, lowest_bit, popcount
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import mix

_ABOVE_ACE = ~np.uint64((1 << 4 * TWO) - 1)
_NIBBLE = np.uint64(15)
_GOES_OUT = np.int64(1 << 20)
_PASSES = np.int64(-(1 << 8))
_YIELDS = np.int64(1 << 16)
_BREAKS_STAKE = np.int64(-(1 << 12))


@njit
def _has_chain(masks):
    """Return whether a hand with these rank masks holds a chain: five solos, three pairs or two trios in a row."""
    return (
        chain_start_mask(masks[0], 5) != 0 or chain_start_mask(masks[1], 3) != 0 or chain_start_mask(masks[2], 2) != 0
    )


@njit
def _hash_cards(state):
    """Return a hash of the hands and of the move to beat, the same for positions that differ only by names of ranks.

    Ranks that no seat holds are left out. Below the two, which is in no chain, one of them stays between ranks that were
    not neighbors, if any seat holds a chain. The rank of the move to beat counts only as far as it matters: as the lowest
    rank at which a seat holds the main cards of a higher move.
    """
    first, second, third = rank_masks(state.hands[0]), rank_masks(state.hands[1]), rank_masks(state.hands[2])
    form, beating = np.int64(-1), np.int64(0)
    if state.last:
        form = np.int64(MOVE_FORM_RANKS[state.last]) >> 4
        if form != ROCKET:
            starts = main_start_mask(first, form) | main_start_mask(second, form) | main_start_mask(third, form)
            beating = starts & -(np.int64(2) << (np.int64(MOVE_FORM_RANKS[state.last]) & 15))
            beating &= -beating
    gap = np.int64(_has_chain(first) or _has_chain(second) or _has_chain(third))
    held = first[0] | second[0] | third[0]
    one, two, three = state.hands[0] & _ABOVE_ACE, state.hands[1] & _ABOVE_ACE, state.hands[2] & _ABOVE_ACE
    place = np.int64(4 * ACE)
    beating_place = 64 + lowest_bit(beating) if beating >> TWO else np.int64(0)
    ranks = held & ((1 << (ACE + 1)) - 1)
    previous = np.int64(ACE + 1)
    while ranks:
        rank = highest_bit(ranks)
        ranks ^= np.int64(1) << rank
        if gap and previous != rank + 1:
            place -= 4
        shift, at = np.uint64(4 * rank), np.uint64(place)
        one |= (state.hands[0] >> shift & _NIBBLE) << at
        two |= (state.hands[1] >> shift & _NIBBLE) << at
        three |= (state.hands[2] >> shift & _NIBBLE) << at
        if beating >> rank == 1:
            beating_place = place + 1
        previous = rank
        place -= 4
    word = mix(one)
    word = mix(word ^ two)
    word = mix(word ^ three)
    return mix(word ^ np.uint64((form + 1) << 8 | beating_place))


@njit
def _stake_so_far(rules, state):
    """Return a hash of all that has multiplied the stake in this round so far, or may still come to do so."""
    word = np.uint64(state.bid) | np.uint64(state.robs) << np.uint64(8)
    if rules.bomb_doubling:
        word |= np.uint64(state.bombs) << np.uint64(16)
    if rules.rocket_doubling:
        word |= np.uint64(state.rockets) << np.uint64(24)
    for seat in range(3):
        word |= np.uint64(state.doubles[seat]) << np.uint64(32 + 4 * seat)
        plays = np.int64(min(state.play_counts[seat], 2))
        if seat == state.landlord:
            counted = plays if rules.anti_spring else min(plays, np.int64(1)) if rules.shutout else np.int64(0)
        else:
            counted = min(plays, np.int64(1)) if rules.shutout or rules.spring else np.int64(0)
        word |= np.uint64(counted) << np.uint64(48 + 2 * seat)
    return mix(word)


@ops.payoff_bounds.register(DOUDIZHU_RULES)
@njit
def payoff_bounds(rules, state, player, out):
    """Write bounds on the payoff of a seat: the stake times all that can still multiply it (implements the verb)."""
    if rules.payoff != POINTS:
        out[0], out[1] = -1.0, 1.0
        return
    if state.phase != PLAY:
        out[0], out[1] = -np.inf, np.inf
        return
    landlord = np.int64(state.landlord)
    first, second = (landlord + 1) % 3, (landlord + 2) % 3
    doublings = np.int64(state.robs)
    for seat in range(3):
        if rules.bomb_doubling:
            doublings += popcount(rank_masks(state.hands[seat])[3])
        if rules.rocket_doubling:
            doublings += has_rocket(state.hands[seat])
    factor = (bomb_factor(rules, state) * rocket_factor(rules, state)) << doublings
    if state.play_counts[landlord] == 0 or state.play_counts[first] == 0 or state.play_counts[second] == 0:
        factor *= rules.shutout + 1
    of_landlord, of_peasants = factor, factor
    if state.play_counts[first] == 0 and state.play_counts[second] == 0:
        of_landlord *= rules.spring + 1
    if state.play_counts[landlord] <= 1:
        of_peasants *= rules.anti_spring + 1
    out[0] = out[1] = 0.0
    for seat in (first, second):
        if player == landlord or player == seat:
            own = np.int64(state.doubles[landlord]) * state.doubles[seat]
            paid, won = cap_multiplier(rules, of_landlord * own), cap_multiplier(rules, of_peasants * own)
            if player == landlord:
                paid, won = won, paid
            out[0] -= np.int64(state.bid) * paid
            out[1] += np.int64(state.bid) * won


@ops.state_hash.register(DOUDIZHU_RULES)
@njit
def state_hash(rules, state, objective):
    """Return the hash of a state after the auction, 0 during it (implements `ops.state_hash`)."""
    if state.phase == AUCTION:
        return NONE
    turn = np.int64(state.to_move) + 4 * state.landlord + 16 * state.passes
    if state.phase != PLAY:
        turn += 64 * (1 + np.int64(state.spoken))
    word = mix(_hash_cards(state) ^ np.uint64(turn))
    if objective:
        word = mix(word ^ _stake_so_far(rules, state))
    return word


@ops.winning_action.register(DOUDIZHU_RULES)
@njit
def winning_action(rules, state, actions):
    """Return a move that takes all cards of the hand, -1 if there is none (implements `ops.winning_action`)."""
    if state.phase != PLAY:
        return np.int64(-1)
    hand = state.hands[state.to_move]
    for i in range(len(actions)):
        if MOVE_CARDS[actions[i]] == hand:
            return np.int64(actions[i])
    return np.int64(-1)


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
            out[i] = 6 * FORM_SIZE[form] - rank
