"""What may be played from a hand, as action ids: bit tricks on ranks, and sums for the ids of kickers.

`hand` is a hand word (uint64), `rules` a record of type `DOUDIZHU_RULES`. Ids are written, ascending, into `out` (an array
of integers with room for them all); with `out` None they are only counted. A pass is never among them.
"""

from typing import Any

import numpy as np

from cardgames.doudizhu.cards import ACE, BLACK_JOKER, RED_JOKER, TWO, holds, rank_masks
from cardgames.doudizhu.moves.kickers import append_ids, append_kicker_sets, reduced_ranks
from cardgames.doudizhu.moves.move_table import (
    FIRST_MOVE,
    FORM_FIRST_IDS,
    FORM_KICKER_SETS,
    FORMS,
    MOVE_CARDS,
    MOVE_FEATURES,
    MOVE_FORM_RANKS,
    NO_KICKERS,
    PAIRS,
)
from cardgames.doudizhu.moves.move_types import (
    BOMB,
    FORM_COPIES,
    FORM_FEATURES,
    FORM_KICKER_KIND,
    FORM_LENGTH,
    FORM_NUM_KICKERS,
    ROCKET,
)
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
RED_JOKER_BIT = np.int64(1 << RED_JOKER)
MAX_MOVES = 3000
"""More moves than 20 cards can hold: at most 1,400 planes with single cards, 400 with pairs, 800 fours with kickers and
400 others, each counted as if its kickers were all of different ranks.
"""
CHAINABLE = (1 << ACE + 1) - 1
"""The ranks that may be part of a chain."""


@njit
def chain_start_mask(ranks, length):
    """Return the mask of ranks from which on `length` consecutive ranks are in the mask and may be chained."""
    ranks &= CHAINABLE
    for _ in range(length - 1):
        ranks &= ranks >> 1
    return ranks


@njit
def drop_adjoining_triples(forbidden, three, start, length):
    """Take out of a mask of reduced ranks those next to the main ranks where three equal kickers are forbidden."""
    twos = 1 << start if start + length == TWO else 0
    if forbidden & grammar.NEXT_TO_PLANE:
        three &= ~(3 << start >> 1) | twos
    if forbidden & grammar.TWOS_NEXT_TO_ACES:
        three &= ~twos
    return three


@njit
def append_solo_kicker_moves(forbidden, held, form, start, out, n):
    """Append the moves of a form with single kickers that start at a rank."""
    length, size = FORM_LENGTH[form], FORM_NUM_KICKERS[form]
    first_id = FORM_FIRST_IDS[form] + start * FORM_KICKER_SETS[form]
    one = reduced_ranks(held[0], start, length)
    if size == 1:
        return append_ids(one, first_id, out, n)
    two = three = four = bars_next_lower = NO_RANKS
    if not forbidden & grammar.TWO_EQUAL:
        two = reduced_ranks(held[1], start, length)
    if size > 2 and not forbidden & grammar.THREE_EQUAL:
        three = drop_adjoining_triples(forbidden, reduced_ranks(held[2], start, length), start, length)
        if not forbidden & grammar.FOUR_EQUAL:
            four = three & reduced_ranks(held[3], start, length)
    if forbidden & (grammar.TWO_JOKERS | (grammar.ONLY_JOKERS if size == 2 else 0)):
        bars_next_lower = RED_JOKER_BIT >> length
    return append_kicker_sets(one, two, three, four, bars_next_lower, length, size, first_id, out, n)


@njit
def append_pair_kicker_moves(forbidden, held, form, start, out, n):
    """Append the moves of a form with pair kickers that start at a rank."""
    length = FORM_LENGTH[form]
    first_id = FORM_FIRST_IDS[form] + start * FORM_KICKER_SETS[form]
    one = reduced_ranks(held[1], start, length)
    if FORM_NUM_KICKERS[form] == 1:
        return append_ids(one, first_id, out, n)
    two = NO_RANKS if forbidden & grammar.EQUAL_PAIRS else reduced_ranks(held[3], start, length)
    return append_kicker_sets(
        one, two, NO_RANKS, NO_RANKS, NO_RANKS, NO_RANKS, FORM_NUM_KICKERS[form], first_id, out, n
    )


@njit
def append_form_moves(forbidden, held, form, starts, out, n):
    """Append the moves of a form that start at a rank of the mask `starts`."""
    if FORM_KICKER_KIND[form] == NO_KICKERS:
        return append_ids(starts, FORM_FIRST_IDS[form], out, n)
    while starts:
        start = lowest_bit(starts)
        starts &= starts - 1
        if FORM_KICKER_KIND[form] == PAIRS:
            n = append_pair_kicker_moves(forbidden, held, form, start, out, n)
        else:
            n = append_solo_kicker_moves(forbidden, held, form, start, out, n)
    return n


@njit
def main_start_mask(held, form):
    """Return the mask of ranks at which the main cards of a form (but the rocket) may start."""
    ranks = held[FORM_COPIES[form] - 1]
    return ranks if FORM_LENGTH[form] == 1 else chain_start_mask(ranks, FORM_LENGTH[form])


@njit
def append_rocket(held, out, n):
    """Append the rocket if both jokers are held."""
    return append_ids(held[0] >> BLACK_JOKER & held[0] >> RED_JOKER, FORM_FIRST_IDS[ROCKET], out, n)


@njit
def lead_moves(rules, hand, out):
    """Write the ids of all moves that may be led from a hand and return how many there are."""
    forbidden, held = rules.forbidden, rank_masks(hand)
    n = np.int64(0)
    for family in range(len(FAMILIES)):
        form, end = FAMILIES[family]
        if FORM_FEATURES[form] & forbidden:
            continue
        starts = main_start_mask(held, form)
        while starts and form < end:
            n = append_form_moves(forbidden, held, form, starts, out, n)
            starts &= starts >> 1
            form += 1
    return append_rocket(held, out, n)


@njit
def follow_moves(rules, hand, last, out):
    """Write the ids of all moves from a hand that beat the move with the id `last` and return how many there are."""
    form_rank = np.int64(MOVE_FORM_RANKS[last])
    form, rank = form_rank >> 4, form_rank & 15
    if form == ROCKET:
        return 0
    held = rank_masks(hand)
    n = append_form_moves(rules.forbidden, held, form, main_start_mask(held, form) & -(2 << rank), out, np.int64(0))
    if form != BOMB:
        n = append_ids(held[3], FORM_FIRST_IDS[BOMB], out, n)
    return append_rocket(held, out, n)


@njit
def is_legal_move(rules, hand, action):
    """Return whether the id `action` is a move of the grammar whose cards a hand holds."""
    if not FIRST_MOVE <= action < len(MOVE_CARDS):
        return False
    return MOVE_FEATURES[action] & rules.forbidden == 0 and holds(hand, MOVE_CARDS[action])


@njit
def beats(action, last):
    """Return whether one move beats another."""
    form, rank = MOVE_FORM_RANKS[action] >> 4, MOVE_FORM_RANKS[action] & 15
    last_form, last_rank = MOVE_FORM_RANKS[last] >> 4, MOVE_FORM_RANKS[last] & 15
    if form == last_form:
        return rank > last_rank
    return form == ROCKET or (form == BOMB and last_form != ROCKET)


@njit
def move_id(rules, form, start, cards):
    """Return the id of the move of a form that starts at a rank and has these cards, `NO_MOVE` if the rules forbid it."""
    if FORM_KICKER_KIND[form] == NO_KICKERS:
        return FORM_FIRST_IDS[form] + start
    if FORM_FEATURES[form] & rules.forbidden:
        return NO_MOVE
    out = np.empty(2, np.int32)
    n = append_form_moves(rules.forbidden, rank_masks(cards), form, np.int64(1) << start, out, np.int64(0))
    return np.int64(out[0]) if n == 1 else NO_MOVE
