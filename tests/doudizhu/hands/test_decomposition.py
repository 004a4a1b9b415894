"""Tests of decompositions: known counts, comparison with two reference implementations, sampling."""

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
"""Preset -> hands and their numbers of decompositions (source: the original rules document, not in this project)."""


def as_set(splits: Decompositions) -> set[tuple[int, ...]]:
    """Return decompositions as sorted tuples of ids; fail if one occurs twice."""
    distinct = {tuple(sorted(groups)) for groups in splits}
    assert len(distinct) == len(splits)
    return distinct


@pytest.mark.parametrize("preset", COUNTS)
def test_number_of_decompositions_of_known_hands(preset: str) -> None:
    rules = kernel_rules(BOOK.presets[preset])
    words = COUNTS[preset].split()
    for text, count in zip(words[::2], words[1::2], strict=True):
        assert count_decompositions(rules, np.uint64(hand_from_text(text))) == int(count), text
        assert len(decompositions(rules, hand_from_text(text))) == int(count), text
        assert len(dancing_links_decompositions(rules, hand_from_text(text))) == int(count), text


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_decompositions_of_small_hands_match_referee(data: st.DataObject) -> None:
    ruleset = choose_rules(lambda values: data.draw(st.sampled_from(values)))
    draw = data.draw(st.sampled_from([any_hand, dense_hand]))
    hand = draw(random.Random(data.draw(st.integers(0, 2**32))), data.draw(st.integers(1, 9)))
    splits = decompositions(kernel_rules(ruleset), hand_from_text(hand))
    ours = Counter(tuple(sorted(map(reading_of, groups))) for groups in splits)
    theirs = doudizhu_groups.decompositions(hand, {axis.name: axis.value for axis in ruleset})
    assert ours == Counter(theirs)


@pytest.mark.parametrize("preset", PRESETS)
def test_decompositions_match_dancing_links(preset: str) -> None:
    rules, chance = kernel_rules(BOOK.presets[preset]), random.Random(preset)
    for size in range(1, 21):
        hands = [any_hand(chance, size), dense_hand(chance, min(size, 14))]
        for hand in map(hand_from_text, hands):
            assert as_set(decompositions(rules, hand)) == as_set(dancing_links_decompositions(rules, hand))


def test_decompositions_of_large_hands_use_all_cards() -> None:
    """Hands with more decompositions than the arrays hold at first."""
    rules = kernel_rules(CLASSIC)
    for text in ("33334444555566667777", "34444566789TJQQAAA22"):
        splits = decompositions(rules, hand_from_text(text))
        sums = np.add.reduceat(MOVE_CARDS[splits.groups], splits.starts[:-1])
        assert splits.starts[-1] == len(splits.groups)
        assert (sums == np.uint64(hand_from_text(text))).all()
        assert len(splits) == count_decompositions(rules, np.uint64(hand_from_text(text)))


def test_limit_returns_first_decompositions() -> None:
    rules, hand = kernel_rules(CLASSIC), hand_from_text("333444555")
    first_splits, all_splits = decompositions(rules, hand, limit=10), decompositions(rules, hand)
    assert len(first_splits) == 10
    assert list(first_splits) == list(all_splits)[:10]
    assert len(decompositions(rules, hand, limit=1000)) == len(all_splits) == 98


@pytest.mark.parametrize("text", ["", "3334445556667778889TJ"])
def test_decompositions_of_empty_or_oversized_hand_raise(text: str) -> None:
    with pytest.raises(InvalidInput, match="1 to 20 cards"):
        decompositions(kernel_rules(CLASSIC), hand_from_text(text))


def sample(text: str, last: int, size: int, seed: int) -> tuple[int, list[tuple[int, ...]]]:
    """Return the number of decompositions sampled from, and the sample."""
    rows = np.full((size, 20), NO_GROUP, np.int32)
    count = sample_decompositions(kernel_rules(RLCARD), np.uint64(hand_from_text(text)), last, rng.stream(seed), rows)
    return count, [tuple(sorted(row[row != NO_GROUP].tolist())) for row in rows[:count]]


def test_sample_larger_than_total_returns_all_decompositions() -> None:
    count, sampled = sample("333444", PASS, 100, 0)
    assert count == 16
    assert set(sampled) == as_set(decompositions(kernel_rules(RLCARD), hand_from_text("333444")))


def test_sample_is_uniform_without_duplicates() -> None:
    seen: Counter[tuple[int, ...]] = Counter()
    for seed in range(2000):
        count, sampled = sample("33344456", PASS, 5, seed)
        assert count == 31
        assert len(set(sampled)) == 5
        seen.update(sampled)
    expected = 2000 * 5 / 31
    assert len(seen) == 31
    # chi-square with 30 degrees of freedom exceeds 59.7 once in a thousand seeds
    assert sum((count_seen - expected) ** 2 for count_seen in seen.values()) / expected < 59.7


def test_sample_for_reply_needs_a_beating_group() -> None:
    last, text = parse_action("44"), "33355667778BR"
    all_splits = as_set(decompositions(kernel_rules(RLCARD), hand_from_text(text)))
    beating = {groups for groups in all_splits if any(beats(group, last) for group in groups)}
    count, sampled = sample(text, last, len(all_splits), 0)
    assert count == len(beating) < len(all_splits)
    assert set(sampled) == beating


def test_ambiguous_cards_give_one_decomposition_per_reading() -> None:
    """Under rules with ambiguous planes, cards with three readings have three decompositions of one group."""
    splits = decompositions(kernel_rules(DOUZERO), hand_from_text("333444555666"))
    assert sum(len(groups) == 1 for groups in splits) == 3
