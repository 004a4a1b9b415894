"""Maps between this package's action ids and those of RLCard 1.2 and OpenSpiel.

The maps are arrays, computed from the orders in which RLCard and OpenSpiel number their moves.
"""

import functools
from collections import Counter

import numpy as np
from numpy.typing import NDArray

from cardgames.doudizhu.cards import BLACK_JOKER, ranks_of
from cardgames.doudizhu.moves.move_table import (
    FIRST_BID,
    FORMS,
    MOVE_TABLE,
    NUM_HOLDABLE_ACTIONS,
    PASS,
    Move,
    allowed_moves,
    move_from_id,
)
from cardgames.doudizhu.rules import OPENSPIEL, RLCARD

_OPENSPIEL_FORMS = (
    *("solo", "solo chain", "pair", "pair chain", "trio", "trio+solo", "trio+pair"),
    *("trio chain", "plane+solos", "plane+pairs", "bomb", "rocket"),
)


def _rlcard_order(move: Move) -> tuple[object, ...]:
    """Return the sort key that puts all moves of one form (combination type and chain length) in RLCard's order.

    Moves are sorted by rank, then lexicographically by kickers. Planes with three or more single cards as kickers have
    their own order of kickers.
    """
    kickers = ranks_of(move.kickers)
    if move.form.name == "plane+solos" and move.form.length == 3:
        # all different, then three equal, then a pair and another by the pair
        by_count = [rank for rank, _ in Counter(kickers).most_common()]
        return (move.rank, (3, 1, 2).index(len(by_count)), by_count)
    if move.form.name == "plane+solos" and move.form.length > 3:
        return (move.rank, kickers[-1] < BLACK_JOKER, kickers)
    return (move.rank, kickers)


def _inverse(our_ids: NDArray[np.int64]) -> NDArray[np.int64]:
    """Invert an array `our_ids` that maps another library's action ids to this package's ids.

    Returns:
        [NUM_HOLDABLE_ACTIONS] int64: the other library's id at each id of this package, -1 if it has no such move.
    """
    their_ids = np.full(NUM_HOLDABLE_ACTIONS, -1)
    their_ids[our_ids] = np.arange(len(our_ids))
    return their_ids


@functools.cache
def ids_from_rlcard() -> NDArray[np.int64]:
    """Return the map from RLCard's action ids to this package's, [27472] int64."""
    moves = [move_from_id(int(action)) for action in allowed_moves(RLCARD)]
    moves.sort(key=lambda move: (FORMS.index(move.form), _rlcard_order(move)))
    return np.array([*(move.action for move in moves), PASS])


@functools.cache
def ids_to_rlcard() -> NDArray[np.int64]:
    """Return the map from this package's action ids to RLCard's, [NUM_HOLDABLE_ACTIONS] int64; -1 for moves RLCard lacks."""
    return _inverse(ids_from_rlcard())


@functools.cache
def ids_from_openspiel() -> NDArray[np.int64]:
    """Return the map from OpenSpiel's action ids to this package's, [26057] int64.

    Passes and bids have the same ids in OpenSpiel and in this package.
    """
    ids = allowed_moves(OPENSPIEL)
    position = np.array([_OPENSPIEL_FORMS.index(form.name) if form.name in _OPENSPIEL_FORMS else -1 for form in FORMS])
    return np.concatenate(
        [
            [PASS, FIRST_BID, FIRST_BID + 1, FIRST_BID + 2],
            ids[np.argsort(position[MOVE_TABLE.form_ranks[ids] >> 4], kind="stable")],
        ]
    )


@functools.cache
def ids_to_openspiel() -> NDArray[np.int64]:
    """Return the map from this package's action ids to OpenSpiel's, [NUM_HOLDABLE_ACTIONS] int64.

    Moves that OpenSpiel lacks map to -1.
    """
    return _inverse(ids_from_openspiel())
