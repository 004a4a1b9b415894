"""Tests of the move table: published counts, one id per reading, and agreement with the slow referee."""

from collections import Counter

import numpy as np
import pytest

from cardgames.core.rules import RuleSet
from cardgames.doudizhu import rules
from cardgames.doudizhu.cards import card_count, hand_to_text
from cardgames.doudizhu.moves.move_table import (
    FIRST_MOVE,
    FORM_FIRST_IDS,
    FORM_KICKER_SETS,
    FORMS,
    KICKER_SETS_BELOW,
    MOVE_TABLE,
    NUM_ACTIONS,
    NUM_HOLDABLE_ACTIONS,
    PASS,
    action_space_size,
    allowed_moves,
    form_index,
    move_from_id,
)
from cardgames.doudizhu.rules import BOOK, CLASSIC, CQL, ONLINE, JokerKickers, SizeCap
from cardgames.support.errors import InvalidInput
from tests.doudizhu.hand_helpers import reading_of
from tests.referees import doudizhu as naive

COUNTS = {
    # preset: moves, distinct card sets, moves of at most 17 cards
    "classic": (12_654, 12_654, 9_938),
    "cql": (13_526, 13_526, 10_362),
    "rlcard": (27_471, 27_471, 15_935),
    "openspiel": (26_053, 25_661, 13_929),
    "douzero": (30_383, 29_984, 16_723),
    "online": (34_152, 33_675, 17_900),
}
WITHOUT_KICKERS = {
    "solo": 15,
    "pair": 13,
    "trio": 13,
    "trio+solo": 182,
    "trio+pair": 156,
    "solo chain": 36,
    "pair chain": 52,
    "trio chain": 45,
    "bomb": 13,
    "rocket": 1,
}
"""Forms that have the same moves in every preset."""
WITH_KICKERS = {
    # preset: planes of 2 to 5 with solos, of 2 to 4 with pairs, quads with solos, quads with pairs
    "classic": ((847, 2_100, 2_646, 1_568), (605, 1_200, 1_134), 1_170, 858),
    "cql": ((847, 2_200, 2_970, 2_016), (605, 1_200, 1_134), 1_170, 858),
    "rlcard": ((968, 3_282, 7_184, 10_388), (605, 1_200, 1_134), 1_326, 858),
    "openspiel": ((968, 3_300, 7_344, 10_976), (605, 1_200, 1_134), 0, 0),
    "douzero": ((979, 3_400, 7_830, 12_512), (605, 1_200, 1_134), 1_339, 858),
    "online": ((979, 3_400, 7_830, 12_512), (726, 2_100, 3_726), 1_339, 1_014),
}


def count_by_form(rules: RuleSet) -> Counter[tuple[str, int]]:
    """Return the number of moves of each form name and length."""
    forms = (FORMS[int(form_rank) >> 4] for form_rank in MOVE_TABLE.form_ranks[allowed_moves(rules)])
    return Counter((form.name, form.length) for form in forms)


@pytest.mark.parametrize("preset", BOOK.presets)
def test_number_of_moves_of_each_preset(preset: str) -> None:
    ids = allowed_moves(BOOK.preset(preset))
    sizes = np.array([card_count(cards) for cards in MOVE_TABLE.cards[ids]])
    assert (len(ids), len(set(MOVE_TABLE.cards[ids])), (sizes <= 17).sum()) == COUNTS[preset]
    assert sizes.max() == 20


@pytest.mark.parametrize("preset", BOOK.presets)
def test_number_of_moves_of_each_form_and_preset(preset: str) -> None:
    counts_by_form = count_by_form(BOOK.preset(preset))
    totals = Counter[str]()
    for (name, _), count in counts_by_form.items():
        totals[name] += count
    assert {name: totals[name] for name in WITHOUT_KICKERS} == WITHOUT_KICKERS
    solos, pairs, quad_solos, quad_pairs = WITH_KICKERS[preset]
    assert tuple(counts_by_form["plane+solos", length] for length in range(2, 6)) == solos
    assert tuple(counts_by_form["plane+pairs", length] for length in range(2, 5)) == pairs
    assert (totals["quad+solos"], totals["quad+pairs"]) == (quad_solos, quad_pairs)
    assert sum(totals.values()) == COUNTS[preset][0]


@pytest.mark.parametrize(
    ("changed", "count"),
    [
        (CLASSIC | JokerKickers("allowed"), 13_550),
        (CLASSIC | SizeCap("none"), 13_530),
        (CQL | SizeCap("none"), 14_683),
        (CLASSIC | JokerKickers("allowed") | SizeCap("none"), 14_707),
    ],
    ids=str,
)
def test_published_counts_of_modified_presets(changed: RuleSet, count: int) -> None:
    assert len(allowed_moves(changed)) == count


def test_number_of_ambiguous_card_sets_under_liberal_rules() -> None:
    """468 card sets form more than one move, 9 of them three."""
    readings_per_hand = Counter(int(cards) for cards in MOVE_TABLE.cards[allowed_moves(ONLINE)])
    assert Counter(readings_per_hand.values()) == {1: 33_675 - 468, 2: 459, 3: 9}


def test_readings_of_all_card_sets_match_referee() -> None:
    liberal = (ONLINE | SizeCap("none")).to_dict()
    counts_by_form: dict[str, list[naive.Reading]] = {}
    for action in range(FIRST_MOVE, NUM_ACTIONS):
        counts_by_form.setdefault(hand_to_text(MOVE_TABLE.cards[action]), []).append(reading_of(action))
    checked = [cards for i, cards in enumerate(counts_by_form) if len(cards) <= 20 or i % 8 == 0]
    for cards in checked:
        expected = counts_by_form[cards]
        assert sorted(naive.readings(cards, liberal)) == sorted(expected), cards


@pytest.mark.parametrize("preset", BOOK.presets)
def test_allowed_moves_match_referee_under_presets(preset: str) -> None:
    chosen = BOOK.preset(preset)
    allowed = set(allowed_moves(chosen))
    for action in range(FIRST_MOVE, NUM_HOLDABLE_ACTIONS, 3):
        read = naive.readings(hand_to_text(MOVE_TABLE.cards[action]), chosen.to_dict())
        assert (reading_of(action) in read) == (action in allowed), reading_of(action)


def test_ids_of_a_form_ascend_by_rank_then_kickers() -> None:
    for number, form in enumerate(FORMS):
        ids = range(
            int(FORM_FIRST_IDS[number]), int(FORM_FIRST_IDS[number] + FORM_KICKER_SETS[number] * len(form.starts))
        )
        moves = [move_from_id(action) for action in (ids if len(ids) < 2_000 else ids[:2_000])]
        assert moves == sorted(moves, key=lambda move: (move.rank, move.kickers))
        assert {move.form for move in moves} == {form}


def test_id_is_a_sum_over_the_kickers() -> None:
    """333444555+678: the reduced ranks of the kickers are 0, 1 and 2."""
    number = form_index("plane+solos", 3)
    action = int(
        FORM_FIRST_IDS[number]
        + sum(KICKER_SETS_BELOW[3, rank, form_rank] for rank, form_rank in [(0, 1), (1, 2), (2, 3)])
    )
    assert reading_of(action) == ("plane+solos", "333444555", "678")


def test_moves_over_20_cards_come_last() -> None:
    sizes = [move_from_id(action).form.size for action in range(FIRST_MOVE, NUM_ACTIONS)]
    assert all(size <= 20 for size in sizes[: NUM_HOLDABLE_ACTIONS - FIRST_MOVE])
    assert all(size > 20 for size in sizes[NUM_HOLDABLE_ACTIONS - FIRST_MOVE :])
    assert action_space_size(ONLINE) == NUM_HOLDABLE_ACTIONS == 34_168
    assert action_space_size(ONLINE | SizeCap("none")) == NUM_ACTIONS


def test_form_size_matches_its_moves() -> None:
    for form, first_id in zip(FORMS, FORM_FIRST_IDS, strict=True):
        assert form.size == card_count(MOVE_TABLE.cards[first_id])


@pytest.mark.parametrize("action", [PASS, 3, FIRST_MOVE - 1, NUM_ACTIONS, -1])
def test_move_from_id_of_non_move_raises(action: int) -> None:
    with pytest.raises(InvalidInput, match="is not the id of a move"):
        move_from_id(action)


def test_kernel_rules_hold_forbidden_features() -> None:
    assert rules.kernel_rules(ONLINE).forbidden == rules.move_restrictions.OVERSIZE
    assert rules.kernel_rules(CLASSIC).dtype == rules.DOUDIZHU_RULES
