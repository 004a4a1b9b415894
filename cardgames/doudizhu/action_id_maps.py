"""Our action ids in the words of RLCard 1.2 and OpenSpiel, worked out from the orders in which they list their moves."""

import functools
from collections import Counter

import numpy as np
from numpy.typing import NDArray

from cardgames.doudizhu.cards import BLACK_JOKER, ranks_of
from cardgames.doudizhu.moves.move_table import BID, FORMS, NUM_HELD, PASS, TABLE, Move, move_of, moves_under
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
    theirs = np.full(NUM_HELD, -1)
    theirs[ours] = np.arange(len(ours))
    return theirs


@functools.cache
def from_rlcard() -> NDArray[np.int64]:
    """Return [27472] our id of each of RLCard's."""
    moves = [move_of(int(action)) for action in moves_under(RLCARD)]
    moves.sort(key=lambda move: (FORMS.index(move.form), _rlcard_order(move)))
    return np.array([*(move.action for move in moves), PASS])


@functools.cache
def to_rlcard() -> NDArray[np.int64]:
    """Return [NUM_HELD] RLCard's id of each of ours, -1 where it has none."""
    return _inverse(from_rlcard())


@functools.cache
def from_openspiel() -> NDArray[np.int64]:
    """Return [26057] our id of each of OpenSpiel's; its ids of a pass and of bids are ours."""
    ids = moves_under(OPENSPIEL)
    position = np.array([_OPENSPIEL_FORMS.index(form.name) if form.name in _OPENSPIEL_FORMS else -1 for form in FORMS])
    return np.concatenate(
        [[PASS, BID, BID + 1, BID + 2], ids[np.argsort(position[TABLE.places[ids] >> 4], kind="stable")]]
    )


@functools.cache
def to_openspiel() -> NDArray[np.int64]:
    """Return [NUM_HELD] OpenSpiel's id of each of ours, -1 where it has none."""
    return _inverse(from_openspiel())
