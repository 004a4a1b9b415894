"""What may be played from a hand, as action ids: bit tricks on ranks, and sums for the ids of kickers.

`hand` is a hand word (uint64), `rules` a record of type `DOUDIZHU_RULES`. Ids are written, ascending, into `out` (an array
of integers with room for them all); with `out` None they are only counted. A pass is never among them.
"""

from typing import Any

import numpy as np

from cardgames.doudizhu.cards import ACE, BLACK_JOKER, RED_JOKER, TWO, holds, rank_masks
from cardgames.doudizhu.moves.kickers import add_each, add_sets, beside
from cardgames.doudizhu.moves.move_table import (
    CARDS,
    FEATURES,
    FIRST,
    FIRST_MOVE,
    FORMS,
    NO_KICKERS,
    PAIRS,
    PLACES,
    SETS,
)
from cardgames.doudizhu.moves.move_types import BOMB, COPIES, FORM_FEATURES, KICKERS, KIND, LENGTH, ROCKET
from cardgames.doudizhu.rules import grammar
from cardgames.kernels.bits import lowest_bit
from cardgames.kernels.jit import njit

_SHORTEST = [i for i in range(ROCKET) if i == 0 or FORMS[i].name != FORMS[i - 1].name]
FAMILIES = np.array([_SHORTEST, [*_SHORTEST[1:], ROCKET]], np.int64).T.copy()
"""[families, 2] runs of forms that differ in length alone: the number of the first, and one more than of the last."""
NO_MOVE: Any = np.int64(-1)
"""What stands where there is no move."""
NO_RANKS = np.int64(0)
"""No literal: Numba would compile kernels that get a literal once more."""
RED_BIT = np.int64(1 << RED_JOKER)
MOST_MOVES = 3000
"""More moves than 20 cards can hold: at most 1,400 planes with single cards, 400 with pairs, 800 fours with kickers and
400 others, each counted as if its kickers were all of different ranks.
"""
CHAINABLE = (1 << ACE + 1) - 1
"""The ranks that may be part of a chain."""


@njit
def runs(ranks, length):
    """Return the mask of ranks from which on `length` consecutive ranks are in the mask and may be chained."""
    ranks &= CHAINABLE
    for _ in range(length - 1):
        ranks &= ranks >> 1
    return ranks


@njit
def spread_threes(forbidden, three, start, length):
    """Take out of a mask of reduced ranks those next to the main ranks where three equal kickers are forbidden."""
    twos = 1 << start if start + length == TWO else 0
    if forbidden & grammar.BESIDE_TRIOS:
        three &= ~(3 << start >> 1) | twos
    if forbidden & grammar.TWOS_BESIDE_ACES:
        three &= ~twos
    return three


@njit
def add_with_solos(forbidden, held, form, start, out, n):
    """Append the moves of a form with single kickers that start at a rank."""
    length, size = LENGTH[form], KICKERS[form]
    first = FIRST[form] + start * SETS[form]
    one = beside(held[0], start, length)
    if size == 1:
        return add_each(one, first, out, n)
    two = three = four = apart = NO_RANKS
    if not forbidden & grammar.TWO_EQUAL:
        two = beside(held[1], start, length)
    if size > 2 and not forbidden & grammar.THREE_EQUAL:
        three = spread_threes(forbidden, beside(held[2], start, length), start, length)
        if not forbidden & grammar.FOUR_EQUAL:
            four = three & beside(held[3], start, length)
    if forbidden & (grammar.TWO_JOKERS | (grammar.ONLY_JOKERS if size == 2 else 0)):
        apart = RED_BIT >> length
    return add_sets(one, two, three, four, apart, length, size, first, out, n)


@njit
def add_with_pairs(forbidden, held, form, start, out, n):
    """Append the moves of a form with pair kickers that start at a rank."""
    length = LENGTH[form]
    first = FIRST[form] + start * SETS[form]
    one = beside(held[1], start, length)
    if KICKERS[form] == 1:
        return add_each(one, first, out, n)
    two = NO_RANKS if forbidden & grammar.EQUAL_PAIRS else beside(held[3], start, length)
    return add_sets(one, two, NO_RANKS, NO_RANKS, NO_RANKS, NO_RANKS, KICKERS[form], first, out, n)


@njit
def add_form(forbidden, held, form, starts, out, n):
    """Append the moves of a form that start at a rank of the mask `starts`."""
    if KIND[form] == NO_KICKERS:
        return add_each(starts, FIRST[form], out, n)
    while starts:
        start = lowest_bit(starts)
        starts &= starts - 1
        if KIND[form] == PAIRS:
            n = add_with_pairs(forbidden, held, form, start, out, n)
        else:
            n = add_with_solos(forbidden, held, form, start, out, n)
    return n


@njit
def starts_of(held, form):
    """Return the mask of ranks at which the main cards of a form (but the rocket) may start."""
    ranks = held[COPIES[form] - 1]
    return ranks if LENGTH[form] == 1 else runs(ranks, LENGTH[form])


@njit
def add_rocket(held, out, n):
    """Append the rocket if both jokers are held."""
    return add_each(held[0] >> BLACK_JOKER & held[0] >> RED_JOKER, FIRST[ROCKET], out, n)


@njit
def lead_moves(rules, hand, out):
    """Write the ids of all moves that may be led from a hand and return how many there are."""
    forbidden, held = rules.forbidden, rank_masks(hand)
    n = np.int64(0)
    for family in range(len(FAMILIES)):
        form, end = FAMILIES[family]
        if FORM_FEATURES[form] & forbidden:
            continue
        starts = starts_of(held, form)
        while starts and form < end:
            n = add_form(forbidden, held, form, starts, out, n)
            starts &= starts >> 1
            form += 1
    return add_rocket(held, out, n)


@njit
def follow_moves(rules, hand, last, out):
    """Write the ids of all moves from a hand that beat the move with the id `last` and return how many there are."""
    place = np.int64(PLACES[last])
    form, rank = place >> 4, place & 15
    if form == ROCKET:
        return 0
    held = rank_masks(hand)
    n = add_form(rules.forbidden, held, form, starts_of(held, form) & -(2 << rank), out, np.int64(0))
    if form != BOMB:
        n = add_each(held[3], FIRST[BOMB], out, n)
    return add_rocket(held, out, n)


@njit
def is_legal_move(rules, hand, action):
    """Return whether the id `action` is a move of the grammar whose cards a hand holds."""
    if not FIRST_MOVE <= action < len(CARDS):
        return False
    return FEATURES[action] & rules.forbidden == 0 and holds(hand, CARDS[action])


@njit
def beats(action, last):
    """Return whether one move beats another."""
    form, rank = PLACES[action] >> 4, PLACES[action] & 15
    other, bar = PLACES[last] >> 4, PLACES[last] & 15
    if form == other:
        return rank > bar
    return form == ROCKET or (form == BOMB and other != ROCKET)


@njit
def move_id(rules, form, start, cards):
    """Return the id of the move of a form that starts at a rank and has these cards, `NO_MOVE` if the rules forbid it."""
    if KIND[form] == NO_KICKERS:
        return FIRST[form] + start
    if FORM_FEATURES[form] & rules.forbidden:
        return NO_MOVE
    out = np.empty(2, np.int32)
    n = add_form(rules.forbidden, rank_masks(cards), form, np.int64(1) << start, out, np.int64(0))
    return np.int64(out[0]) if n == 1 else NO_MOVE
