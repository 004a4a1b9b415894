"""Leads of the policy `frugal`: the group (move) of its hand with the lowest card, with preference for groups with trios.

Once at most one group can still be beaten, the unbeatable groups are led first. If the partner acts next and has one or
two cards, the lead is a low single card or pair.
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
from cardgames.doudizhu.moves.move_forms import (
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
from cardgames.doudizhu.moves.move_generation import NO_MOVE, move_id
from cardgames.doudizhu.moves.move_table import FORM_FIRST_IDS
from cardgames.doudizhu.policies.frugal_reply import HIGH_RANK, min_opponent_cards
from cardgames.kernels.bits import ONE, lowest_bit, popcount
from cardgames.kernels.jit import njit

_LATEST_KEY: Any = np.int64(1000)
"""Sort key larger than that of every group (group keys are lowest ranks with a bonus or penalty)."""
_MAX_PLANE_WITH_SOLOS, _MAX_PLANE_WITH_PAIRS = 5, 4
"""Largest number of trios in a plane with single cards as kickers, and in a plane with pairs, that a hand of 20 can hold."""
_TRIOS_FIRST = 6
"""Number subtracted from the sort key (lowest rank) of a group with trios, so that it is led before other groups."""
_DECK = np.uint64(DECK)


@njit
def _ranks_above(ranks, others):
    """Return the rank set of the ranks in `ranks` that are higher than every rank in the rank set `others`."""
    return ranks & ~((highest_rank(others) << ONE) - ONE) if others else ranks


@njit
def _unbeatable_lead(hand, played, rest, turns):
    """Return the id of an unbeatable lead if at most one group of the hand is not an unbeatable single card or pair.

    Otherwise return `NO_MOVE`. Bombs and the rocket in other hands are ignored. A single card or pair is unbeatable if
    no higher one is among the unseen cards.

    Args:
        hand: The hand.
        played: All cards played so far, as a hand.
        rest: Cards of the hand outside its chains, as a hand.
        turns: Number of groups of the hand, without bombs and the rocket.
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
    """Return the id of the lowest single card (pair) if the partner acts next and has one card (two cards).

    Otherwise, or if that rank is `HIGH_RANK` or higher, return `NO_MOVE`.
    """
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
    """Return the index in `FORMS` of the form of a solo, pair or trio chain, given its cards as a hand."""
    length = popcount(rank_sets(chain)[0])
    copies = rank_count(chain, lowest_bit(chain) >> 2)
    if copies == 1:
        return SOLO_CHAIN + length - 5
    return PAIR_CHAIN + length - 3 if copies == 2 else TRIO_CHAIN + length - 2


@njit
def _lowest_group(rest, chains, opponent_cards, workspace):
    """Return the form index and the lowest rank of the group to lead, kickers not included: the group with the lowest card.

    Groups with trios are preferred. If an opponent has one card, single cards are led last, and the highest of them
    first; if an opponent has two cards, pairs are led last. The form is -1 if only bombs and the rocket are left.

    Args:
        rest: Cards of the hand outside its chains, as a hand.
        chains: Number of chains in `workspace.best_chains`.
        opponent_cards: Smallest number of cards that an opponent has.
        workspace: Workspace of `split_off_chains`.
    """
    one, two, three, _, _ = exact_rank_sets_and_rocket(rest)
    best_key, form, start = _LATEST_KEY, NO_MOVE, NO_MOVE
    for k in range(chains):
        chain = workspace.best_chains[k]
        rank, chain_form = lowest_bit(chain) >> 2, _chain_form(chain)
        key = rank - (_TRIOS_FIRST if chain_form >= TRIO_CHAIN else 0)
        if key < best_key:
            best_key, form, start = key, chain_form, rank
    if three and (lowest_bit(three) >> 2) - _TRIOS_FIRST < best_key:
        start = lowest_bit(three) >> 2
        best_key, form = start - _TRIOS_FIRST, TRIO
    if two and (lowest_bit(two) >> 2) + (50 if opponent_cards == 2 else 0) < best_key:
        start = lowest_bit(two) >> 2
        best_key, form = start + (50 if opponent_cards == 2 else 0), PAIR
    if one and (lowest_bit(one) >> 2) + (100 if opponent_cards == 1 else 0) < best_key:
        form, start = SOLO, lowest_bit(highest_rank(one) if opponent_cards == 1 else one) >> 2
    return form, start


@njit
def _with_kickers(rules, rest, form, start, last_group):
    """Return the id of a trio or trio chain with the lowest single cards or pairs of `rest` as kickers.

    If there are too few kickers, return the id of the move without kickers. Aces and higher cards are used as kickers
    only if `last_group` is true, which means that at most one group is left after the move.
    """
    one, two, _, _ = exact_rank_sets(rest)
    if not last_group:
        one, two = one & CHEAP_KICKER_RANKS, two & CHEAP_KICKER_RANKS
    length = FORM_LENGTH[form]
    cards, action = consecutive_cards(np.int64(3), length, start), NO_MOVE
    solos = popcount(one) >= length and (length > 1 or not two or lowest_bit(one) < lowest_bit(two))
    if solos and length <= _MAX_PLANE_WITH_SOLOS:
        form_with_kickers = TRIO_SOLO if length == 1 else PLANE_SOLOS + length - 2
        action = move_id(rules, form_with_kickers, start, cards + lowest_ranks(one, length))
    if action == NO_MOVE and popcount(two) >= length and length <= _MAX_PLANE_WITH_PAIRS:
        form_with_kickers = TRIO_PAIR if length == 1 else PLANE_PAIRS + length - 2
        action = move_id(rules, form_with_kickers, start, cards + (lowest_ranks(two, length) << ONE))
    return FORM_FIRST_IDS[form] + start if action == NO_MOVE else action


@njit
def _quad_with_whole_hand(rules, hand, cards):
    """Return the id of the move of four of a kind with two kickers that plays the whole hand, or `NO_MOVE` if there is none.

    `cards` is the number of cards in the hand: 6 for single cards and 8 for pairs as kickers.
    """
    four = rank_sets(hand)[3]
    if not four or (cards != 6 and cards != 8):
        return NO_MOVE
    return move_id(rules, QUAD_SOLOS if cards == 6 else QUAD_PAIRS, lowest_bit(four) >> 2, hand)


@njit
def frugal_lead(rules, state, workspace):
    """Return the id of the move that `frugal` leads for the seat to move, when there is no move to beat."""
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
