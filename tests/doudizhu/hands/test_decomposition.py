"""Every decomposition of a hand, none missing, none twice: known counts, two referees, samples."""

import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardgames.doudizhu.cards import hand_from_text
from cardgames.doudizhu.hands.dancing_links import dancing_links_decompositions
from cardgames.doudizhu.hands.decomposition import (
    NO_GROUP,
    Decompositions,
    count_decompositions,
    decompositions,
    sample_decompositions,
)
from cardgames.doudizhu.moves.move_generation import beats
from cardgames.doudizhu.moves.move_table import MOVE_CARDS, PASS
from cardgames.doudizhu.notation import parse_action
from cardgames.doudizhu.rules import BOOK, CLASSIC, DOUZERO, RLCARD, kernel_rules
from cardgames.kernels import rng
from cardgames.support.errors import InvalidInput
from tests.doudizhu.hand_helpers import PRESETS, any_hand, choose_rules, dense_hand, reading_of
from tests.referees import doudizhu_groups

COUNTS = {
    "classic": "3 1 33 2 333 3 3333 5 BR 2 3334 4 33344 8 34567 2 345678 4 3456789T 11 334455 9 333444 16 333444555 98 "
    "3333BR 12 33344456 31 444455566678TJQ 1650 34444566789TJQQAAA22 13637",
    "rlcard": "333444555 100 34444566789TJQQAAA22 14130",
}
"""Preset -> hands and their numbers of decompositions, from the rules document, section 6."""


def as_set(found: Decompositions) -> set[tuple[int, ...]]:
    """Decompositions as sorted tuples of ids; fails if one comes twice."""
    distinct = {tuple(sorted(groups)) for groups in found}
    assert len(distinct) == len(found)
    return distinct


@pytest.mark.parametrize("preset", COUNTS)
def test_known_hands_have_as_many_as_the_rules_document_says(preset: str) -> None:
    rules = kernel_rules(BOOK.presets[preset])
    words = COUNTS[preset].split()
    for text, count in zip(words[::2], words[1::2], strict=True):
        assert count_decompositions(rules, np.uint64(hand_from_text(text))) == int(count), text
        assert len(decompositions(rules, hand_from_text(text))) == int(count), text
        assert len(dancing_links_decompositions(rules, hand_from_text(text))) == int(count), text


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_small_hands_split_as_the_referee_splits_them(data: st.DataObject) -> None:
    ruleset = choose_rules(lambda values: data.draw(st.sampled_from(values)))
    draw = data.draw(st.sampled_from([any_hand, dense_hand]))
    hand = draw(random.Random(data.draw(st.integers(0, 2**32))), data.draw(st.integers(1, 9)))
    found = decompositions(kernel_rules(ruleset), hand_from_text(hand))
    ours = Counter(tuple(sorted(map(reading_of, groups))) for groups in found)
    theirs = doudizhu_groups.decompositions(hand, {axis.name: axis.value for axis in ruleset})
    assert ours == Counter(theirs)


@pytest.mark.parametrize("preset", PRESETS)
def test_dancing_links_find_the_same(preset: str) -> None:
    rules, chance = kernel_rules(BOOK.presets[preset]), random.Random(preset)
    for size in range(1, 21):
        hands = [any_hand(chance, size), dense_hand(chance, min(size, 14))]
        for hand in map(hand_from_text, hands):
            assert as_set(decompositions(rules, hand)) == as_set(dancing_links_decompositions(rules, hand))


def test_every_group_of_large_hands_is_written_down() -> None:
    """Hands of more decompositions than there is room for at first."""
    rules = kernel_rules(CLASSIC)
    for text in ("33334444555566667777", "34444566789TJQQAAA22"):
        found = decompositions(rules, hand_from_text(text))
        sums = np.add.reduceat(MOVE_CARDS[found.groups], found.starts[:-1])
        assert found.starts[-1] == len(found.groups)
        assert (sums == np.uint64(hand_from_text(text))).all()
        assert len(found) == count_decompositions(rules, np.uint64(hand_from_text(text)))


def test_a_limit_keeps_the_first() -> None:
    rules, hand = kernel_rules(CLASSIC), hand_from_text("333444555")
    some, every = decompositions(rules, hand, limit=10), decompositions(rules, hand)
    assert len(some) == 10
    assert list(some) == list(every)[:10]
    assert len(decompositions(rules, hand, limit=1000)) == len(every) == 98


@pytest.mark.parametrize("text", ["", "3334445556667778889TJ"])
def test_no_cards_and_too_many_are_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="1 to 20 cards"):
        decompositions(kernel_rules(CLASSIC), hand_from_text(text))


def sample(text: str, last: int, size: int, seed: int) -> tuple[int, list[tuple[int, ...]]]:
    """How many decompositions there were to choose from, and those chosen."""
    rows = np.full((size, 20), NO_GROUP, np.int32)
    count = sample_decompositions(kernel_rules(RLCARD), np.uint64(hand_from_text(text)), last, rng.stream(seed), rows)
    return count, [tuple(sorted(row[row != NO_GROUP].tolist())) for row in rows[:count]]


def test_a_sample_of_few_is_all_of_them() -> None:
    count, chosen = sample("333444", PASS, 100, 0)
    assert count == 16
    assert set(chosen) == as_set(decompositions(kernel_rules(RLCARD), hand_from_text("333444")))


def test_a_sample_has_no_decomposition_twice_and_each_equally_often() -> None:
    seen: Counter[tuple[int, ...]] = Counter()
    for seed in range(2000):
        count, chosen = sample("33344456", PASS, 5, seed)
        assert count == 31
        assert len(set(chosen)) == 5
        seen.update(chosen)
    expected = 2000 * 5 / 31
    assert len(seen) == 31
    # chi-square with 30 degrees of freedom exceeds 59.7 once in a thousand seeds
    assert sum((times - expected) ** 2 for times in seen.values()) / expected < 59.7


def test_a_sample_of_replies_has_decompositions_with_a_beating_group_only() -> None:
    last, text = parse_action("44"), "33355667778BR"
    every = as_set(decompositions(kernel_rules(RLCARD), hand_from_text(text)))
    beating = {groups for groups in every if any(beats(group, last) for group in groups)}
    count, chosen = sample(text, last, len(every), 0)
    assert count == len(beating) < len(every)
    assert set(chosen) == beating


def test_readings_are_groups_of_their_own() -> None:
    """Under rules with ambiguous planes a card set of three readings makes three decompositions of one group."""
    found = decompositions(kernel_rules(DOUZERO), hand_from_text("333444555666"))
    assert sum(len(groups) == 1 for groups in found) == 3
