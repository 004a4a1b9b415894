"""Tests of hands as one word: conversion from and to text, counts, rank masks, containment."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardgames.doudizhu.cards import DECK, NUM_CARDS, RANKS, card_count, hand_from_text, hand_to_text, holds, rank_masks
from cardgames.support.errors import InvalidInput
from tests.doudizhu import hand_helpers as hands

SOME_CARDS = st.lists(st.sampled_from(list(enumerate(hands.DECK))), unique=True).map(
    lambda cards: "".join(card for _, card in cards)
)


def test_deck_has_54_cards() -> None:
    assert hand_to_text(DECK) == hands.DECK
    assert len(hands.DECK) == NUM_CARDS == card_count(np.uint64(DECK))


@settings(deadline=None)
@given(SOME_CARDS)
def test_hand_text_round_trip(cards: str) -> None:
    hand = np.uint64(hand_from_text(cards))
    assert Counter(hand_to_text(hand)) == Counter(cards)
    assert hand_to_text(hand) == "".join(sorted(cards, key=RANKS.index))
    assert card_count(hand) == len(cards)


@settings(deadline=None)
@given(SOME_CARDS)
def test_rank_masks_match_card_counts(cards: str) -> None:
    held = Counter(cards)
    for min_copies, mask in enumerate(rank_masks(np.uint64(hand_from_text(cards))), 1):
        assert mask == sum(1 << i for i, rank in enumerate(RANKS) if held[rank] >= min_copies)


@settings(deadline=None)
@given(SOME_CARDS, SOME_CARDS)
def test_holds_matches_multiset_inclusion(cards: str, others: str) -> None:
    expected = Counter(others) <= Counter(cards)
    assert holds(np.uint64(hand_from_text(cards)), np.uint64(hand_from_text(others))) == expected


def test_hand_text_in_any_order_and_case() -> None:
    assert (
        hand_from_text("r 2a3 t3")
        == hand_from_text("33TA2R")
        == hand_from_text("10 3 3 A 2 R")
        != hand_from_text("33A2R")
    )


@pytest.mark.parametrize(
    ("text", "message"), [("3X", "not a card"), ("33333", "cards of rank 3"), ("BB", "cards of rank B")]
)
def test_invalid_cards_raise_invalid_input(text: str, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        hand_from_text(text)
