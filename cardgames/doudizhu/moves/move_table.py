"""Every move there is under the most liberal grammar, each with an action id that means the same under all rules.

Moves that beat each other are of one *form*: alike in category, length and kind of kickers. The ids of a form are one
block, by its lowest main rank, then by its kickers. A set of kickers is numbered among all sets of that size over the
*reduced* ranks (those beside the main cards, closed up), in ascending order of its hand word; that number is a sum over
its kickers (`BELOW`). Rule sets differ in the features they forbid, never in ids.
"""

from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames.core.rules import RuleSet
from cardgames.doudizhu.cards import ACE, BLACK_JOKER, NUM_RANKS, TWO
from cardgames.doudizhu.rules import grammar
from cardgames.support.errors import InvalidInput

PASS, BID = 0, 1
"""The ids of a pass and of the bid 1; those of the bids 2 and 3 follow."""
CALL, ROB, DOUBLE, SUPER = range(4, 8)
"""The ids of what else is said before the play: to call, to rob, to double, to quadruple."""
FIRST_MOVE = 16
"""Ids below belong to the auction."""

NO_KICKERS, SOLOS, PAIRS = range(3)
"""Kinds of kickers; also how many cards each of them has."""
_MOST_KICKERS = 10
_NORMAL_RANKS = 13
_HELD_AT_MOST = 20


class Form(NamedTuple):
    """Moves that beat each other: `copies` cards of each of `length` consecutive ranks, and `kickers` of a `kind`."""

    name: str
    copies: int
    length: int
    kind: int
    kickers: int

    @property
    def size(self) -> int:
        """How many cards such a move has."""
        return self.copies * self.length + self.kind * self.kickers

    @property
    def starts(self) -> range:
        """The ranks its lowest main card may have."""
        if self.name == "solo":
            return range(NUM_RANKS)
        if self.name == "rocket":
            return range(BLACK_JOKER, NUM_RANKS - 1)
        return range(TWO + 1 if self.length == 1 else ACE + 2 - self.length)

    @property
    def sets(self) -> int:
        """How many sets of kickers there are beside one main part."""
        if self.kind == NO_KICKERS:
            return 1
        if self.kind == PAIRS:
            return int(BELOW[0, _NORMAL_RANKS - self.length, self.kickers])
        return int(BELOW[self.length, NUM_RANKS - self.length, self.kickers])

    @property
    def features(self) -> int:
        """The features all its moves have."""
        features = grammar.OVERSIZE if self.size > _HELD_AT_MOST else 0
        if self.kickers > 1:
            features |= grammar.QUAD_KICKERS if self.copies == 4 else grammar.PLANE_KICKERS
        return features


def _count_below() -> NDArray[np.int64]:
    below = np.zeros((_MOST_KICKERS + 1, NUM_RANKS + 1, _MOST_KICKERS + 1), np.int64)
    below[:, 0, 0] = 1
    for length in range(_MOST_KICKERS + 1):
        for rank in range(NUM_RANKS):
            most = 2 if length == 0 else 4 if rank < _NORMAL_RANKS - length else 1
            for copies in range(most + 1):
                below[length, rank + 1, copies:] += below[length, rank, : _MOST_KICKERS + 1 - copies]
    return below


BELOW = _count_below()
"""[length, rank, k] how many sets of k single kickers of reduced ranks below `rank` there are beside `length` main ranks;
length 0: of k pairs. The number of a set is the sum of `BELOW[length, rank of its j-th lowest kicker, j]`, j from 1.
"""


def _forms() -> list[Form]:
    """Return every form in the order of ids; those of more than 20 cards, which nobody can hold, come last."""
    chains = [
        Form(name, copies, length, kind, length if kind else 0)
        for name, copies, shortest, longest, kind in [
            ("solo chain", 1, 5, 12, NO_KICKERS),
            ("pair chain", 2, 3, 12, NO_KICKERS),
            ("trio chain", 3, 2, 12, NO_KICKERS),
            ("plane+solos", 3, 2, 10, SOLOS),
            ("plane+pairs", 3, 2, 8, PAIRS),
        ]
        for length in range(shortest, longest + 1)
    ]
    return [
        Form("solo", 1, 1, NO_KICKERS, 0),
        Form("pair", 2, 1, NO_KICKERS, 0),
        Form("trio", 3, 1, NO_KICKERS, 0),
        Form("trio+solo", 3, 1, SOLOS, 1),
        Form("trio+pair", 3, 1, PAIRS, 1),
        *(form for form in chains if form.size <= _HELD_AT_MOST),
        Form("quad+solos", 4, 1, SOLOS, 2),
        Form("quad+pairs", 4, 1, PAIRS, 2),
        Form("bomb", 4, 1, NO_KICKERS, 0),
        Form("rocket", 1, 2, NO_KICKERS, 0),
        *(form for form in chains if form.size > _HELD_AT_MOST),
    ]


FORMS = _forms()
"""Every form, in the order of ids."""
SETS = np.array([form.sets for form in FORMS], np.int64)
"""[forms] how many ids lie between two moves that differ in the lowest main rank alone."""
_SIZES = SETS * [len(form.starts) for form in FORMS]
FIRST = FIRST_MOVE + np.cumsum(_SIZES) - _SIZES
"""[forms] the id of each form's first move."""
NUM_ACTIONS = int(FIRST[-1] + _SIZES[-1])
"""One more than the highest id."""
NUM_HELD = int(FIRST[next(i for i, form in enumerate(FORMS) if form.size > _HELD_AT_MOST)])
"""One more than the highest id of a move that somebody can hold."""


def form_number(name: str, length: int = 1) -> int:
    """Return the position in `FORMS` of the form of that name and length."""
    return next(i for i, form in enumerate(FORMS) if (form.name, form.length) == (name, length))


def _first_of_equal(chosen: NDArray[np.int64], count: int) -> NDArray[np.bool_]:
    """Return which kickers (ranks [sets, kickers], ascending) are the first of `count` of one rank."""
    return np.asarray(chosen[:, : max(0, chosen.shape[1] + 1 - count)] == chosen[:, count - 1 :])


def _kicker_sets(form: Form) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Return the sets of kickers of a form in the order of ids: their reduced ranks [sets, kickers], and as hands."""
    normal = _NORMAL_RANKS - form.length
    ranks = range(normal if form.kind == PAIRS else normal + 2)
    chosen = np.array(list(combinations_with_replacement(ranks, form.kickers)), np.int64)
    twins = _first_of_equal(chosen, 2)
    too_many = _first_of_equal(chosen, 3 if form.kind == PAIRS else 5).any(1)
    chosen = chosen[~too_many & ~(twins & (chosen[:, : twins.shape[1]] >= normal)).any(1)]
    words = (np.uint64(form.kind) << (4 * chosen).astype(np.uint64)).sum(1, dtype=np.uint64)
    order = np.argsort(words)
    return chosen[order], words[order]


def _kicker_features(form: Form, chosen: NDArray[np.int64]) -> NDArray[np.uint16]:
    features = np.full(len(chosen), form.features, np.uint16)
    if form.kind == PAIRS:
        features[_first_of_equal(chosen, 2).any(1)] |= grammar.EQUAL_PAIRS
    elif form.kind == SOLOS:
        for count, feature in [(2, grammar.TWO_EQUAL), (3, grammar.THREE_EQUAL), (4, grammar.FOUR_EQUAL)]:
            features[_first_of_equal(chosen, count).any(1)] |= feature
        jokers = (chosen >= _NORMAL_RANKS - form.length).sum(1) == 2
        features[jokers] |= grammar.TWO_JOKERS | (grammar.ONLY_JOKERS if form.kickers == 2 else 0)
    return features


def _threes(chosen: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return masks of the reduced ranks of which there are three or more kickers."""
    three = _first_of_equal(chosen, 3)
    return np.asarray(np.bitwise_or.reduce(three << chosen[:, : three.shape[1]], axis=1))


def _adjoining(form: Form, start: int, threes: NDArray[np.int64]) -> NDArray[np.uint16]:
    """Return the features of three equal kickers next to the main ranks from `start` on."""
    below = (threes >> (start - 1)) & 1 if start > 0 else np.zeros_like(threes)
    above = (threes >> start) & 1
    twos = above if start + form.length == TWO else np.zeros_like(above)
    return np.asarray(grammar.BESIDE_TRIOS * (below | (above & ~twos)) | grammar.TWOS_BESIDE_ACES * twos, np.uint16)


class Table(NamedTuple):
    """What each id stands for; rows below `FIRST_MOVE` are zero."""

    cards: NDArray[np.uint64]
    """[NUM_ACTIONS] its cards as a hand."""
    main: NDArray[np.uint64]
    """[NUM_ACTIONS] the same without kickers."""
    features: NDArray[np.uint16]
    """[NUM_ACTIONS] its features (`rules.grammar`)."""
    places: NDArray[np.uint16]
    """[NUM_ACTIONS] 16 times the number of its form plus its lowest main rank."""


def _table() -> Table:
    cards, main = np.zeros((2, NUM_ACTIONS), np.uint64)
    features, places = np.zeros((2, NUM_ACTIONS), np.uint16)
    for number, form in enumerate(FORMS):
        chosen, words = _kicker_sets(form)
        kicker_features, threes = _kicker_features(form, chosen), _threes(chosen)
        one = sum(form.copies << 4 * rank for rank in range(form.length))
        for start in form.starts:
            at = FIRST[number] + (start - form.starts.start) * SETS[number]
            rows = slice(at, at + SETS[number])
            lower = np.uint64((1 << 4 * start) - 1)
            main[rows] = one << 4 * start
            cards[rows] = main[rows] | words & lower | (words & ~lower) << np.uint64(4 * form.length)
            features[rows] = kicker_features | _adjoining(form, start, threes)
            places[rows] = number << 4 | start
    return Table(cards, main, features, places)


TABLE = _table()
"""All moves, those that nobody can hold included."""
CARDS, FEATURES, PLACES = TABLE.cards[:NUM_HELD], TABLE.features[:NUM_HELD], TABLE.places[:NUM_HELD]
"""[NUM_HELD] the columns of `TABLE` for kernels, which know only moves that somebody can hold."""


class Move(NamedTuple):
    """A move by itself, for people and for tables."""

    action: int
    form: Form
    rank: int
    """The lowest main rank, by which moves of one form compare."""
    main: int
    """The main cards as a hand."""
    cards: int
    """All its cards as a hand."""

    @property
    def kickers(self) -> int:
        """The kickers as a hand."""
        return self.cards - self.main


def move_of(action: int) -> Move:
    """Return the move with the id `action`. Raises `InvalidInput` if there is none."""
    if not FIRST_MOVE <= action < NUM_ACTIONS:
        raise InvalidInput(f"{action} is not the id of a move: they go from {FIRST_MOVE} to {NUM_ACTIONS - 1}")
    number, rank = divmod(int(TABLE.places[action]), 16)
    return Move(action, FORMS[number], rank, int(TABLE.main[action]), int(TABLE.cards[action]))


def moves_under(rules: RuleSet) -> NDArray[np.int64]:
    """Return the ids of all moves of a rule set, ascending; a card set of two readings counts twice."""
    allowed = TABLE.features & grammar.forbidden_features(rules) == 0
    allowed[:FIRST_MOVE] = False
    return np.flatnonzero(allowed)


def actions_under(rules: RuleSet) -> int:
    """Return one more than the highest id of a move of a rule set."""
    return int(moves_under(rules)[-1]) + 1
