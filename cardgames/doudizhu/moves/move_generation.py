"""Generation of the moves that a hand can lead or reply with, as action ids, by bit operations on rank masks.

`hand` is a uint64 with a 4-bit count per rank, `rules` a record of type `DOUDIZHU_RULES`. The kernels write ascending
move ids to the integer array `out`, which must have room for all of them. If `out` is None, the kernels only count the
moves. The pass is never written.
"""

from typing import Any

import numpy as np

from cardgames.doudizhu.cards import ACE, BLACK_JOKER, RED_JOKER, TWO, holds, rank_masks
from cardgames.doudizhu.moves.kickers import append_ids, append_kicker_sets, reduced_ranks
from cardgames.doudizhu.moves.move_forms import (
    BOMB,
    FORM_COPIES,
    FORM_FEATURES,
    FORM_KICKER_KIND,
    FORM_LENGTH,
    FORM_NUM_KICKERS,
    ROCKET,
)
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
from cardgames.doudizhu.rules import move_restrictions
from cardgames.kernels.bits import lowest_bit
from cardgames.kernels.jit import njit

_SHORTEST = [i for i in range(ROCKET) if i == 0 or FORMS[i].name != FORMS[i - 1].name]
FAMILIES = np.array([_SHORTEST, [*_SHORTEST[1:], ROCKET]], np.int64).T.copy()
"""[families, 2] ranges of indices in `FORMS` of forms that differ only in chain length: the first index, one past the last.

For example, the solo chains of 5 to 12 cards are one family.
"""
NO_MOVE: Any = np.int64(-1)
"""Value returned in place of a move id if there is no such move."""
NO_RANKS = np.int64(0)
"""Empty rank mask, typed int64: with a literal 0 as argument, Numba would compile each kernel a second time."""
RED_JOKER_BIT = np.int64(1 << RED_JOKER)
MAX_MOVES = 3000
"""Upper bound on the number of moves of a hand of 20 cards.

It is the sum of at most 1,400 planes with single cards, 400 planes with pairs, 800 moves of four of a kind with kickers
and 400 other moves. Kickers are counted as if they always had different ranks.
"""
CHAINABLE = (1 << ACE + 1) - 1
"""Rank mask (bit r for rank r) of the ranks that may be in a chain: 3 to ace."""


@njit
def chain_start_mask(ranks, length):
    """Return the mask of the ranks r such that r, ... r + `length` - 1 are all in the mask `ranks` and at most the ace."""
    ranks &= CHAINABLE
    for _ in range(length - 1):
        ranks &= ranks >> 1
    return ranks


@njit
def drop_adjoining_triples(forbidden, three, start, length):
    """Remove from the mask `three` the ranks next to a plane's trios that must not occur three times among the kickers.

    Args:
        forbidden: Forbidden move features (`rules.forbidden`). They decide which ranks next to the plane are removed: none,
            all, or all except twos next to aces.
        three: Mask of the reduced ranks (without main ranks) of which three cards may be kickers.
        start: Lowest main rank of the plane.
        length: Number of main ranks.
    """
    twos = 1 << start if start + length == TWO else 0
    if forbidden & move_restrictions.NEXT_TO_PLANE:
        three &= ~(3 << start >> 1) | twos
    if forbidden & move_restrictions.TWOS_NEXT_TO_ACES:
        three &= ~twos
    return three


@njit
def append_solo_kicker_moves(forbidden, held, form, start, out, n):
    """Append to `out` the ids of the moves of `form`, which has single cards as kickers, with lowest main rank `start`.

    `held` are the hand's `rank_masks`, `forbidden` the forbidden features. Returns the new number of ids in `out`.
    """
    length, size = FORM_LENGTH[form], FORM_NUM_KICKERS[form]
    first_id = FORM_FIRST_IDS[form] + start * FORM_KICKER_SETS[form]
    one = reduced_ranks(held[0], start, length)
    if size == 1:
        return append_ids(one, first_id, out, n)
    two = three = four = bars_next_lower = NO_RANKS
    if not forbidden & move_restrictions.TWO_EQUAL:
        two = reduced_ranks(held[1], start, length)
    if size > 2 and not forbidden & move_restrictions.THREE_EQUAL:
        three = drop_adjoining_triples(forbidden, reduced_ranks(held[2], start, length), start, length)
        if not forbidden & move_restrictions.FOUR_EQUAL:
            four = three & reduced_ranks(held[3], start, length)
    if forbidden & (move_restrictions.TWO_JOKERS | (move_restrictions.ONLY_JOKERS if size == 2 else 0)):
        bars_next_lower = RED_JOKER_BIT >> length
    return append_kicker_sets(one, two, three, four, bars_next_lower, length, size, first_id, out, n)


@njit
def append_pair_kicker_moves(forbidden, held, form, start, out, n):
    """Append to `out` the ids of the moves of `form`, which has pairs as kickers, with lowest main rank `start`.

    `held` are the hand's `rank_masks`, `forbidden` the forbidden features. Returns the new number of ids in `out`.
    """
    length = FORM_LENGTH[form]
    first_id = FORM_FIRST_IDS[form] + start * FORM_KICKER_SETS[form]
    one = reduced_ranks(held[1], start, length)
    if FORM_NUM_KICKERS[form] == 1:
        return append_ids(one, first_id, out, n)
    two = NO_RANKS if forbidden & move_restrictions.EQUAL_PAIRS else reduced_ranks(held[3], start, length)
    return append_kicker_sets(
        one, two, NO_RANKS, NO_RANKS, NO_RANKS, NO_RANKS, FORM_NUM_KICKERS[form], first_id, out, n
    )


@njit
def append_form_moves(forbidden, held, form, starts, out, n):
    """Append to `out` the ids of a hand's moves of one form whose lowest main rank is in the mask `starts`.

    Args:
        forbidden: Forbidden move features (`rules.forbidden`).
        held: The hand's `rank_masks`.
        form: Index in `FORMS` of the form (combination type and length).
        starts: Rank mask of possible lowest main ranks; the hand must hold the main cards.
        out: Array of ids, or None to count only.
        n: Number of ids in `out` so far.

    Returns:
        The new number of ids in `out`.
    """
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
    """Return the mask of the lowest main ranks of the moves of `form` that a hand can play, kickers not considered.

    `held` are the hand's `rank_masks`; `form` must not be the rocket.
    """
    ranks = held[FORM_COPIES[form] - 1]
    return ranks if FORM_LENGTH[form] == 1 else chain_start_mask(ranks, FORM_LENGTH[form])


@njit
def append_rocket(held, out, n):
    """Append the id of the rocket to `out` if the hand with the rank masks `held` has both jokers.

    Returns the new number of ids in `out`.
    """
    return append_ids(held[0] >> BLACK_JOKER & held[0] >> RED_JOKER, FORM_FIRST_IDS[ROCKET], out, n)


@njit
def lead_moves(rules, hand, out):
    """Write to `out` the ids of all moves that a hand can play if there is no move to beat, and return their number."""
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
    """Write to `out` the ids of all moves of a hand that beat the move with id `last`, and return their number."""
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
    """Return whether `action` is the id of a move that the rules allow and whose cards are in the hand."""
    if not FIRST_MOVE <= action < len(MOVE_CARDS):
        return False
    return MOVE_FEATURES[action] & rules.forbidden == 0 and holds(hand, MOVE_CARDS[action])


@njit
def beats(action, last):
    """Return whether the move `action` beats the move `last` (both ids)."""
    form, rank = MOVE_FORM_RANKS[action] >> 4, MOVE_FORM_RANKS[action] & 15
    last_form, last_rank = MOVE_FORM_RANKS[last] >> 4, MOVE_FORM_RANKS[last] & 15
    if form == last_form:
        return rank > last_rank
    return form == ROCKET or (form == BOMB and last_form != ROCKET)


@njit
def move_id(rules, form, start, cards):
    """Return the id of the move with a given form and cards, or `NO_MOVE` if the rules forbid it.

    Args:
        rules: Record of type `DOUDIZHU_RULES`.
        form: Index in `FORMS` of the move's form (combination type and length).
        start: Lowest main rank of the move.
        cards: All cards of the move, kickers included, as a hand.
    """
    if FORM_KICKER_KIND[form] == NO_KICKERS:
        return FORM_FIRST_IDS[form] + start
    if FORM_FEATURES[form] & rules.forbidden:
        return NO_MOVE
    out = np.empty(2, np.int32)
    n = append_form_moves(rules.forbidden, rank_masks(cards), form, np.int64(1) << start, out, np.int64(0))
    return np.int64(out[0]) if n == 1 else NO_MOVE
