"""The fewest groups of a hand without chains, looked up by its shape.

A group around one rank (a kicker more or less) does not care which rank that is. So if there are to be no chains, all
that counts is of how many ranks a hand has one, two, three and four cards, and whether it has both jokers: its shape.
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
"""The most cards, hence groups, that anybody holds."""
FIRST_CHAIN, AFTER_CHAINS = (
    int(FORM_FIRST_IDS[form_index("solo chain", 5)]),
    int(FORM_FIRST_IDS[form_index("quad+solos")]),
)
"""The ids of the chains (solo, pair and trio chains, planes) begin and end here."""
ONES, TWOS, THREES, FOURS = 15, 11, 7, 6
"""One more than the ranks of which 20 cards may hold one (without a second joker), two, three and four."""
SHAPES = 2 * FOURS * THREES * TWOS * ONES


@njit
def shape(hand):
    """Return the number of a hand's shape, below `SHAPES`: a single joker counts as any rank, the two of them apart."""
    one, two, three, four, rocket = exact_rank_sets_and_rocket(hand)
    number = ((rocket * FOURS + popcount(four)) * THREES + popcount(three)) * TWOS + popcount(two)
    return number * ONES + popcount(one)


@njit
def _fill_fewest_groups(table, hands, moves):
    """Enter the fewest groups of each of the hands, fewer cards first, when the only groups are `moves` (as hands)."""
    for hand in hands:
        best = np.int64(MAX_HAND_SIZE)
        for move in moves:
            if holds(hand, move):
                best = min(best, np.int64(1 + table[shape(hand - move)]))
        table[shape(hand)] = best


def _hands_of_all_shapes() -> NDArray[np.uint64]:
    """Return a hand of every shape there is, of up to 20 cards, fewest cards first."""
    sized_hands = []
    for both, four, three, two, one in product(range(2), range(FOURS), range(THREES), range(TWOS), range(ONES)):
        copies = [4] * four + [3] * three + [2] * two + [1] * one
        normal = len(copies) if both or one == 0 else len(copies) - 1
        cards = sum(copies) + 2 * both
        if normal <= BLACK_JOKER and 0 < cards <= MAX_HAND_SIZE:
            hand = sum(copy << 4 * rank for rank, copy in enumerate(copies)) + both * (0x11 << 4 * BLACK_JOKER)
            sized_hands.append((cards, hand))
    return np.array([hand for _, hand in sorted(sized_hands)], np.uint64)


@functools.cache
def _table(forbidden: int) -> NDArray[np.uint8]:
    ids = np.arange(FIRST_MOVE, len(MOVE_CARDS))
    around_one_rank = (ids < FIRST_CHAIN) | (ids >= AFTER_CHAINS)
    moves = MOVE_CARDS[ids[around_one_rank & (MOVE_FEATURES[ids] & forbidden == 0)]]
    table = np.zeros(SHAPES, np.uint8)
    _fill_fewest_groups(table, _hands_of_all_shapes(), moves)
    table.flags.writeable = False
    return table


def shape_table(rules: Any) -> NDArray[np.uint8]:
    """Return [SHAPES] the fewest groups without chains of a hand of each shape under these rules."""
    return _table(int(rules.forbidden))
