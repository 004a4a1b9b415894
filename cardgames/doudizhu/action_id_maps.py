"""Our action ids in the words of RLCard 1.2 and OpenSpiel, worked out from the orders in which they list their moves."""

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
    """Return what RLCard sorts the kickers of a form's moves by: mostly like words, but for planes of three or more."""
    kickers = ranks_of(move.kickers)
    if move.form.name == "plane+solos" and move.form.length == 3:
        # all different, then three equal, then a pair and another by the pair
        by_count = [rank for rank, _ in Counter(kickers).most_common()]
        return (move.rank, (3, 1, 2).index(len(by_count)), by_count)
    if move.form.name == "plane+solos" and move.form.length > 3:
        return (move.rank, kickers[-1] < BLACK_JOKER, kickers)
    return (move.rank, kickers)


def _inverse(ours: NDArray[np.int64]) -> NDArray[np.int64]:
    theirs = np.full(NUM_HOLDABLE_ACTIONS, -1)
    theirs[ours] = np.arange(len(ours))
    return theirs


@functools.cache
def ids_from_rlcard() -> NDArray[np.int64]:
    """Return [27472] our id of each of RLCard's."""
    moves = [move_from_id(int(action)) for action in allowed_moves(RLCARD)]
    moves.sort(key=lambda move: (FORMS.index(move.form), _rlcard_order(move)))
    return np.array([*(move.action for move in moves), PASS])


@functools.cache
def ids_to_rlcard() -> NDArray[np.int64]:
    """Return [NUM_HELD] RLCard's id of each of ours, -1 where it has none."""
    return _inverse(ids_from_rlcard())


@functools.cache
def ids_from_openspiel() -> NDArray[np.int64]:
    """Return [26057] our id of each of OpenSpiel's; its ids of a pass and of bids are ours."""
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
    """Return [NUM_HELD] OpenSpiel's id of each of ours, -1 where it has none."""
    return _inverse(ids_from_openspiel())
