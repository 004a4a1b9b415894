"""Table of the fewest groups a hand splits into without chains, by the hand's shape.

A group around one rank (with or without kickers) does not depend on which rank it is. So without chains only the *shape*
of a hand matters: the number of ranks of which it has one, two, three and four cards, and whether it has both jokers.
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
"""Upper bound on the cards of a hand, hence on its groups."""
FIRST_CHAIN, AFTER_CHAINS = (
    int(FORM_FIRST_IDS[form_index("solo chain", 5)]),
    int(FORM_FIRST_IDS[form_index("quad+solos")]),
)
"""First id of the chains (solo, pair and trio chains, planes), and one past their last id."""
ONES, TWOS, THREES, FOURS = 15, 11, 7, 6
"""One more than the largest number of ranks of which 20 cards can have one (at most one joker), two, three and four."""
SHAPES = 2 * FOURS * THREES * TWOS * ONES
"""Number of shapes."""


@njit
def shape(hand):
    """Return the number of a hand's shape, below `SHAPES`.

    A single joker counts like any other rank; both jokers count separately.
    """
    one, two, three, four, rocket = exact_rank_sets_and_rocket(hand)
    number = ((rocket * FOURS + popcount(four)) * THREES + popcount(three)) * TWOS + popcount(two)
    return number * ONES + popcount(one)


@njit
def _fill_fewest_groups(table, hands, moves):
    """Fill in the fewest groups of each of the hands (fewest cards first), using only `moves` (as hands) as groups."""
    for hand in hands:
        best = np.int64(MAX_HAND_SIZE)
        for move in moves:
            if holds(hand, move):
                best = min(best, np.int64(1 + table[shape(hand - move)]))
        table[shape(hand)] = best


def _hands_of_all_shapes() -> NDArray[np.uint64]:
    """Return one hand of each shape of up to 20 cards, fewest cards first."""
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
    """Return the table for a set of forbidden features."""
    ids = np.arange(FIRST_MOVE, len(MOVE_CARDS))
    around_one_rank = (ids < FIRST_CHAIN) | (ids >= AFTER_CHAINS)
    moves = MOVE_CARDS[ids[around_one_rank & (MOVE_FEATURES[ids] & forbidden == 0)]]
    table = np.zeros(SHAPES, np.uint8)
    _fill_fewest_groups(table, _hands_of_all_shapes(), moves)
    table.flags.writeable = False
    return table


def shape_table(rules: Any) -> NDArray[np.uint8]:
    """Return the fewest groups without chains of each shape under these rules, [SHAPES] uint8."""
    return _table(int(rules.forbidden))
