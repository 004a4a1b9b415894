"""Tests of the fewest groups of a hand, against all its decompositions, under every preset and random rules."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardgames.core.rules import RuleSet
from cardgames.doudizhu.cards import hand_from_text
from cardgames.doudizhu.hands.decomposition import all_decompositions, decompositions
from cardgames.doudizhu.hands.min_turns import count_min_turns, min_turn_decompositions, min_turns
from cardgames.doudizhu.hands.shapes import shape_table
from cardgames.doudizhu.rules import BOOK, kernel_rules
from tests.doudizhu.hand_helpers import PRESETS, any_hand, choose_rules, dense_hand

NO_LIMIT = 2**62


def check_turns(rules: RuleSet, hand: str) -> None:
    """Assert that the kernel's number is the length of the shortest decomposition."""
    kernel, word = kernel_rules(rules), np.uint64(hand_from_text(hand))
    starts = all_decompositions(kernel, word, NO_LIMIT)[1]
    assert min_turns(kernel, shape_table(kernel), word) == np.diff(starts).min(), (rules.name, hand)


@pytest.mark.parametrize("preset", PRESETS)
def test_min_turns_matches_shortest_decomposition(preset: str) -> None:
    chance = random.Random(preset)
    for size in 150 * [*range(1, 21)]:
        check_turns(BOOK.presets[preset], any_hand(chance, size))
    for size in 12 * [*range(5, 21)]:
        check_turns(BOOK.presets[preset], dense_hand(chance, size))


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_min_turns_under_any_rules(data: st.DataObject) -> None:
    rules = choose_rules(lambda values: data.draw(st.sampled_from(values)))
    draw = data.draw(st.sampled_from([any_hand, dense_hand]))
    check_turns(rules, draw(random.Random(data.draw(st.integers(0, 2**32))), data.draw(st.integers(1, 18))))


@pytest.mark.parametrize(
    ("hand", "preset", "count"),
    [
        ("3", "classic", 1),
        ("BR", "classic", 1),
        ("3456789TJQKA2", "classic", 2),
        ("33445566778899TTJJQQ", "classic", 1),
        ("33344455", "classic", 2),
        ("33344455", "rlcard", 1),
        ("333444BR", "rlcard", 2),
        ("333444BR", "douzero", 1),
        ("333444555BR6", "cql", 1),
        ("4444BR", "cql", 2),
        ("444456", "classic", 1),
        ("444456", "openspiel", 3),
        ("3334445556667778", "rlcard", 2),
        ("333444555777", "classic", 2),
        ("333444555777", "rlcard", 1),
        ("333344445555", "openspiel", 2),
        ("33334444", "classic", 2),
        ("33335555", "online", 1),
    ],
)
def test_min_turns_depends_on_kicker_rules(hand: str, preset: str, count: int) -> None:
    assert count_min_turns(kernel_rules(BOOK.presets[preset]), hand_from_text(hand)) == count


@pytest.mark.parametrize("preset", PRESETS)
def test_min_turn_decompositions_are_all_shortest_ones(preset: str) -> None:
    rules, chance = kernel_rules(BOOK.presets[preset]), random.Random(preset)
    for size in 4 * [*range(1, 21)]:
        for hand in (hand_from_text(any_hand(chance, size)), hand_from_text(dense_hand(chance, size))):
            all_splits = decompositions(rules, hand)
            lengths = np.diff(all_splits.starts)
            starts = all_splits.starts[:-1][lengths == lengths.min()]
            shortest = [all_splits.groups[start : start + lengths.min()].tolist() for start in starts]
            min_splits = min_turn_decompositions(rules, hand)
            assert sorted(map(sorted, min_splits)) == sorted(map(sorted, shortest))
