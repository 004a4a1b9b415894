"""Tests of move generation: kernels list exactly the moves that the slow referee finds by trying every choice of cards."""

import random
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardgames.core.rules import RuleSet
from cardgames.doudizhu.cards import hand_from_text
from cardgames.doudizhu.moves import move_generation
from cardgames.doudizhu.moves.move_table import FIRST_MOVE, FORMS, NUM_HOLDABLE_ACTIONS, allowed_moves
from cardgames.doudizhu.rules import BOOK, ONLINE, kernel_rules
from tests.doudizhu.hand_helpers import DECK, PRESETS, any_hand, choose_rules, dense_hand, leads, reading_of, replies
from tests.referees import doudizhu as naive

FORMS_OF = move_generation.MOVE_FORM_RANKS >> 4
"""Index of the form of every id."""


def compare(rules: RuleSet, hand: str, chance: random.Random) -> list[int]:
    """Assert that kernels and referee agree on all leads of a hand and on replies to some moves; return the leads."""
    moves, expected = leads(rules, hand), naive.leads(hand, rules.to_dict())
    assert sorted(map(reading_of, moves)) == sorted(expected), hand
    assert all(a < b for a, b in pairwise(moves))
    record, packed = kernel_rules(rules), np.uint64(hand_from_text(hand))
    assert move_generation.lead_moves(record, packed, None) == len(moves)
    for last in sample_moves_to_beat(rules, moves, chance):
        beaten = reading_of(last)
        stronger = replies(rules, hand, last)
        assert stronger == [action for action in moves if naive.beats(reading_of(action), beaten)], (hand, beaten)
        assert move_generation.follow_moves(record, packed, last, None) == len(stronger)
        assert all(move_generation.beats(action, last) for action in stronger)
    sample = [*chance.sample(moves, min(5, len(moves))), *chance.sample(range(FIRST_MOVE, NUM_HOLDABLE_ACTIONS), 20)]
    for action in sample:
        assert move_generation.is_legal_move(record, packed, action) == (action in moves)
    return moves


def sample_moves_to_beat(rules: RuleSet, moves: list[int], chance: random.Random) -> list[int]:
    """Return some moves to beat: random ones, and lower ones of the same forms as some moves of the hand."""
    all_moves = allowed_moves(rules)
    all_moves = all_moves[all_moves < NUM_HOLDABLE_ACTIONS]
    moves_to_beat = [int(action) for action in chance.choices(all_moves, k=4)]
    for action in chance.sample(moves, min(8, len(moves))):
        same_form = all_moves[(FORMS_OF[all_moves] == FORMS_OF[action]) & (all_moves <= action)]
        moves_to_beat.append(int(chance.choice(same_form)))
    return moves_to_beat


@pytest.mark.parametrize("preset", PRESETS)
def test_moves_of_random_hands_match_referee(preset: str) -> None:
    chance = random.Random(preset)
    for size in [1, 2, 3, *range(4, 21)]:
        compare(BOOK.preset(preset), any_hand(chance, size) if size < 17 else dense_hand(chance, size), chance)


@pytest.mark.parametrize("preset", PRESETS)
def test_moves_of_dense_hands_match_referee_in_every_form(preset: str) -> None:
    chance = random.Random(preset)
    rules = BOOK.preset(preset)
    seen: set[int] = set()
    for _ in range(60):
        seen.update(FORMS_OF[action] for action in compare(rules, dense_hand(chance, chance.randrange(8, 21)), chance))
    names = {FORMS[form].name for form in seen}
    possible = {FORMS[form].name for form in np.unique(FORMS_OF[allowed_moves(rules)])}
    assert names >= possible - {"rocket"}


@settings(max_examples=80, deadline=None)
@given(st.data(), st.randoms(use_true_random=False))
def test_moves_match_referee_under_any_rules(data: st.DataObject, chance: random.Random) -> None:
    rules = choose_rules(lambda values: data.draw(st.sampled_from(values)))
    cards = data.draw(st.lists(st.sampled_from(4 * naive.RANKS[:13]), max_size=14))
    counts = [min(4, cards.count(rank)) for rank in naive.RANKS[:13]]
    jokers = data.draw(st.sampled_from(["", "B", "R", "BR"]))
    hand = "".join(rank * copies for rank, copies in zip(naive.RANKS, counts, strict=False)) + jokers
    compare(rules, hand, chance)


def test_moves_of_dense_hands_match_referee_under_random_rules() -> None:
    chance = random.Random(1)
    for _ in range(120):
        compare(choose_rules(chance.choice), dense_hand(chance, chance.choice([8, 12, 15, 16, 20])), chance)


@pytest.mark.parametrize(
    "hand",
    ["33334444555566667777", "JJJJQQQQKKKKAAAA2222", "TTTJJJQQQKKKAAA222BR", "333444555666777888BR"],
)
@pytest.mark.parametrize("preset", PRESETS)
def test_moves_of_hands_with_many_moves_match_referee(preset: str, hand: str) -> None:
    compare(BOOK.preset(preset), hand, random.Random(hand))


def test_longest_chains_match_referee() -> None:
    compare(ONLINE, "3344556677889TJQKA2B", random.Random(0))


def test_empty_hand_has_no_moves() -> None:
    assert leads(ONLINE, "") == []


def test_whole_deck_has_all_moves_of_the_rules() -> None:
    for preset in PRESETS:
        rules = BOOK.preset(preset)
        assert leads(rules, DECK) == list(allowed_moves(rules))


@pytest.mark.parametrize("preset", PRESETS)
def test_replies_of_whole_deck_are_all_beating_moves(preset: str) -> None:
    rules, chance = BOOK.preset(preset), random.Random(preset)
    all_moves = [int(action) for action in allowed_moves(rules)]
    reading = {action: reading_of(action) for action in all_moves}
    for last in chance.sample(all_moves, 10):
        assert replies(rules, DECK, last) == [a for a in all_moves if naive.beats(reading[a], reading[last])]
