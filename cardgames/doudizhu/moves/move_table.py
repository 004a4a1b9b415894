"""Table of all moves under the most liberal rules, with their action ids; an id means the same move under all rules.

A *form* is a class of moves that can beat each other: same combination type, length and kind of kickers. The ids of a
form are consecutive, sorted by lowest main rank, then by kickers. The *reduced* ranks of kickers are the ranks without
the main ranks of the move, renumbered without gaps. The index of a set of kickers is its position among all sets of the
same size over the reduced ranks, in ascending order of the set as a hand (uint64). The index is a sum with one term per
kicker (`KICKER_SETS_BELOW`). Rule sets differ in the features they forbid (`rules.move_restrictions`), never in ids.
"""

from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames.core.rules import RuleSet
from cardgames.doudizhu.cards import ACE, BLACK_JOKER, NUM_RANKS, TWO
from cardgames.doudizhu.rules import move_restrictions
from cardgames.support.errors import InvalidInput

PASS, FIRST_BID = 0, 1
"""Action ids of a pass and of the bid 1; the bids 2 and 3 follow."""
CALL, ROB, DOUBLE, SUPER_DOUBLE = range(4, 8)
"""Action ids of the auction by calling and robbing (call, rob), and of stake doubling (double, quadruple)."""
FIRST_MOVE = 16
"""Lowest action id of a move; the ids below it are for a pass, the auction and doubling."""

NO_KICKERS, SOLOS, PAIRS = range(3)
"""Kinds of kickers; the value is also the number of cards of one kicker."""
_MAX_KICKERS = 10
_NORMAL_RANKS = 13
MAX_HAND_SIZE = 20


class Form(NamedTuple):
    """Class of moves that can beat each other, such as all pairs or all solo chains of 5 cards.

    A move of the form has main cards, `copies` of each of `length` consecutive ranks, and `num_kickers` kickers. The
    value of `kicker_kind` is `NO_KICKERS`, `SOLOS` or `PAIRS`.
    """

    name: str
    copies: int
    length: int
    kicker_kind: int
    num_kickers: int

    @property
    def size(self) -> int:
        """Number of cards of each move of the form, kickers included."""
        return self.copies * self.length + self.kicker_kind * self.num_kickers

    @property
    def starts(self) -> range:
        """Range of the ranks that can be the lowest main rank of a move of the form."""
        if self.name == "solo":
            return range(NUM_RANKS)
        if self.name == "rocket":
            return range(BLACK_JOKER, NUM_RANKS - 1)
        return range(TWO + 1 if self.length == 1 else ACE + 2 - self.length)

    @property
    def kicker_sets(self) -> int:
        """Number of different kicker sets that moves of the form with the same main cards can have."""
        if self.kicker_kind == NO_KICKERS:
            return 1
        if self.kicker_kind == PAIRS:
            return int(KICKER_SETS_BELOW[0, _NORMAL_RANKS - self.length, self.num_kickers])
        return int(KICKER_SETS_BELOW[self.length, NUM_RANKS - self.length, self.num_kickers])

    @property
    def features(self) -> int:
        """Bit mask of the features (`rules.move_restrictions`) that all moves of the form have."""
        features = move_restrictions.OVERSIZE if self.size > MAX_HAND_SIZE else 0
        if self.num_kickers > 1:
            features |= move_restrictions.QUAD_KICKERS if self.copies == 4 else move_restrictions.PLANE_KICKERS
        elif self.num_kickers == 1:
            features |= move_restrictions.TRIO_SOLO if self.kicker_kind == SOLOS else move_restrictions.TRIO_PAIR
        return features


def _count_kicker_sets_below() -> NDArray[np.int64]:
    """Compute the array `KICKER_SETS_BELOW`, numbers of kicker sets by number of main ranks, rank bound and size."""
    below = np.zeros((_MAX_KICKERS + 1, NUM_RANKS + 1, _MAX_KICKERS + 1), np.int64)
    below[:, 0, 0] = 1
    for length in range(_MAX_KICKERS + 1):
        for rank in range(NUM_RANKS):
            max_copies = 2 if length == 0 else 4 if rank < _NORMAL_RANKS - length else 1
            for copies in range(max_copies + 1):
                below[length, rank + 1, copies:] += below[length, rank, : _MAX_KICKERS + 1 - copies]
    return below


KICKER_SETS_BELOW = _count_kicker_sets_below()
"""[11, 16, 11] numbers of kicker sets: element [length, rank, k] counts the sets of k single kickers below a reduced rank.

`length` is the number of main ranks, and all kickers of a counted set have reduced ranks below `rank`. Length 0 stands
for sets of k pairs. The index of a set is the sum over its kickers of `KICKER_SETS_BELOW[length, r, j]`, where r is the
reduced rank of the j-th lowest kicker (j from 1).
"""


def _build_forms() -> list[Form]:
    """Return all forms in ascending order of their move ids. Forms of more than 20 cards (in no hand) come last."""
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
"""All forms (combination types with a length), in ascending order of their move ids."""
FORM_KICKER_SETS = np.array([form.kicker_sets for form in FORMS], np.int64)
"""[forms] number of kicker sets of each form.

It is also the difference of the ids of two moves with the same kicker set whose lowest main ranks differ by one.
"""
_SIZES = FORM_KICKER_SETS * [len(form.starts) for form in FORMS]
FORM_FIRST_IDS = FIRST_MOVE + np.cumsum(_SIZES) - _SIZES
"""[forms] action id of each form's first move: lowest main rank, kicker set of index 0."""
NUM_ACTIONS = int(FORM_FIRST_IDS[-1] + _SIZES[-1])
"""One more than the highest action id."""
NUM_HOLDABLE_ACTIONS = int(FORM_FIRST_IDS[next(i for i, form in enumerate(FORMS) if form.size > MAX_HAND_SIZE)])
"""One more than the highest id of a move that a hand can hold (at most 20 cards)."""


def form_index(name: str, length: int = 1) -> int:
    """Return the index in `FORMS` of the form with the given name and number of main ranks."""
    return next(i for i, form in enumerate(FORMS) if (form.name, form.length) == (name, length))


def _first_of_equal(kicker_ranks: NDArray[np.int64], count: int) -> NDArray[np.bool_]:
    """Return a bool array that is True where a kicker and the following `count` - 1 kickers of its set have the same rank.

    Args:
        kicker_ranks: [sets, kickers] reduced ranks, ascending in each row.
        count: Number of equal kickers.

    Returns:
        [sets, max(0, kickers - count + 1)] bool.
    """
    return np.asarray(kicker_ranks[:, : max(0, kicker_ranks.shape[1] + 1 - count)] == kicker_ranks[:, count - 1 :])


def _kicker_sets(form: Form) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Return all kicker sets of a form in ascending order of index, under the most liberal rules.

    Returns:
        Reduced ranks of the kickers, [sets, kickers] int64, and the same kickers as hands over reduced ranks, [sets]
        uint64.
    """
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
    """Return the feature bit mask (`rules.move_restrictions`) of a form's moves for each of its kicker sets, [sets] uint16.

    Features that depend on the main ranks are not included. `kicker_ranks` [sets, kickers] are the reduced ranks.
    """
    features = np.full(len(kicker_ranks), form.features, np.uint16)
    if form.kicker_kind == PAIRS:
        features[_first_of_equal(kicker_ranks, 2).any(1)] |= move_restrictions.EQUAL_PAIRS
    elif form.kicker_kind == SOLOS:
        for count, feature in [
            (2, move_restrictions.TWO_EQUAL),
            (3, move_restrictions.THREE_EQUAL),
            (4, move_restrictions.FOUR_EQUAL),
        ]:
            features[_first_of_equal(kicker_ranks, count).any(1)] |= feature
        jokers = (kicker_ranks >= _NORMAL_RANKS - form.length).sum(1) == 2
        features[jokers] |= move_restrictions.TWO_JOKERS | (
            move_restrictions.ONLY_JOKERS if form.num_kickers == 2 else 0
        )
    return features


def _triple_kicker_masks(kicker_ranks: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for each kicker set the mask of the reduced ranks that occur three or more times in it, [sets] int64."""
    three = _first_of_equal(kicker_ranks, 3)
    return np.asarray(np.bitwise_or.reduce(three << kicker_ranks[:, : three.shape[1]], axis=1))


def _adjoining_features(form: Form, start: int, threes: NDArray[np.int64]) -> NDArray[np.uint16]:
    """Return the features of a form's moves that have three equal kickers of a rank next to the main ranks, [sets] uint16.

    `start` is the lowest main rank, and `threes` are the masks of `_triple_kicker_masks`, one per kicker set.
    """
    below = (threes >> (start - 1)) & 1 if start > 0 else np.zeros_like(threes)
    above = (threes >> start) & 1
    twos = above if start + form.length == TWO else np.zeros_like(above)
    return np.asarray(
        move_restrictions.NEXT_TO_PLANE * (below | (above & ~twos)) | move_restrictions.TWOS_NEXT_TO_ACES * twos,
        np.uint16,
    )


class MoveTable(NamedTuple):
    """Arrays with the cards, features and form of each move, indexed by action id; elements below `FIRST_MOVE` are zero."""

    cards: NDArray[np.uint64]
    """[NUM_ACTIONS] all cards of the move, as a hand."""
    main: NDArray[np.uint64]
    """[NUM_ACTIONS] cards of the move without its kickers, as a hand."""
    features: NDArray[np.uint16]
    """[NUM_ACTIONS] bit mask of the move's features (`rules.move_restrictions`)."""
    form_ranks: NDArray[np.uint16]
    """[NUM_ACTIONS] 16 times the index in `FORMS` of the move's form, plus the move's lowest main rank."""


def _build_move_table() -> MoveTable:
    """Compute the table of all moves under the most liberal rules."""
    cards, main = np.zeros((2, NUM_ACTIONS), np.uint64)
    features, form_ranks = np.zeros((2, NUM_ACTIONS), np.uint16)
    for form_number, form in enumerate(FORMS):
        kicker_ranks, kicker_hands = _kicker_sets(form)
        kicker_features, threes = _kicker_features(form, kicker_ranks), _triple_kicker_masks(kicker_ranks)
        main_at_zero = sum(form.copies << 4 * rank for rank in range(form.length))
        for start in form.starts:
            first_row = FORM_FIRST_IDS[form_number] + (start - form.starts.start) * FORM_KICKER_SETS[form_number]
            rows = slice(first_row, first_row + FORM_KICKER_SETS[form_number])
            lower = np.uint64((1 << 4 * start) - 1)
            main[rows] = main_at_zero << 4 * start
            cards[rows] = main[rows] | kicker_hands & lower | (kicker_hands & ~lower) << np.uint64(4 * form.length)
            features[rows] = kicker_features | _adjoining_features(form, start, threes)
            form_ranks[rows] = form_number << 4 | start
    return MoveTable(cards, main, features, form_ranks)


MOVE_TABLE = _build_move_table()
"""Table of all moves under the most liberal rules, including moves of more than 20 cards, which no hand can hold."""
MOVE_CARDS, MOVE_FEATURES, MOVE_FORM_RANKS = (
    MOVE_TABLE.cards[:NUM_HOLDABLE_ACTIONS],
    MOVE_TABLE.features[:NUM_HOLDABLE_ACTIONS],
    MOVE_TABLE.form_ranks[:NUM_HOLDABLE_ACTIONS],
)
"""[NUM_HOLDABLE_ACTIONS] arrays of `MOVE_TABLE`, cut to the moves that a hand can hold, for use in kernels."""


class Move(NamedTuple):
    """One move as a Python object: its action id, form, rank and cards."""

    action: int
    form: Form
    rank: int
    """Lowest main rank (0 to 14); of two moves of the same form, the one with the higher rank beats the other."""
    main: int
    """Main cards of the move (its cards without the kickers), as a hand."""
    cards: int
    """All cards of the move, as a hand."""

    @property
    def kickers(self) -> int:
        """Kickers of the move, as a hand; 0 if it has none."""
        return self.cards - self.main


def move_from_id(action: int) -> Move:
    """Return the move with the id `action`. Raises `InvalidInput` if no move has that id."""
    if not FIRST_MOVE <= action < NUM_ACTIONS:
        raise InvalidInput(f"{action} is not the id of a move: ids of moves are {FIRST_MOVE} to {NUM_ACTIONS - 1}")
    number, rank = divmod(int(MOVE_TABLE.form_ranks[action]), 16)
    return Move(action, FORMS[number], rank, int(MOVE_TABLE.main[action]), int(MOVE_TABLE.cards[action]))


def allowed_moves(rules: RuleSet) -> NDArray[np.int64]:
    """Return the ids of all moves that a rule set allows, ascending. Cards that can be read as two moves have two ids."""
    allowed = MOVE_TABLE.features & move_restrictions.forbidden_features(rules) == 0
    allowed[:FIRST_MOVE] = False
    return np.flatnonzero(allowed)


def action_space_size(rules: RuleSet) -> int:
    """Return one more than the highest id of a move that a rule set allows."""
    return int(allowed_moves(rules)[-1]) + 1
