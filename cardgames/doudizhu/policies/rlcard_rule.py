"""The policy `rlcard-rule`: what RLCard's doudizhu-rule-v1 does, kickers and all.

A lead is the group of the lowest card when bombs are taken out first, then trios and runs of them, solo chains, pairs.
A reply is the lowest of the same form; without one a peasant whose neighbour before him is the other peasant passes,
the others play anything legal. `rules` is a record of type `DOUDIZHU_RULES`; every move it makes is legal under all rules.
"""

import numpy as np

from cardgames.doudizhu.cards import ACE, BLACK_JOKER, RED_JOKER, has_rocket, precedes_lexicographically, rank_count
from cardgames.doudizhu.moves.move_generation import MAX_MOVES, follow_moves
from cardgames.doudizhu.moves.move_table import FORM_FIRST_IDS, MOVE_CARDS, MOVE_FORM_RANKS, PASS, SOLOS
from cardgames.doudizhu.moves.move_types import (
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
from cardgames.kernels.bits import lowest_bit
from cardgames.kernels.jit import njit

_MIN_SOLO_CHAIN = 5


@njit
def _run_length(hand, start, least, most):
    """Return how many ranks from `start` on, none above the ace, are held at least `least` and at most `most` times."""
    end = start
    while end <= ACE and least <= rank_count(hand, end) <= most:
        end += 1
    return end - start


@njit
def rule_lead(hand):
    """Return the id of the lead: the group of a hand's lowest card."""
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
    """Return 0 for cards with the black joker, 1 with the red one alone, 2 with none."""
    return 0 if rank_count(cards, BLACK_JOKER) else 1 if rank_count(cards, RED_JOKER) else 2


@njit
def is_listed_before(action, other):
    """Return whether RLCard lists a move before another of the same form and rank: by kickers, planes with jokers first."""
    cards, others = MOVE_CARDS[action], MOVE_CARDS[other]
    form = MOVE_FORM_RANKS[action] >> 4
    if FORM_KICKER_KIND[form] == SOLOS and FORM_LENGTH[form] > 1 and _joker_order(cards) != _joker_order(others):
        return _joker_order(cards) < _joker_order(others)
    return precedes_lexicographically(cards, others)


@njit
def rule_reply(rules, hand, last):
    """Return the id of the lowest reply of the same form as `last`, or `PASS` if there is none."""
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
    """Return what a seat plays to the move with the id `last`, or as a lead if that is `PASS`; -1 for anything legal.

    `after_partner` (0 or 1) tells a peasant whose turn comes after the other peasant's.
    """
    if last == PASS:
        return np.int64(rule_lead(hand))
    chosen = rule_reply(rules, hand, last)
    return chosen if chosen != PASS or after_partner else np.int64(-1)
