"""Every move there is under the most liberal grammar, each with an action id that means the same under all rules.

Moves that beat each other are of one *form*: alike in category, length and kind of kickers. The ids of a form are one
block, by its lowest main rank, then by its kickers. A set of kickers is numbered among all sets of that size over the
*reduced* ranks (those beside the main cards, closed up), in ascending order of its hand word; that number is a sum over
its kickers (`KICKER_SETS_BELOW`). Rule sets differ in the features they forbid, never in ids.
"""

from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames.core.rules import RuleSet
from cardgames.doudizhu.cards import ACE, BLACK_JOKER, NUM_RANKS, TWO
from cardgames.doudizhu.rules import grammar
from cardgames.support.errors import InvalidInput

PASS, FIRST_BID = 0, 1
"""The ids of a pass and of the bid 1; those of the bids 2 and 3 follow."""
CALL, ROB, DOUBLE, SUPER_DOUBLE = range(4, 8)
"""The ids of what else is said before the play: to call, to rob, to double, to quadruple."""
FIRST_MOVE = 16
"""Ids below belong to the auction."""

NO_KICKERS, SOLOS, PAIRS = range(3)
"""Kinds of kickers; also how many cards each of them has."""
_MAX_KICKERS = 10
_NORMAL_RANKS = 13
MAX_HAND_SIZE = 20


class Form(NamedTuple):
    """Moves that beat each other: `copies` cards of each of `length` consecutive ranks, and `num_kickers` of a `kicker_kind`."""

    name: str
    copies: int
    length: int
    kicker_kind: int
    num_kickers: int

    @property
    def size(self) -> int:
        """How many cards such a move has."""
        return self.copies * self.length + self.kicker_kind * self.num_kickers

    @property
    def starts(self) -> range:
        """The ranks its lowest main card may have."""
        if self.name == "solo":
            return range(NUM_RANKS)
        if self.name == "rocket":
            return range(BLACK_JOKER, NUM_RANKS - 1)
        return range(TWO + 1 if self.length == 1 else ACE + 2 - self.length)

    @property
    def kicker_sets(self) -> int:
        """How many sets of kickers there are beside one main part."""
        if self.kicker_kind == NO_KICKERS:
            return 1
        if self.kicker_kind == PAIRS:
            return int(KICKER_SETS_BELOW[0, _NORMAL_RANKS - self.length, self.num_kickers])
        return int(KICKER_SETS_BELOW[self.length, NUM_RANKS - self.length, self.num_kickers])

    @property
    def features(self) -> int:
        """The features all its moves have."""
        features = grammar.OVERSIZE if self.size > MAX_HAND_SIZE else 0
        if self.num_kickers > 1:
            features |= grammar.QUAD_KICKERS if self.copies == 4 else grammar.PLANE_KICKERS
        return features


def _count_kicker_sets_below() -> NDArray[np.int64]:
    below = np.zeros((_MAX_KICKERS + 1, NUM_RANKS + 1, _MAX_KICKERS + 1), np.int64)
    below[:, 0, 0] = 1
    for length in range(_MAX_KICKERS + 1):
        for rank in range(NUM_RANKS):
            most = 2 if length == 0 else 4 if rank < _NORMAL_RANKS - length else 1
            for copies in range(most + 1):
                below[length, rank + 1, copies:] += below[length, rank, : _MAX_KICKERS + 1 - copies]
    return below


KICKER_SETS_BELOW = _count_kicker_sets_below()
"""[length, rank, k] how many sets of k single kickers of reduced ranks below `rank` there are beside `length` main ranks;
length 0: of k pairs. The number of a set is the sum of `BELOW[length, rank of its j-th lowest kicker, j]`, j from 1.
"""


def _build_forms() -> list[Form]:
    """Return every form in the order of ids; those of more than 20 cards, which nobody can hold, come last."""
    chains = [
        Form(name, copies, length, kicker_kind, length if kicker_kind else 0)
        for name, copies, shortest, longest, kicker_kind in [
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
        *(form for form in chains if form.size <= MAX_HAND_SIZE),
        Form("quad+solos", 4, 1, SOLOS, 2),
        Form("quad+pairs", 4, 1, PAIRS, 2),
        Form("bomb", 4, 1, NO_KICKERS, 0),
        Form("rocket", 1, 2, NO_KICKERS, 0),
        *(form for form in chains if form.size > MAX_HAND_SIZE),
    ]


FORMS = _build_forms()
"""Every form, in the order of ids."""
FORM_KICKER_SETS = np.array([form.kicker_sets for form in FORMS], np.int64)
"""[forms] how many ids lie between two moves that differ in the lowest main rank alone."""
_SIZES = FORM_KICKER_SETS * [len(form.starts) for form in FORMS]
FORM_FIRST_IDS = FIRST_MOVE + np.cumsum(_SIZES) - _SIZES
"""[forms] the id of each form's first move."""
NUM_ACTIONS = int(FORM_FIRST_IDS[-1] + _SIZES[-1])
"""One more than the highest id."""
NUM_HOLDABLE_ACTIONS = int(FORM_FIRST_IDS[next(i for i, form in enumerate(FORMS) if form.size > MAX_HAND_SIZE)])
"""One more than the highest id of a move that somebody can hold."""


def form_index(name: str, length: int = 1) -> int:
    """Return the position in `FORMS` of the form of that name and length."""
    return next(i for i, form in enumerate(FORMS) if (form.name, form.length) == (name, length))


def _first_of_equal(kicker_ranks: NDArray[np.int64], count: int) -> NDArray[np.bool_]:
    """Return which kickers (ranks [sets, kickers], ascending) are the first of `count` of one rank."""
    return np.asarray(kicker_ranks[:, : max(0, kicker_ranks.shape[1] + 1 - count)] == kicker_ranks[:, count - 1 :])


def _kicker_sets(form: Form) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Return the sets of kickers of a form in the order of ids: their reduced ranks [sets, kickers], and as hands."""
    normal = _NORMAL_RANKS - form.length
    ranks = range(normal if form.kicker_kind == PAIRS else normal + 2)
    kicker_ranks = np.array(list(combinations_with_replacement(ranks, form.num_kickers)), np.int64)
    is_pair = _first_of_equal(kicker_ranks, 2)
    too_many = _first_of_equal(kicker_ranks, 3 if form.kicker_kind == PAIRS else 5).any(1)
    kicker_ranks = kicker_ranks[~too_many & ~(is_pair & (kicker_ranks[:, : is_pair.shape[1]] >= normal)).any(1)]
    kicker_hands = (np.uint64(form.kicker_kind) << (4 * kicker_ranks).astype(np.uint64)).sum(1, dtype=np.uint64)
    order = np.argsort(kicker_hands)
    return kicker_ranks[order], kicker_hands[order]


def _kicker_features(form: Form, kicker_ranks: NDArray[np.int64]) -> NDArray[np.uint16]:
    features = np.full(len(kicker_ranks), form.features, np.uint16)
    if form.kicker_kind == PAIRS:
        features[_first_of_equal(kicker_ranks, 2).any(1)] |= grammar.EQUAL_PAIRS
    elif form.kicker_kind == SOLOS:
        for count, feature in [(2, grammar.TWO_EQUAL), (3, grammar.THREE_EQUAL), (4, grammar.FOUR_EQUAL)]:
            features[_first_of_equal(kicker_ranks, count).any(1)] |= feature
        jokers = (kicker_ranks >= _NORMAL_RANKS - form.length).sum(1) == 2
        features[jokers] |= grammar.TWO_JOKERS | (grammar.ONLY_JOKERS if form.num_kickers == 2 else 0)
    return features


def _triple_kicker_masks(kicker_ranks: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return masks of the reduced ranks of which there are three or more kickers."""
    three = _first_of_equal(kicker_ranks, 3)
    return np.asarray(np.bitwise_or.reduce(three << kicker_ranks[:, : three.shape[1]], axis=1))


def _adjoining_features(form: Form, start: int, threes: NDArray[np.int64]) -> NDArray[np.uint16]:
    """Return the features of three equal kickers next to the main ranks from `start` on."""
    below = (threes >> (start - 1)) & 1 if start > 0 else np.zeros_like(threes)
    above = (threes >> start) & 1
    twos = above if start + form.length == TWO else np.zeros_like(above)
    return np.asarray(grammar.NEXT_TO_PLANE * (below | (above & ~twos)) | grammar.TWOS_NEXT_TO_ACES * twos, np.uint16)


class MoveTable(NamedTuple):
    """What each id stands for; rows below `FIRST_MOVE` are zero."""

    cards: NDArray[np.uint64]
    """[NUM_ACTIONS] its cards as a hand."""
    main: NDArray[np.uint64]
    """[NUM_ACTIONS] the same without kickers."""
    features: NDArray[np.uint16]
    """[NUM_ACTIONS] its features (`rules.grammar`)."""
    form_ranks: NDArray[np.uint16]
    """[NUM_ACTIONS] 16 times the number of its form plus its lowest main rank."""


def _build_move_table() -> MoveTable:
    cards, main = np.zeros((2, NUM_ACTIONS), np.uint64)
    features, form_ranks = np.zeros((2, NUM_ACTIONS), np.uint16)
    for number, form in enumerate(FORMS):
        kicker_ranks, kicker_hands = _kicker_sets(form)
        kicker_features, threes = _kicker_features(form, kicker_ranks), _triple_kicker_masks(kicker_ranks)
        one = sum(form.copies << 4 * rank for rank in range(form.length))
        for start in form.starts:
            at = FORM_FIRST_IDS[number] + (start - form.starts.start) * FORM_KICKER_SETS[number]
            rows = slice(at, at + FORM_KICKER_SETS[number])
            lower = np.uint64((1 << 4 * start) - 1)
            main[rows] = one << 4 * start
            cards[rows] = main[rows] | kicker_hands & lower | (kicker_hands & ~lower) << np.uint64(4 * form.length)
            features[rows] = kicker_features | _adjoining_features(form, start, threes)
            form_ranks[rows] = number << 4 | start
    return MoveTable(cards, main, features, form_ranks)


MOVE_TABLE = _build_move_table()
"""All moves, those that nobody can hold included."""
MOVE_CARDS, MOVE_FEATURES, MOVE_FORM_RANKS = (
    MOVE_TABLE.cards[:NUM_HOLDABLE_ACTIONS],
    MOVE_TABLE.features[:NUM_HOLDABLE_ACTIONS],
    MOVE_TABLE.form_ranks[:NUM_HOLDABLE_ACTIONS],
)
"""[NUM_HELD] the columns of `MOVE_TABLE` for kernels, which know only moves that somebody can hold."""


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


def move_from_id(action: int) -> Move:
    """Return the move with the id `action`. Raises `InvalidInput` if there is none."""
    if not FIRST_MOVE <= action < NUM_ACTIONS:
        raise InvalidInput(f"{action} is not the id of a move: they go from {FIRST_MOVE} to {NUM_ACTIONS - 1}")
    number, rank = divmod(int(MOVE_TABLE.form_ranks[action]), 16)
    return Move(action, FORMS[number], rank, int(MOVE_TABLE.main[action]), int(MOVE_TABLE.cards[action]))


def allowed_moves(rules: RuleSet) -> NDArray[np.int64]:
    """Return the ids of all moves of a rule set, ascending; a card set of two readings counts twice."""
    allowed = MOVE_TABLE.features & grammar.forbidden_features(rules) == 0
    allowed[:FIRST_MOVE] = False
    return np.flatnonzero(allowed)


def action_space_size(rules: RuleSet) -> int:
    """Return one more than the highest id of a move of a rule set."""
    return int(allowed_moves(rules)[-1]) + 1
