"""The policy `rlcard-rule`: what RLCard's doudizhu-rule-v1 does, kickers and all.

A lead is the group of the lowest card when bombs are taken out first, then trios and runs of them, solo chains, pairs.
A reply is the lowest of the same form; without one a peasant whose neighbour before him is the other peasant passes,
the others play anything legal. `rules` is a record of type `DOUDIZHU_RULES`; every move it makes is legal under all rules.
"""

import numpy as np

from cardgames.doudizhu.cards import ACE, BLACK_JOKER, RED_JOKER, comes_first, count_of, has_rocket
from cardgames.doudizhu.moves.move_generation import MOST_MOVES, follow_moves
from cardgames.doudizhu.moves.move_table import CARDS, FIRST, PASS, PLACES, SOLOS
from cardgames.doudizhu.moves.move_types import BOMB, KIND, LENGTH, PAIR, ROCKET, SOLO, SOLO_CHAIN, TRIO, TRIO_CHAIN
from cardgames.kernels.bits import lowest_bit
from cardgames.kernels.jit import njit

_SHORTEST = 5


@njit
def _run(hand, start, least, most):
    """Return how many ranks from `start` on, none above the ace, are held at least `least` and at most `most` times."""
    end = start
    while end <= ACE and least <= count_of(hand, end) <= most:
        end += 1
    return end - start


@njit
def rule_lead(hand):
    """Return the id of the lead: the group of a hand's lowest card."""
    rank = lowest_bit(hand) >> 2
    copies = count_of(hand, rank)
    if rank == BLACK_JOKER and has_rocket(hand):
        return FIRST[ROCKET]
    if copies == 4:
        return FIRST[BOMB] + rank
    if copies == 3:
        length = _run(hand, rank, 3, 3)
        return FIRST[TRIO_CHAIN + length - 2] + rank if length > 1 else FIRST[TRIO] + rank
    length = _run(hand, rank, 1, 2)
    if length >= _SHORTEST:
        return FIRST[SOLO_CHAIN + length - _SHORTEST] + rank
    return FIRST[PAIR if copies == 2 else SOLO] + rank


@njit
def _joker_order(cards):
    """Return 0 for cards with the black joker, 1 with the red one alone, 2 with none."""
    return 0 if count_of(cards, BLACK_JOKER) else 1 if count_of(cards, RED_JOKER) else 2


@njit
def listed_first(action, other):
    """Return whether RLCard lists a move before another of the same form and rank: by kickers, planes with jokers first."""
    cards, others = CARDS[action], CARDS[other]
    form = PLACES[action] >> 4
    if KIND[form] == SOLOS and LENGTH[form] > 1 and _joker_order(cards) != _joker_order(others):
        return _joker_order(cards) < _joker_order(others)
    return comes_first(cards, others)


@njit
def rule_reply(rules, hand, last):
    """Return the id of the lowest reply of the same form as `last`, or `PASS` if there is none."""
    replies = np.empty(MOST_MOVES, np.int32)
    replies = replies[: follow_moves(rules, hand, last, replies)]
    chosen = np.int64(PASS)
    for action in replies:
        if PLACES[action] >> 4 != PLACES[last] >> 4:
            continue
        if chosen == PASS or (PLACES[action] == PLACES[chosen] and listed_first(action, chosen)):
            chosen = np.int64(action)
    return chosen


@njit
def settled_move(rules, hand, last, after_partner):
    """Return what a seat plays to the move with the id `last`, or as a lead if that is `PASS`; -1 for anything legal.

    `after_partner` (0 or 1) tells a peasant whose turn comes after the other peasant's.
    """
    if last == PASS:
        return np.int64(rule_lead(hand))
    chosen = rule_reply(rules, hand, last)
    return chosen if chosen != PASS or after_partner else np.int64(-1)
