"""What may be played from a hand, as action ids: bit tricks on ranks, and sums for the ids of kickers.

`hand` is a hand word (uint64), `rules` a record of type `DOUDIZHU_RULES`. Ids are written, ascending, into `out` (an array
of integers with room for them all); with `out` None they are only counted. A pass is never among them.
"""

import numpy as np

from cardgames.core.bits import lowest_bit, popcount
from cardgames.core.jit import njit
from cardgames.doudizhu.cards import ACE, BLACK_JOKER, RED_JOKER, TWO, holds, rank_masks
from cardgames.doudizhu.moves import (
    BELOW,
    CARDS,
    FAMILIES,
    FEATURES,
    FIRST,
    FIRST_MOVE,
    FORMS,
    NO_KICKERS,
    PAIRS,
    PLACES,
    SETS,
    form_number,
)
from cardgames.doudizhu.rules import grammar

COPIES, LENGTH, KIND, KICKERS = (
    np.array([getattr(form, field) for form in FORMS], np.int64) for field in ("copies", "length", "kind", "kickers")
)
FORM_FEATURES = np.array([form.features for form in FORMS], np.int64)
"""[forms] the fields of `FORMS`."""
BOMB, ROCKET = form_number("bomb"), form_number("rocket", 2)
CHAINABLE = (1 << ACE + 1) - 1
"""The ranks that may be part of a chain."""
_MOST_KICKERS = int(KICKERS.max())
_JOKERS = 1 << BLACK_JOKER | 1 << RED_JOKER


@njit
def add_each(ranks, first, out, n):
    """Append `first` + r for every rank r of the mask."""
    if out is None:
        return n + popcount(ranks)
    while ranks:
        out[n] = first + lowest_bit(ranks)
        n += 1
        ranks &= ranks - 1
    return n


@njit
def runs(ranks, length):
    """Return the mask of ranks from which on `length` consecutive ranks are in the mask and may be chained."""
    ranks &= CHAINABLE
    for _ in range(length - 1):
        ranks &= ranks >> 1
    return ranks


@njit
def beside(ranks, start, length):
    """Return a mask of ranks in terms of those beside `length` main ones from `start` on, closed up."""
    lower = (1 << start) - 1
    return (ranks & lower) | (ranks >> length & ~lower)


@njit
def add_sets(one, two, three, four, apart, row, size, first, out, n):
    """Append `first` plus the number of every set of `size` (at least two) kickers.

    The masks of reduced ranks tell of which ranks there may be one, two, three or four kickers; `apart` is the bit of a
    rank that excludes the rank below it; `row` is the first index of `BELOW`. Sets are built from the highest kicker down.
    """
    untried = np.empty(_MOST_KICKERS + 2, np.int64)
    numbers = np.empty(_MOST_KICKERS + 2, np.int64)
    chosen = np.zeros(_MOST_KICKERS + 2, np.int64)
    equal = np.empty(_MOST_KICKERS + 2, np.int64)
    place = size
    untried[place], numbers[place] = one, first
    while place <= size:
        left = untried[place]
        if left == 0:
            place += 1
            continue
        bit = left & -left
        untried[place] = left ^ bit
        again = equal[place + 1] + 1 if chosen[place + 1] == bit else 1
        more = two if again == 1 else three if again == 2 else four if again == 3 else 0
        rest = (one & (bit - 1) & ~((bit & apart) >> 1)) | (more & bit)
        number = numbers[place] + BELOW[row, lowest_bit(bit), place]
        if place == 2:
            n = add_each(rest, number, out, n)
        else:
            chosen[place], equal[place] = bit, again
            place -= 1
            untried[place], numbers[place] = rest, number
    return n


@njit
def add_with_solos(forbidden, held, form, start, out, n):
    """Append the moves of a form with single kickers that start at a rank."""
    length, size = LENGTH[form], KICKERS[form]
    first = FIRST[form] + start * SETS[form]
    one = beside(held[0], start, length)
    if size == 1:
        return add_each(one, first, out, n)
    two = three = four = 0
    if not forbidden & grammar.TWO_EQUAL:
        two = beside(held[1], start, length)
    if size > 2 and not forbidden & grammar.THREE_EQUAL:
        three = beside(held[2], start, length)
        if forbidden & grammar.BESIDE_TRIOS:
            twos = three & 1 << start if start + length == TWO else 0
            three = three & ~(3 << start >> 1) | twos
        if forbidden & grammar.TWOS_BESIDE_ACES and start + length == TWO:
            three &= ~(1 << start)
        if not forbidden & grammar.FOUR_EQUAL:
            four = three & beside(held[3], start, length)
    apart = 0
    if forbidden & grammar.TWO_JOKERS or (size == 2 and forbidden & grammar.ONLY_JOKERS):
        apart = 1 << RED_JOKER >> length
    return add_sets(one, two, three, four, apart, length, size, first, out, n)


@njit
def add_with_pairs(forbidden, held, form, start, out, n):
    """Append the moves of a form with pair kickers that start at a rank."""
    length = LENGTH[form]
    first = FIRST[form] + start * SETS[form]
    one = beside(held[1], start, length)
    if KICKERS[form] == 1:
        return add_each(one, first, out, n)
    two = 0 if forbidden & grammar.EQUAL_PAIRS else beside(held[3], start, length)
    return add_sets(one, two, 0, 0, 0, 0, KICKERS[form], first, out, n)


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
    n = 0
    for family in range(len(FAMILIES)):
        form, end = FAMILIES[family]
        if form == ROCKET:
            n = add_rocket(held, out, n)
            continue
        if FORM_FEATURES[form] & forbidden:
            continue
        starts = starts_of(held, form)
        while starts and form < end:
            n = add_form(forbidden, held, form, starts, out, n)
            starts &= starts >> 1
            form += 1
    return n


@njit
def follow_moves(rules, hand, last, out):
    """Write the ids of all moves from a hand that beat the move with the id `last` and return how many there are."""
    place = np.int64(PLACES[last])
    form, rank = place >> 4, place & 15
    if form == ROCKET:
        return 0
    held = rank_masks(hand)
    higher = starts_of(held, form) & -(2 << rank)
    n = 0
    if form <= ROCKET:
        n = add_form(rules.forbidden, held, form, higher, out, n)
    if form != BOMB:
        n = add_each(held[3], FIRST[BOMB], out, n)
    n = add_rocket(held, out, n)
    if form > ROCKET:
        n = add_form(rules.forbidden, held, form, higher, out, n)
    return n


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
