"""Policy `rlcard-rule`: RLCard's doudizhu-rule-v1, including its choice of kickers.

It leads the group of its lowest card, where the hand is split first into bombs, then trios and trio chains, then solo
chains, then pairs and single cards. It replies with the lowest move of the same form. If there is none, the peasant who
acts right after its partner passes; the other seats play a random legal action. `rules` is a record of type
`DOUDIZHU_RULES`. Every move of the policy is legal under all rules.
"""

import numpy as np

from cardgames.doudizhu.cards import ACE, BLACK_JOKER, RED_JOKER, has_rocket, precedes_lexicographically, rank_count
from cardgames.doudizhu.moves.move_forms import (
    BOMB,
    FORM_KICKER_KIND,
    FORM_LENGTH,
    PAIR,
    ROCKET,
    SOLO,
    SOLO_CHAIN,
    TRIO,
    TRIO_CHAIN,
)
from cardgames.doudizhu.moves.move_generation import MAX_MOVES, follow_moves
from cardgames.doudizhu.moves.move_table import FORM_FIRST_IDS, MOVE_CARDS, MOVE_FORM_RANKS, PASS, SOLOS
from cardgames.kernels.bits import lowest_bit
from cardgames.kernels.jit import njit

_MIN_SOLO_CHAIN = 5


@njit
def _run_length(hand, start, min_copies, max_copies):
    """Return the number of consecutive ranks, from `start` to at most the ace, with a suitable number of cards in the hand.

    Each of the ranks has `min_copies` to `max_copies` cards.
    """
    end = start
    while end <= ACE and min_copies <= rank_count(hand, end) <= max_copies:
        end += 1
    return end - start


@njit
def rule_lead(hand):
    """Return the id of the move that RLCard's rule model leads: the bomb, trio, chain, pair or single of the lowest card."""
    rank = lowest_bit(hand) >> 2
    copies = rank_count(hand, rank)
    if rank == BLACK_JOKER and has_rocket(hand):
        return FORM_FIRST_IDS[ROCKET]
    if copies == 4:
        return FORM_FIRST_IDS[BOMB] + rank
    if copies == 3:
        length = _run_length(hand, rank, 3, 3)
        return FORM_FIRST_IDS[TRIO_CHAIN + length - 2] + rank if length > 1 else FORM_FIRST_IDS[TRIO] + rank
    length = _run_length(hand, rank, 1, 2)
    if length >= _MIN_SOLO_CHAIN:
        return FORM_FIRST_IDS[SOLO_CHAIN + length - _MIN_SOLO_CHAIN] + rank
    return FORM_FIRST_IDS[PAIR if copies == 2 else SOLO] + rank


@njit
def _joker_order(cards):
    """Return 0 if the hand `cards` has the black joker, 1 if it has only the red joker, 2 if it has no joker."""
    return 0 if rank_count(cards, BLACK_JOKER) else 1 if rank_count(cards, RED_JOKER) else 2


@njit
def is_listed_before(action, other):
    """Return whether RLCard lists the move `action` before the move `other`, which has the same form and lowest main rank.

    Moves are listed in lexicographic order of their cards. Planes with single kickers are listed with jokers first.
    """
    cards, others = MOVE_CARDS[action], MOVE_CARDS[other]
    form = MOVE_FORM_RANKS[action] >> 4
    if FORM_KICKER_KIND[form] == SOLOS and FORM_LENGTH[form] > 1 and _joker_order(cards) != _joker_order(others):
        return _joker_order(cards) < _joker_order(others)
    return precedes_lexicographically(cards, others)


@njit
def rule_reply(rules, hand, last):
    """Return the id of the lowest-ranked move of the same form that beats the move `last`, or `PASS` if there is none.

    Among moves of that rank, it is the one that RLCard lists first.
    """
    replies = np.empty(MAX_MOVES, np.int32)
    replies = replies[: follow_moves(rules, hand, last, replies)]
    chosen = np.int64(PASS)
    for action in replies:
        if MOVE_FORM_RANKS[action] >> 4 != MOVE_FORM_RANKS[last] >> 4:
            continue
        if chosen == PASS or (MOVE_FORM_RANKS[action] == MOVE_FORM_RANKS[chosen] and is_listed_before(action, chosen)):
            chosen = np.int64(action)
    return chosen


@njit
def deterministic_move(rules, hand, last, after_partner):
    """Return the action id of RLCard's rule model, or -1 if it plays a random legal action.

    Args:
        rules: Record of type `DOUDIZHU_RULES`.
        hand: Hand of the seat to move.
        last: Id of the move to beat; `PASS` for a lead.
        after_partner: True for the peasant who acts right after the other peasant.
    """
    if last == PASS:
        return np.int64(rule_lead(hand))
    chosen = rule_reply(rules, hand, last)
    return chosen if chosen != PASS or after_partner else np.int64(-1)
