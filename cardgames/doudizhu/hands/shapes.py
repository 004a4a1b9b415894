"""Table of the minimum number of groups (moves) that a hand splits into without chains, by the hand's shape.

A group around one rank (with or without kickers) does not depend on which rank it is. So without chains only the
*shape* of a hand matters: how many ranks have one, two, three and four cards, and whether it has both jokers.
"""

import functools
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames.doudizhu.cards import BLACK_JOKER, exact_rank_sets_and_rocket, holds
from cardgames.doudizhu.moves.move_table import FIRST_MOVE, FORM_FIRST_IDS, MOVE_CARDS, MOVE_FEATURES, form_index
from cardgames.kernels.bits import popcount
from cardgames.kernels.jit import njit

MAX_HAND_SIZE = 20
"""Upper bound on the number of cards of a hand, and so on the number of groups it splits into."""
FIRST_CHAIN, AFTER_CHAINS = (
    int(FORM_FIRST_IDS[form_index("solo chain", 5)]),
    int(FORM_FIRST_IDS[form_index("quad+solos")]),
)
"""First action id of the chains (solo, pair and trio chains, planes), and one past their last action id."""
ONES, TWOS, THREES, FOURS = 15, 11, 7, 6
"""Bounds for shape indices: one more than the most ranks that can have exactly one, two, three and four cards in a hand.

A hand has at most 20 cards; at most one joker counts among its single cards.
"""
SHAPES = 2 * FOURS * THREES * TWOS * ONES
"""Number of shape indices, the length of a shape table."""


@njit
def shape(hand):
    """Return the index (0 to `SHAPES` - 1) of a hand's shape.

    The shape says how many ranks have exactly one, two, three and four cards, and whether the hand has both jokers. A
    single joker counts like any other rank.
    """
    one, two, three, four, rocket = exact_rank_sets_and_rocket(hand)
    number = ((rocket * FOURS + popcount(four)) * THREES + popcount(three)) * TWOS + popcount(two)
    return number * ONES + popcount(one)


@njit
def _fill_fewest_groups(table, hands, moves):
    """Write to `table`, at the shape of each of `hands`, the minimum number of groups that the hand splits into.

    Only `moves` (each as a hand) are used as groups. `hands` must be in ascending order of their number of cards.
    """
    for hand in hands:
        best = np.int64(MAX_HAND_SIZE)
        for move in moves:
            if holds(hand, move):
                best = min(best, np.int64(1 + table[shape(hand - move)]))
        table[shape(hand)] = best


def _hands_of_all_shapes() -> NDArray[np.uint64]:
    """Return one hand of each shape with 1 to 20 cards, in ascending order of the number of cards, [hands] uint64."""
    sized_hands = []
    for has_rocket, four, three, two, one in product(range(2), range(FOURS), range(THREES), range(TWOS), range(ONES)):
        copies = [4] * four + [3] * three + [2] * two + [1] * one
        normal = len(copies) if has_rocket or one == 0 else len(copies) - 1
        cards = sum(copies) + 2 * has_rocket
        if normal <= BLACK_JOKER and 0 < cards <= MAX_HAND_SIZE:
            hand = sum(copy << 4 * rank for rank, copy in enumerate(copies)) + has_rocket * (0x11 << 4 * BLACK_JOKER)
            sized_hands.append((cards, hand))
    return np.array([hand for _, hand in sorted(sized_hands)], np.uint64)


@functools.cache
def _table(forbidden: int) -> NDArray[np.uint8]:
    """Compute the table of minimum group numbers, [SHAPES] uint8, for moves without the features in the mask `forbidden`."""
    ids = np.arange(FIRST_MOVE, len(MOVE_CARDS))
    around_one_rank = (ids < FIRST_CHAIN) | (ids >= AFTER_CHAINS)
    moves = MOVE_CARDS[ids[around_one_rank & (MOVE_FEATURES[ids] & forbidden == 0)]]
    table = np.zeros(SHAPES, np.uint8)
    _fill_fewest_groups(table, _hands_of_all_shapes(), moves)
    table.flags.writeable = False
    return table


def shape_table(rules: Any) -> NDArray[np.uint8]:
    """Return the minimum number of groups (moves that are not chains) of each hand shape under `rules`, [SHAPES] uint8."""
    return _table(int(rules.forbidden))
