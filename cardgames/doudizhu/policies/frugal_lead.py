"""What the policy `frugal` leads: the group of the lowest card, trios first.

Groups that nobody can beat go first when one other is left. A partner who comes next and has one or two cards is led a
low card, or pair.
"""

from typing import Any

import numpy as np

from cardgames.doudizhu.cards import (
    DECK,
    exact_rank_sets,
    exact_rank_sets_and_rocket,
    highest_rank,
    lowest_ranks,
    rank_count,
    rank_sets,
)
from cardgames.doudizhu.hands.hand_value import CHEAP_KICKER_RANKS, consecutive_cards, count_turns, split_off_chains
from cardgames.doudizhu.moves.move_generation import NO_MOVE, move_id
from cardgames.doudizhu.moves.move_table import FORM_FIRST_IDS
from cardgames.doudizhu.moves.move_types import (
    BOMB,
    FORM_LENGTH,
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
from cardgames.doudizhu.policies.frugal_reply import HIGH_RANK, min_opponent_cards
from cardgames.kernels.bits import ONE, lowest_bit, popcount
from cardgames.kernels.jit import njit

_LATEST_KEY: Any = np.int64(1000)
"""Later than any group."""
_MAX_PLANE_WITH_SOLOS, _MAX_PLANE_WITH_PAIRS = 5, 4
"""The longest planes with single cards and with pairs."""
_TRIOS_FIRST = 6
"""How many ranks lower than it is a group with trios counts when a lead is chosen."""
_DECK = np.uint64(DECK)


@njit
def _ranks_above(ranks, others):
    """Return those of some ranks that are higher than all others."""
    return ranks & ~((highest_rank(others) << ONE) - ONE) if others else ranks


@njit
def _unbeatable_lead(hand, played, rest, turns):
    """Return a lead that nobody can beat, if all groups but one are such leads and there are others, else `NO_MOVE`.

    `rest` is what the chains leave, `turns` how many groups there are beside bombs and the rocket; bombs of others do
    not count.
    """
    one, two, _, four, rocket = exact_rank_sets_and_rocket(rest)
    unseen = rank_sets(_DECK - hand - played)
    unbeatable_solos, unbeatable_pairs = _ranks_above(one, unseen[0]), _ranks_above(two, unseen[1])
    if turns - popcount(unbeatable_solos) - popcount(unbeatable_pairs) > 1:
        return NO_MOVE
    if rocket:
        return np.int64(FORM_FIRST_IDS[ROCKET])
    if turns > 1:
        if unbeatable_solos:
            return FORM_FIRST_IDS[SOLO] + (lowest_bit(unbeatable_solos) >> 2)
        return FORM_FIRST_IDS[PAIR] + (lowest_bit(unbeatable_pairs) >> 2) if unbeatable_pairs else NO_MOVE
    return FORM_FIRST_IDS[BOMB] + (lowest_bit(four) >> 2) if four else NO_MOVE


@njit
def _lead_for_partner(state, seat, hand):
    """Return the lowest card, or pair, for a partner who comes next and has just one, or two, cards; or `NO_MOVE`."""
    if (seat - state.landlord) % 3 != 1:
        return NO_MOVE
    cards = np.int64(state.counts[(seat + 1) % 3])
    if cards > 2:
        return NO_MOVE
    ranks = rank_sets(hand)[cards - 1]
    rank = lowest_bit(ranks) >> 2
    if rank >= HIGH_RANK:
        return NO_MOVE
    return FORM_FIRST_IDS[SOLO if cards == 1 else PAIR] + rank


@njit
def _chain_form(chain):
    """Return the form of a chain of so many cards of each rank, given as a hand."""
    length = popcount(rank_sets(chain)[0])
    copies = rank_count(chain, lowest_bit(chain) >> 2)
    if copies == 1:
        return SOLO_CHAIN + length - 5
    return PAIR_CHAIN + length - 3 if copies == 2 else TRIO_CHAIN + length - 2


@njit
def _lowest_group(rest, chains, opponent_cards, workspace):
    """Return the form and the rank of the group to lead, kickers apart; a form of -1 if only bombs and the rocket are left.

    With an enemy of one card, or two, single cards, or pairs, come last, and of single cards the highest.
    """
    one, two, three, _, _ = exact_rank_sets_and_rocket(rest)
    best, form, start = _LATEST_KEY, NO_MOVE, NO_MOVE
    for k in range(chains):
        chain = workspace.best_chains[k]
        rank, own = lowest_bit(chain) >> 2, _chain_form(chain)
        key = rank - (_TRIOS_FIRST if own >= TRIO_CHAIN else 0)
        if key < best:
            best, form, start = key, own, rank
    if three and (lowest_bit(three) >> 2) - _TRIOS_FIRST < best:
        start = lowest_bit(three) >> 2
        best, form = start - _TRIOS_FIRST, TRIO
    if two and (lowest_bit(two) >> 2) + (50 if opponent_cards == 2 else 0) < best:
        start = lowest_bit(two) >> 2
        best, form = start + (50 if opponent_cards == 2 else 0), PAIR
    if one and (lowest_bit(one) >> 2) + (100 if opponent_cards == 1 else 0) < best:
        form, start = SOLO, lowest_bit(highest_rank(one) if opponent_cards == 1 else one) >> 2
    return form, start


@njit
def _with_kickers(rules, rest, form, start, last_group):
    """Return the id of a trio or a chain of trios with the lowest kickers that are loose, without any if there are too few.

    Aces and what is higher are only given away to get `last_group`.
    """
    one, two, _, _ = exact_rank_sets(rest)
    if not last_group:
        one, two = one & CHEAP_KICKER_RANKS, two & CHEAP_KICKER_RANKS
    length = FORM_LENGTH[form]
    cards, action = consecutive_cards(np.int64(3), length, start), NO_MOVE
    solos = popcount(one) >= length and (length > 1 or not two or lowest_bit(one) < lowest_bit(two))
    if solos and length <= _MAX_PLANE_WITH_SOLOS:
        own = TRIO_SOLO if length == 1 else PLANE_SOLOS + length - 2
        action = move_id(rules, own, start, cards + lowest_ranks(one, length))
    if action == NO_MOVE and popcount(two) >= length and length <= _MAX_PLANE_WITH_PAIRS:
        own = TRIO_PAIR if length == 1 else PLANE_PAIRS + length - 2
        action = move_id(rules, own, start, cards + (lowest_ranks(two, length) << ONE))
    return FORM_FIRST_IDS[form] + start if action == NO_MOVE else action


@njit
def _quad_with_whole_hand(rules, hand, cards):
    """Return the move of four of a kind with kickers that is all of a hand of so many cards, `NO_MOVE` if it is none."""
    four = rank_sets(hand)[3]
    if not four or (cards != 6 and cards != 8):
        return NO_MOVE
    return move_id(rules, QUAD_SOLOS if cards == 6 else QUAD_PAIRS, lowest_bit(four) >> 2, hand)


@njit
def frugal_lead(rules, state, workspace):
    """Return the move to lead."""
    seat = np.int64(state.to_move)
    hand = state.hands[seat]
    action = _quad_with_whole_hand(rules, hand, np.int64(state.counts[seat]))
    if action != NO_MOVE:
        return action
    _, rest, chains = split_off_chains(hand, workspace)
    turns = count_turns(rest, chains, workspace)
    action = _unbeatable_lead(hand, state.played[0] + state.played[1] + state.played[2], rest, turns)
    if action == NO_MOVE and seat != state.landlord:
        action = _lead_for_partner(state, seat, hand)
    if action != NO_MOVE:
        return action
    form, start = _lowest_group(rest, chains, min_opponent_cards(state, seat), workspace)
    if form == NO_MOVE:
        four = exact_rank_sets(rest)[3]
        return FORM_FIRST_IDS[BOMB] + (lowest_bit(four) >> 2) if four else np.int64(FORM_FIRST_IDS[ROCKET])
    if form == TRIO or TRIO_CHAIN <= form < PLANE_SOLOS:
        return _with_kickers(rules, rest, form, start, turns <= 2)
    return FORM_FIRST_IDS[form] + start
