"""Hand value by recursive partitioning: the hand is split greedily into the groups (moves) that it would lead in turn.

The value of a hand is the sum of its groups' points and the number of turns, where each turn costs `TURN_COST` points.
The hand leads the move that leaves the cards with the best score, and the cards left are split in the same way. Values
of hands are memoized; hands whose values are still needed are on a stack. Moves that the rules forbid are not used.

A value is stored as one integer, `VALUE_SCALE` times the sum of points plus the number of turns, so that values can be
added. `rules` is a record of type `DOUDIZHU_RULES`.
Source: recursive hand-card partitioning, an article by sm9sun, as coded for paper 004 (see `rhcp`).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames.doudizhu.cards import BLACK_JOKER, JOKERS, NUM_RANKS, precedes_lexicographically, rank_count, rank_masks
from cardgames.doudizhu.moves.move_forms import (
    BOMB,
    FORM_COPIES,
    FORM_KICKER_KIND,
    FORM_NUM_KICKERS,
    QUAD_PAIRS,
    QUAD_SOLOS,
    ROCKET,
    SOLO,
)
from cardgames.doudizhu.moves.move_generation import MAX_MOVES, NO_MOVE, lead_moves
from cardgames.doudizhu.moves.move_table import (
    FORM_FIRST_IDS,
    FORMS,
    MOVE_CARDS,
    MOVE_FEATURES,
    MOVE_FORM_RANKS,
    SOLOS,
    Form,
)
from cardgames.doudizhu.rules.move_restrictions import EQUAL_PAIRS, TWO_EQUAL
from cardgames.kernels.bits import lowest_bit
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import mix

TURN_COST = 7
"""Points that each turn costs in the score of a hand."""
VALUE_SCALE = 64
"""Factor of the points in a stored value: value = `VALUE_SCALE` * (sum of group points) + (number of turns)."""
EQUAL_KICKERS = TWO_EQUAL | EQUAL_PAIRS
"""Feature bits of moves with two kickers of the same rank; such moves are not led and not used as replies."""
_NORMAL = (1 << BLACK_JOKER) - 1


def _group_value(form: Form, start: int) -> int:
    """Return the points of a group (move) from its form and its lowest main rank `start` (3 is rank 0)."""
    top = start + form.length - 1
    if form.name in ("solo chain", "pair chain"):
        return top - 6
    if form.name in ("trio chain", "plane+solos", "plane+pairs"):
        return (top + 1) // 2
    special = {"quad+solos": top // 2, "quad+pairs": top // 2, "bomb": top + 7, "rocket": 20}
    return special.get(form.name, top - 7)


GROUP_VALUES = np.array(
    [[VALUE_SCALE * _group_value(form, start) + 1 for start in range(NUM_RANKS)] for form in FORMS], np.int64
)
"""[forms, ranks] stored value (`VALUE_SCALE` * points + 1 turn) of a group, by form index and lowest main rank."""


class Memo(NamedTuple):
    """Hash table from hands to their values, with work arrays for move ids (`ids`) and hands to evaluate (`stack`)."""

    hands: NDArray[np.uint64]
    """Keys of the hash table (hands), 0 for a free slot; the length is a power of two."""
    values: NDArray[np.int64]
    num_stored: NDArray[np.int64]
    """[1] number of hands stored in the hash table."""
    ids: NDArray[np.int32]
    stack: NDArray[np.uint64]


@njit
def new_memo(rules, hand):
    """Return an empty table of hand values, with a stack large enough for evaluating `hand`."""
    hands, values, num_stored = np.zeros(1 << 11, np.uint64), np.empty(1 << 11, np.int64), np.zeros(1, np.int64)
    ids = np.empty(MAX_MOVES, np.int32)
    # a hand of 20 cards has rests at most 20 levels deep, and each pushes no more rests than the hand has leads
    stack = np.empty(22 * (lead_moves(rules, hand, ids) + 2), np.uint64)
    return Memo(hands, values, num_stored, ids, stack)


@njit
def find_slot(memo, hand):
    """Return the index of a hand's slot in the hash table `memo`, or of the free slot where the hand is to be stored."""
    last = len(memo.hands) - 1
    slot = np.int64(mix(hand)) & last
    while memo.hands[slot] != hand and memo.hands[slot] != 0:
        slot = (slot + 1) & last
    return slot


@njit
def is_known(memo, hand):
    """Return whether the value of a hand is stored in `memo`; the empty hand always counts as stored."""
    return hand == 0 or memo.hands[find_slot(memo, hand)] == hand


@njit
def value_of(memo, hand):
    """Return the value of a hand that is stored in `memo`; 0 for the empty hand."""
    return np.int64(0) if hand == 0 else memo.values[find_slot(memo, hand)]


@njit
def store_value(memo, hand, value):
    """Store the value of a hand in the hash table `memo` and return the table.

    If it is more than half full, the returned table is a copy of twice the size.
    """
    slot = find_slot(memo, hand)
    memo.hands[slot], memo.values[slot] = hand, value
    memo.num_stored[0] += 1
    if 2 * memo.num_stored[0] <= len(memo.hands):
        return memo
    size = 2 * len(memo.hands)
    larger = Memo(np.zeros(size, np.uint64), np.empty(size, np.int64), memo.num_stored, memo.ids, memo.stack)
    for i in range(len(memo.hands)):
        if memo.hands[i]:
            slot = find_slot(larger, memo.hands[i])
            larger.hands[slot], larger.values[slot] = memo.hands[i], memo.values[i]
    return larger


@njit
def score(value):
    """Return the score of a stored hand value: its sum of points minus `TURN_COST` points per turn."""
    return (value // VALUE_SCALE) - TURN_COST * (value % VALUE_SCALE)


@njit
def single_group_move(hand, ids):
    """Return the id of the move among `ids` that plays the whole hand at once, or `NO_MOVE` if there is none.

    Four of a kind with kickers, and moves with equal kickers, do not count.
    """
    for action in ids:
        form = MOVE_FORM_RANKS[action] >> 4
        if (
            MOVE_CARDS[action] == hand
            and not MOVE_FEATURES[action] & EQUAL_KICKERS
            and form != QUAD_SOLOS
            and form != QUAD_PAIRS
        ):
            return np.int64(action)
    return NO_MOVE


@njit
def is_lead_with_kickers(hand, action):
    """Return whether a move is a trio or plane with kickers that the partition may lead from a hand.

    The hand must have exactly three cards of the move's lowest main rank, the kickers must be of different ranks, and
    there may be at most four single kickers or three pairs.
    """
    form, start = MOVE_FORM_RANKS[action] >> 4, MOVE_FORM_RANKS[action] & 15
    kickers = FORM_NUM_KICKERS[form]
    if kickers == 0 or FORM_COPIES[form] != 3 or kickers > (4 if FORM_KICKER_KIND[form] == SOLOS else 3):
        return False
    return not MOVE_FEATURES[action] & EQUAL_KICKERS and rank_count(hand, start) == 3


@njit
def is_considered_after(action, other):
    """Return whether the move `action` comes after the move `other` in the order in which leads are compared.

    The order is by lowest main rank, then by form index, then by kickers in lexicographic order. Any move comes after
    `NO_MOVE`. Of leads with equal scores, the last in this order is chosen.
    """
    if other == NO_MOVE:
        return True
    form_rank, other_form_rank = np.int64(MOVE_FORM_RANKS[action]), np.int64(MOVE_FORM_RANKS[other])
    if form_rank & 15 != other_form_rank & 15:
        return form_rank & 15 > other_form_rank & 15
    return form_rank > other_form_rank or (
        form_rank == other_form_rank and precedes_lexicographically(MOVE_CARDS[other], MOVE_CARDS[action])
    )


@njit
def push_unknown(memo, hand, top):
    """Push a hand on the stack of hands to evaluate, unless its value is stored already. Return the stack's new height.

    `top` is the height of the stack `memo.stack` before.
    """
    if not is_known(memo, hand):
        memo.stack[top] = hand
        top += 1
    return top


@njit
def select_leads(hand, ids):
    """Move the leads that the partition compares to the front of `ids` (all moves of the hand), and return their number.

    They are the trios and planes with kickers (`is_lead_with_kickers`). If there are none, they are the moves without
    kickers that start at the lowest rank that is not a bomb or a joker.
    """
    num_selected = 0
    for action in ids:
        if is_lead_with_kickers(hand, action):
            ids[num_selected] = action
            num_selected += 1
    if num_selected:
        return num_selected
    one, _, _, four = rank_masks(hand)
    lowest = lowest_bit(one & ~four & _NORMAL)
    for action in ids:
        if MOVE_FORM_RANKS[action] & 15 == lowest and FORM_NUM_KICKERS[MOVE_FORM_RANKS[action] >> 4] == 0:
            ids[num_selected] = action
            num_selected += 1
    return num_selected


@njit
def move_with_best_rest(memo, hand, ids, top):
    """Return the move of `ids` that leaves the cards with the best score, and the new height of the stack.

    The move is `NO_MOVE` if no move leaves cards with a known value. Cards left whose value is not stored in `memo` are
    pushed on the stack, which has height `top`.
    """
    best_score, chosen = -25 - 21 * TURN_COST, NO_MOVE
    for action in ids:
        rest = hand - MOVE_CARDS[action]
        slot = find_slot(memo, rest)
        if memo.hands[slot] != rest:
            memo.stack[top] = rest
            top += 1
            continue
        points = score(memo.values[slot])
        if points > best_score or (points == best_score and is_considered_after(action, chosen)):
            best_score, chosen = points, np.int64(action)
    return chosen, top


@njit
def choose_lead(memo, hand, ids, top):
    """Return the id of the move that the partition leads from a hand, and the new height of the stack.

    If values of cards left by a move are missing, they are pushed on the stack; then the move is not final, and the
    caller must evaluate the stack and call again.

    Args:
        memo: Table of hand values, with the stack of hands to evaluate.
        hand: The hand.
        ids: Ids of all moves of the hand; overwritten.
        top: Height of the stack.
    """
    final_move = single_group_move(hand, ids)
    if final_move != NO_MOVE:
        return final_move, top
    jokers = hand & JOKERS
    if jokers == JOKERS:
        new_top = push_unknown(memo, hand - JOKERS, top)
        if new_top > top:
            return NO_MOVE, new_top
        if value_of(memo, hand - JOKERS) % VALUE_SCALE == 1:
            return FORM_FIRST_IDS[ROCKET], top
    ids = ids[: select_leads(hand, ids)]
    chosen, new_top = move_with_best_rest(memo, hand, ids, top)
    if len(ids) == 0:
        chosen = FORM_FIRST_IDS[BOMB] + (lowest_bit(hand) >> 2)
        if jokers and jokers != JOKERS:
            chosen = FORM_FIRST_IDS[SOLO] + (lowest_bit(jokers) >> 2)
    return chosen, new_top


@njit
def evaluate_stack(rules, memo, top):
    """Compute and store the values of all hands on `memo.stack`, and of the hands that their values depend on.

    `top` is the height of the stack. Returns the table of values, which may be a larger copy of `memo`.
    """
    while top > 0:
        hand = memo.stack[top - 1]
        if is_known(memo, hand):
            top -= 1
            continue
        ids = memo.ids[: lead_moves(rules, hand, memo.ids)]
        action, new_top = choose_lead(memo, hand, ids, top)
        if new_top == top:
            new_top = push_unknown(memo, hand - MOVE_CARDS[action], top)
        if new_top > top:
            top = new_top
            continue
        group_value = GROUP_VALUES[MOVE_FORM_RANKS[action] >> 4, MOVE_FORM_RANKS[action] & 15]
        memo = store_value(memo, hand, group_value + value_of(memo, hand - MOVE_CARDS[action]))
    return memo


@njit
def partition_value(rules, hand):
    """Return the sum of the points of a hand's groups and the number of its turns, under recursive partitioning."""
    memo = new_memo(rules, hand)
    value = value_of(evaluate_stack(rules, memo, push_unknown(memo, hand, 0)), hand)
    return value // VALUE_SCALE, value % VALUE_SCALE
