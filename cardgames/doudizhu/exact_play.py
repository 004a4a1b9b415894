"""Kernels of Dou Di Zhu for the exact solver: the hash of a state, and the order in which moves are tried."""

import numpy as np

from cardgames.core import ops
from cardgames.doudizhu.cards import TWO, has_rocket, rank_sets
from cardgames.doudizhu.moves.move_forms import BOMB, FORM_SIZE, ROCKET
from cardgames.doudizhu.moves.move_sampling import chain_starts, starts_above
from cardgames.doudizhu.moves.move_table import MOVE_CARDS, MOVE_FORM_RANKS, PASS
from cardgames.doudizhu.rules import DOUDIZHU_RULES
from cardgames.doudizhu.rules.bomb_doubling import bomb_factor
from cardgames.doudizhu.rules.multiplier_cap import cap_multiplier
from cardgames.doudizhu.rules.payoff import POINTS
from cardgames.doudizhu.rules.rocket_doubling import rocket_factor
from cardgames.doudizhu.state import AUCTION, PLAY
from cardgames.kernels.bits import NONE, ONE, highest_bit, lowest_bit, popcount
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import mix

_ABOVE_ACE = ~np.uint64((1 << 4 * TWO) - 1)
_NIBBLE = np.uint64(15)
_GOES_OUT = np.int64(1 << 20)
_PASSES = np.int64(-(1 << 8))
_YIELDS = np.int64(1 << 16)
_BREAKS_STAKE = np.int64(-(1 << 12))


@njit
def _has_chain(sets):
    """Return whether a hand with these rank sets holds a chain: five solos, three pairs or two trios in a row."""
    return chain_starts(sets[0], 5) != NONE or chain_starts(sets[1], 3) != NONE or chain_starts(sets[2], 2) != NONE


@njit
def _beating_rank(state, first, second, third):
    """Return the form of the move to beat and, as a rank set, the lowest rank at which a seat could beat it with the form.

    The form is -1 if the seat to move leads. Kickers do not count. `first`, `second` and `third` are the rank sets of the
    hands.
    """
    if state.last == 0:
        return np.int64(-1), NONE
    form, rank = np.int64(MOVE_FORM_RANKS[state.last]) >> 4, np.int64(MOVE_FORM_RANKS[state.last]) & 15
    if form == ROCKET:
        return form, NONE
    starts = starts_above(first, form, rank) | starts_above(second, form, rank) | starts_above(third, form, rank)
    return form, starts & ~(starts - ONE)


@njit
def _hash_cards(state):
    """Return a hash of the hands and of the move to beat, the same for positions that differ only by names of ranks.

    Ranks that no seat holds are left out. Below the two, which is in no chain, one of them stays between ranks that were
    not neighbors, if any seat holds a chain. The rank of the move to beat counts only as far as it matters: as the lowest
    rank at which a seat holds the main cards of a higher move.
    """
    one, two, three = state.hands[0], state.hands[1], state.hands[2]
    first, second, third = rank_sets(one), rank_sets(two), rank_sets(three)
    form, beating = _beating_rank(state, first, second, third)
    keeps_gaps = _has_chain(first) or _has_chain(second) or _has_chain(third)
    ranks = (first[0] | second[0] | third[0]) & ~_ABOVE_ACE
    packed_one, packed_two, packed_three = one & _ABOVE_ACE, two & _ABOVE_ACE, three & _ABOVE_ACE
    beating_place = np.int64(lowest_bit(beating)) if beating & _ABOVE_ACE else np.int64(-1)
    place, previous = np.int64(4 * TWO), np.int64(4 * TWO)
    while ranks:
        bit = np.int64(highest_bit(ranks))
        ranks ^= ONE << np.uint64(bit)
        place -= 8 if keeps_gaps and previous != bit + 4 else 4
        previous = bit
        shift, at = np.uint64(bit), np.uint64(place)
        packed_one |= (one >> shift & _NIBBLE) << at
        packed_two |= (two >> shift & _NIBBLE) << at
        packed_three |= (three >> shift & _NIBBLE) << at
        if beating >> shift == ONE:
            beating_place = place
    word = mix(packed_one)
    word = mix(word ^ packed_two)
    word = mix(word ^ packed_three)
    return word ^ np.uint64((form + 1) << 8 | (beating_place + 1))


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
            doublings += popcount(rank_sets(state.hands[seat])[3])
        if rules.rocket_doubling:
            doublings += has_rocket(state.hands[seat])
    factor = (bomb_factor(rules, state) * rocket_factor(rules, state)) << doublings
    if state.play_counts[landlord] == 0 or state.play_counts[first] == 0 or state.play_counts[second] == 0:
        factor *= rules.shutout + 1
    of_landlord = of_peasants = np.int64(factor)
    if state.play_counts[first] == 0 and state.play_counts[second] == 0:
        of_landlord *= rules.spring + 1
    if state.play_counts[landlord] <= 1:
        of_peasants *= rules.anti_spring + 1
    out[0] = out[1] = 0.0
    for peasant in (first, second):
        if player == landlord or player == peasant:
            own = np.int64(state.doubles[landlord]) * state.doubles[peasant]
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
    word = mix(_hash_cards(state) ^ np.uint64(turn) << np.uint64(20))
    if objective:
        word = mix(word ^ _stake_so_far(rules, state))
    return word


@ops.wins_at_once.register(DOUDIZHU_RULES)
@njit
def wins_at_once(rules, state, action):
    """Return whether a move takes all cards of the hand (implements `ops.wins_at_once`)."""
    return state.phase == PLAY and MOVE_CARDS[action] == state.hands[state.to_move]


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
