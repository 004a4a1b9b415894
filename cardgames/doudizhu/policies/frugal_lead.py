"""What the policy `frugal` leads: the group of the lowest card, trios first.

Groups that nobody can beat go first when one other is left. A partner who comes next and has one or two cards is led a
low card, or pair.
"""

from typing import Any

import numpy as np

from cardgames.doudizhu.cards import (
    DECK,
    count_of,
    exact_sets,
    highest_rank,
    lowest_ranks,
    rank_sets,
    sets_and_rocket,
)
from cardgames.doudizhu.hands.hand_value import CHEAP, block, count_turns, sort_hand
from cardgames.doudizhu.moves.move_generation import NO_MOVE, move_id
from cardgames.doudizhu.moves.move_table import FIRST
from cardgames.doudizhu.moves.move_types import (
    BOMB,
    LENGTH,
    PAIR,
    PAIR_CHAIN,
    PLANE_PAIRS,
    PLANE_SOLOS,
    QUAD_PAIRS,
    QUAD_SOLOS,
    ROCKET,
    SOLO,
    SOLO_CHAIN,
    TRIO,
    TRIO_CHAIN,
    TRIO_PAIR,
    TRIO_SOLO,
)
from cardgames.doudizhu.policies.frugal_reply import HIGH, enemy_cards
from cardgames.kernels.bits import ONE, lowest_bit, popcount
from cardgames.kernels.jit import njit

_LAST: Any = np.int64(1000)
"""Later than any group."""
_MOST_SOLOS, _MOST_PAIRS = 5, 4
"""The longest planes with single cards and with pairs."""
_TRIOS_FIRST = 6
"""How many ranks lower than it is a group with trios counts when a lead is chosen."""
_DECK = np.uint64(DECK)


@njit
def _above(ranks, others):
    """Return those of some ranks that are higher than all others."""
    return ranks & ~((highest_rank(others) << ONE) - ONE) if others else ranks


@njit
def _sure_winner(hand, seen, loose, turns):
    """Return a lead that nobody can beat, if all groups but one are such leads and there are others, else `NO_MOVE`.

    `loose` is what the chains leave, `turns` how many groups there are beside bombs and the rocket; bombs of others do
    not count.
    """
    one, two, _, four, rocket = sets_and_rocket(loose)
    unseen = rank_sets(_DECK - hand - seen)
    sure_one, sure_two = _above(one, unseen[0]), _above(two, unseen[1])
    if turns - popcount(sure_one) - popcount(sure_two) > 1:
        return NO_MOVE
    if rocket:
        return np.int64(FIRST[ROCKET])
    if turns > 1:
        if sure_one:
            return FIRST[SOLO] + (lowest_bit(sure_one) >> 2)
        return FIRST[PAIR] + (lowest_bit(sure_two) >> 2) if sure_two else NO_MOVE
    return FIRST[BOMB] + (lowest_bit(four) >> 2) if four else NO_MOVE


@njit
def _for_partner(state, seat, hand):
    """Return the lowest card, or pair, for a partner who comes next and has just one, or two, cards; or `NO_MOVE`."""
    if (seat - state.landlord) % 3 != 1:
        return NO_MOVE
    cards = np.int64(state.counts[(seat + 1) % 3])
    if cards > 2:
        return NO_MOVE
    ranks = rank_sets(hand)[cards - 1]
    rank = lowest_bit(ranks) >> 2
    if rank >= HIGH:
        return NO_MOVE
    return FIRST[SOLO if cards == 1 else PAIR] + rank


@njit
def _chain_form(chain):
    """Return the form of a chain of so many cards of each rank, given as a hand."""
    length = popcount(rank_sets(chain)[0])
    copies = count_of(chain, lowest_bit(chain) >> 2)
    if copies == 1:
        return SOLO_CHAIN + length - 5
    return PAIR_CHAIN + length - 3 if copies == 2 else TRIO_CHAIN + length - 2


@njit
def _lowest_group(loose, chains, enemy, room):
    """Return the form and the rank of the group to lead, kickers apart; a form of -1 if only bombs and the rocket are left.

    With an enemy of one card, or two, single cards, or pairs, come last, and of single cards the highest.
    """
    one, two, three, _, _ = sets_and_rocket(loose)
    best, form, start = _LAST, NO_MOVE, NO_MOVE
    for k in range(chains):
        chain = room.found[k]
        rank, own = lowest_bit(chain) >> 2, _chain_form(chain)
        key = rank - (_TRIOS_FIRST if own >= TRIO_CHAIN else 0)
        if key < best:
            best, form, start = key, own, rank
    if three and (lowest_bit(three) >> 2) - _TRIOS_FIRST < best:
        start = lowest_bit(three) >> 2
        best, form = start - _TRIOS_FIRST, TRIO
    if two and (lowest_bit(two) >> 2) + (50 if enemy == 2 else 0) < best:
        start = lowest_bit(two) >> 2
        best, form = start + (50 if enemy == 2 else 0), PAIR
    if one and (lowest_bit(one) >> 2) + (100 if enemy == 1 else 0) < best:
        form, start = SOLO, lowest_bit(highest_rank(one) if enemy == 1 else one) >> 2
    return form, start


@njit
def _with_kickers(rules, loose, form, start, all_out):
    """Return the id of a trio or a chain of trios with the lowest kickers that are loose, without any if there are too few.

    Aces and what is higher are only given away to get `all_out`.
    """
    one, two, _, _ = exact_sets(loose)
    if not all_out:
        one, two = one & CHEAP, two & CHEAP
    length = LENGTH[form]
    cards, action = block(np.int64(3), length, start), NO_MOVE
    solos = popcount(one) >= length and (length > 1 or not two or lowest_bit(one) < lowest_bit(two))
    if solos and length <= _MOST_SOLOS:
        own = TRIO_SOLO if length == 1 else PLANE_SOLOS + length - 2
        action = move_id(rules, own, start, cards + lowest_ranks(one, length))
    if action == NO_MOVE and popcount(two) >= length and length <= _MOST_PAIRS:
        own = TRIO_PAIR if length == 1 else PLANE_PAIRS + length - 2
        action = move_id(rules, own, start, cards + (lowest_ranks(two, length) << ONE))
    return FIRST[form] + start if action == NO_MOVE else action


@njit
def _four_with_all(rules, hand, cards):
    """Return the move of four of a kind with kickers that is all of a hand of so many cards, `NO_MOVE` if it is none."""
    four = rank_sets(hand)[3]
    if not four or (cards != 6 and cards != 8):
        return NO_MOVE
    return move_id(rules, QUAD_SOLOS if cards == 6 else QUAD_PAIRS, lowest_bit(four) >> 2, hand)


@njit
def frugal_lead(rules, state, room):
    """Return the move to lead."""
    seat = np.int64(state.to_move)
    hand = state.hands[seat]
    action = _four_with_all(rules, hand, np.int64(state.counts[seat]))
    if action != NO_MOVE:
        return action
    _, loose, chains = sort_hand(hand, room)
    turns = count_turns(loose, chains, room)
    action = _sure_winner(hand, state.played[0] + state.played[1] + state.played[2], loose, turns)
    if action == NO_MOVE and seat != state.landlord:
        action = _for_partner(state, seat, hand)
    if action != NO_MOVE:
        return action
    form, start = _lowest_group(loose, chains, enemy_cards(state, seat), room)
    if form == NO_MOVE:
        four = exact_sets(loose)[3]
        return FIRST[BOMB] + (lowest_bit(four) >> 2) if four else np.int64(FIRST[ROCKET])
    if form == TRIO or TRIO_CHAIN <= form < PLANE_SOLOS:
        return _with_kickers(rules, loose, form, start, turns <= 2)
    return FIRST[form] + start
