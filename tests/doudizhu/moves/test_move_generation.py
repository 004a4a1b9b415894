"""The kernels find exactly the moves that the plain-Python referee finds by trying every choice of cards."""

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

FORMS_OF = move_generation.PLACES >> 4
"""The form's number of every id."""


def compare(rules: RuleSet, hand: str, chance: random.Random) -> list[int]:
    """Assert that kernels and referee agree on all leads from a hand and on replies to some moves; return the leads."""
    found, expected = leads(rules, hand), naive.leads(hand, rules.to_dict())
    assert sorted(map(reading_of, found)) == sorted(expected), hand
    assert all(a < b for a, b in pairwise(found))
    record, packed = kernel_rules(rules), np.uint64(hand_from_text(hand))
    assert move_generation.lead_moves(record, packed, None) == len(found)
    for last in lasts(rules, found, chance):
        beaten = reading_of(last)
        stronger = replies(rules, hand, last)
        assert stronger == [action for action in found if naive.beats(reading_of(action), beaten)], (hand, beaten)
        assert move_generation.follow_moves(record, packed, last, None) == len(stronger)
        assert all(move_generation.beats(action, last) for action in stronger)
    tried = [*chance.sample(found, min(5, len(found))), *chance.sample(range(FIRST_MOVE, NUM_HOLDABLE_ACTIONS), 20)]
    for action in tried:
        assert move_generation.is_legal_move(record, packed, action) == (action in found)
    return found


def lasts(rules: RuleSet, found: list[int], chance: random.Random) -> list[int]:
    """Some moves to be beaten: any, and lower ones of the same forms as some that the hand has."""
    everything = allowed_moves(rules)
    everything = everything[everything < NUM_HOLDABLE_ACTIONS]
    drawn = [int(action) for action in chance.choices(everything, k=4)]
    for action in chance.sample(found, min(8, len(found))):
        alike = everything[(FORMS_OF[everything] == FORMS_OF[action]) & (everything <= action)]
        drawn.append(int(chance.choice(alike)))
    return drawn


@pytest.mark.parametrize("preset", PRESETS)
def test_random_hands_have_the_moves_of_the_rules(preset: str) -> None:
    chance = random.Random(preset)
    for size in [1, 2, 3, *range(4, 21)]:
        compare(BOOK.preset(preset), any_hand(chance, size) if size < 17 else dense_hand(chance, size), chance)


@pytest.mark.parametrize("preset", PRESETS)
def test_dense_hands_have_the_moves_of_the_rules_in_every_category(preset: str) -> None:
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
def test_any_combination_of_rules_is_obeyed(data: st.DataObject, chance: random.Random) -> None:
    rules = choose_rules(lambda values: data.draw(st.sampled_from(values)))
    cards = data.draw(st.lists(st.sampled_from(4 * naive.RANKS[:13]), max_size=14))
    counts = [min(4, cards.count(rank)) for rank in naive.RANKS[:13]]
    jokers = data.draw(st.sampled_from(["", "B", "R", "BR"]))
    hand = "".join(rank * copies for rank, copies in zip(naive.RANKS, counts, strict=False)) + jokers
    compare(rules, hand, chance)


def test_random_rule_sets_on_dense_hands() -> None:
    chance = random.Random(1)
    for _ in range(120):
        compare(choose_rules(chance.choice), dense_hand(chance, chance.choice([8, 12, 15, 16, 20])), chance)


@pytest.mark.parametrize(
    "hand",
    ["33334444555566667777", "JJJJQQQQKKKKAAAA2222", "TTTJJJQQQKKKAAA222BR", "333444555666777888BR"],
)
@pytest.mark.parametrize("preset", PRESETS)
def test_hands_full_of_moves(preset: str, hand: str) -> None:
    compare(BOOK.preset(preset), hand, random.Random(hand))


def test_the_longest_chains() -> None:
    compare(ONLINE, "3344556677889TJQKA2B", random.Random(0))


def test_an_empty_hand_has_no_moves() -> None:
    assert leads(ONLINE, "") == []


def test_the_whole_deck_has_every_move_of_up_to_20_cards() -> None:
    for preset in PRESETS:
        rules = BOOK.preset(preset)
        assert leads(rules, DECK) == list(allowed_moves(rules))


@pytest.mark.parametrize("preset", PRESETS)
def test_from_the_whole_deck_every_higher_move_is_a_reply(preset: str) -> None:
    rules, chance = BOOK.preset(preset), random.Random(preset)
    everything = [int(action) for action in allowed_moves(rules)]
    reading = {action: reading_of(action) for action in everything}
    for last in chance.sample(everything, 10):
        assert replies(rules, DECK, last) == [a for a in everything if naive.beats(reading[a], reading[last])]
