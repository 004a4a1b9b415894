"""What a hand is worth by recursive partitioning: what its groups are worth in the order in which it leads them.

A hand's value is a sum of group values and a number of turns; a turn costs `TURN` points. What is led leaves the rest
that scores best, which is split the same way. Values of rests are kept in a table, and those still missing on a stack.
Groups that the rules forbid are neither led nor seen as one.

A value is one number, `POINTS` times the sum plus the turns, so values add. `rules` is a record of type `DOUDIZHU_RULES`.
Source: recursive hand-card partitioning, an article by sm9sun, as coded for paper 004 (see `rhcp`).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames.doudizhu.cards import BLACK_JOKER, JOKERS, NUM_RANKS, comes_first, count_of, rank_masks
from cardgames.doudizhu.moves.move_generation import MOST_MOVES, NO_MOVE, lead_moves
from cardgames.doudizhu.moves.move_table import CARDS, FEATURES, FIRST, FORMS, PLACES, SOLOS, Form
from cardgames.doudizhu.moves.move_types import BOMB, COPIES, KICKERS, KIND, QUAD_PAIRS, QUAD_SOLOS, ROCKET, SOLO
from cardgames.doudizhu.rules.grammar import EQUAL_PAIRS, TWO_EQUAL
from cardgames.kernels.bits import lowest_bit
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import mix

TURN = 7
"""What a turn costs, in the points of group values."""
POINTS = 64
"""A hand's value is this times its sum, plus its turns."""
EQUAL = TWO_EQUAL | EQUAL_PAIRS
"""The features of moves with kickers of one rank, which are never considered."""
_NORMAL = (1 << BLACK_JOKER) - 1


def _group_value(form: Form, start: int) -> int:
    """Return what a group is worth, from its form and lowest main rank (3 is rank 0)."""
    top = start + form.length - 1
    if form.name in ("solo chain", "pair chain"):
        return top - 6
    if form.name in ("trio chain", "plane+solos", "plane+pairs"):
        return (top + 1) // 2
    special = {"quad+solos": top // 2, "quad+pairs": top // 2, "bomb": top + 7, "rocket": 20}
    return special.get(form.name, top - 7)


VALUE = np.array([[POINTS * _group_value(form, start) + 1 for start in range(NUM_RANKS)] for form in FORMS], np.int64)
"""[forms, ranks] what a group of that form and lowest main rank is worth, its turn included."""


class Desk(NamedTuple):
    """What is known of hands so far, and room to work."""

    hands: NDArray[np.uint64]
    """A hash table of hands, 0 where it is empty; its length is a power of two."""
    values: NDArray[np.int64]
    used: NDArray[np.int64]
    """[1] how many hands the table has."""
    ids: NDArray[np.int32]
    stack: NDArray[np.uint64]


@njit
def new_desk(rules, hand):
    """Return a desk with room for a hand and all that is left when some of it is played."""
    hands, values, used = np.zeros(1 << 11, np.uint64), np.empty(1 << 11, np.int64), np.zeros(1, np.int64)
    ids = np.empty(MOST_MOVES, np.int32)
    # a hand of 20 cards asks for at most 20 rests in a row, each of them for no more rests than the hand has leads
    stack = np.empty(22 * (lead_moves(rules, hand, ids) + 2), np.uint64)
    return Desk(hands, values, used, ids, stack)


@njit
def slot_of(desk, hand):
    """Return where a hand is, or would be, in the table."""
    last = len(desk.hands) - 1
    slot = np.int64(mix(hand)) & last
    while desk.hands[slot] != hand and desk.hands[slot] != 0:
        slot = (slot + 1) & last
    return slot


@njit
def is_known(desk, hand):
    """Return whether the value of a hand is known."""
    return hand == 0 or desk.hands[slot_of(desk, hand)] == hand


@njit
def value_of(desk, hand):
    """Return the value of a hand that is known."""
    return np.int64(0) if hand == 0 else desk.values[slot_of(desk, hand)]


@njit
def note(desk, hand, value):
    """Enter the value of a hand. Returns the desk, with a larger table when half of it is full."""
    slot = slot_of(desk, hand)
    desk.hands[slot], desk.values[slot] = hand, value
    desk.used[0] += 1
    if 2 * desk.used[0] <= len(desk.hands):
        return desk
    size = 2 * len(desk.hands)
    larger = Desk(np.zeros(size, np.uint64), np.empty(size, np.int64), desk.used, desk.ids, desk.stack)
    for i in range(len(desk.hands)):
        if desk.hands[i]:
            slot = slot_of(larger, desk.hands[i])
            larger.hands[slot], larger.values[slot] = desk.hands[i], desk.values[i]
    return larger


@njit
def score(value):
    """Return a value in points: its sum less what its turns cost."""
    return (value // POINTS) - TURN * (value % POINTS)


@njit
def all_of(hand, ids):
    """Return the move that plays all of a hand as one group, if that is not four of a kind with kickers; or `NO_MOVE`."""
    for action in ids:
        form = PLACES[action] >> 4
        if CARDS[action] == hand and not FEATURES[action] & EQUAL and form != QUAD_SOLOS and form != QUAD_PAIRS:
            return np.int64(action)
    return NO_MOVE


@njit
def carries_kickers(hand, action):
    """Return whether a move is a trio or a plane with kickers as it would be led: from exactly three of its lowest rank."""
    form, start = PLACES[action] >> 4, PLACES[action] & 15
    kickers = KICKERS[form]
    if kickers == 0 or COPIES[form] != 3 or kickers > (4 if KIND[form] == SOLOS else 3):
        return False
    return not FEATURES[action] & EQUAL and count_of(hand, start) == 3


@njit
def considered_later(action, other):
    """Return whether a lead is considered after another: by lowest main rank, by form, by kickers as in a dictionary."""
    if other == NO_MOVE:
        return True
    place, other_place = np.int64(PLACES[action]), np.int64(PLACES[other])
    if place & 15 != other_place & 15:
        return place & 15 > other_place & 15
    return place > other_place or (place == other_place and comes_first(CARDS[other], CARDS[action]))


@njit
def ask(desk, hand, top):
    """Put a hand on the stack, whose height is `top`, unless its value is known. Returns the new height."""
    if not is_known(desk, hand):
        desk.stack[top] = hand
        top += 1
    return top


@njit
def candidates(hand, ids):
    """Move what may be led to the front of all moves of a hand; return how many there are.

    Trios and planes with kickers are considered before all; else what is made of the lowest rank that is no bomb.
    """
    kept = 0
    for action in ids:
        if carries_kickers(hand, action):
            ids[kept] = action
            kept += 1
    if kept:
        return kept
    one, _, _, four = rank_masks(hand)
    lowest = lowest_bit(one & ~four & _NORMAL)
    for action in ids:
        if PLACES[action] & 15 == lowest and KICKERS[PLACES[action] >> 4] == 0:
            ids[kept] = action
            kept += 1
    return kept


@njit
def best_rest(desk, hand, ids, top):
    """Return that of the moves `ids` which leaves the best rest (`NO_MOVE` of none), and the height of the stack.

    Rests that are not yet known are put on the stack.
    """
    best, chosen = -25 - 21 * TURN, NO_MOVE
    for action in ids:
        rest = hand - CARDS[action]
        slot = slot_of(desk, rest)
        if desk.hands[slot] != rest:
            desk.stack[top] = rest
            top += 1
            continue
        points = score(desk.values[slot])
        if points > best or (points == best and considered_later(action, chosen)):
            best, chosen = points, np.int64(action)
    return chosen, top


@njit
def lead_from(desk, hand, ids, top):
    """Return the move to lead from a hand, and the height of the stack: the move stands if no rest was put there.

    `ids` are all moves of the hand, and are overwritten.
    """
    whole = all_of(hand, ids)
    if whole != NO_MOVE:
        return whole, top
    jokers = hand & JOKERS
    if jokers == JOKERS:
        asked = ask(desk, hand - JOKERS, top)
        if asked > top:
            return NO_MOVE, asked
        if value_of(desk, hand - JOKERS) % POINTS == 1:
            return FIRST[ROCKET], top
    ids = ids[: candidates(hand, ids)]
    chosen, asked = best_rest(desk, hand, ids, top)
    if len(ids) == 0:
        chosen = FIRST[BOMB] + (lowest_bit(hand) >> 2)
        if jokers and jokers != JOKERS:
            chosen = FIRST[SOLO] + (lowest_bit(jokers) >> 2)
    return chosen, asked


@njit
def study(rules, desk, top):
    """Find the values of the hands on the stack, which is `top` high, and of every rest they take. Returns the desk."""
    while top > 0:
        hand = desk.stack[top - 1]
        if is_known(desk, hand):
            top -= 1
            continue
        ids = desk.ids[: lead_moves(rules, hand, desk.ids)]
        action, asked = lead_from(desk, hand, ids, top)
        if asked == top:
            asked = ask(desk, hand - CARDS[action], top)
        if asked > top:
            top = asked
            continue
        worth = VALUE[PLACES[action] >> 4, PLACES[action] & 15]
        desk = note(desk, hand, worth + value_of(desk, hand - CARDS[action]))
    return desk


@njit
def hand_value(rules, hand):
    """Return the sum of a hand's group values and its number of turns."""
    desk = new_desk(rules, hand)
    value = value_of(study(rules, desk, ask(desk, hand, 0)), hand)
    return value // POINTS, value % POINTS
