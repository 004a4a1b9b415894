"""Hands as one word: text and back, counts, masks of ranks, containment."""

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


def test_the_deck_has_54_cards() -> None:
    assert hand_to_text(DECK) == hands.DECK
    assert len(hands.DECK) == NUM_CARDS == card_count(np.uint64(DECK))


@settings(deadline=None)
@given(SOME_CARDS)
def test_text_becomes_a_hand_and_text_again(cards: str) -> None:
    hand = np.uint64(hand_from_text(cards))
    assert Counter(hand_to_text(hand)) == Counter(cards)
    assert hand_to_text(hand) == "".join(sorted(cards, key=RANKS.index))
    assert card_count(hand) == len(cards)


@settings(deadline=None)
@given(SOME_CARDS)
def test_masks_tell_the_ranks_held_so_often(cards: str) -> None:
    held = Counter(cards)
    for least, mask in enumerate(rank_masks(np.uint64(hand_from_text(cards))), 1):
        assert mask == sum(1 << i for i, rank in enumerate(RANKS) if held[rank] >= least)


@settings(deadline=None)
@given(SOME_CARDS, SOME_CARDS)
def test_a_hand_holds_what_it_has_as_many_of(cards: str, others: str) -> None:
    expected = Counter(others) <= Counter(cards)
    assert holds(np.uint64(hand_from_text(cards)), np.uint64(hand_from_text(others))) == expected


def test_a_hand_is_written_in_any_order_and_case() -> None:
    assert (
        hand_from_text("r 2a3 t3")
        == hand_from_text("33TA2R")
        == hand_from_text("10 3 3 A 2 R")
        != hand_from_text("33A2R")
    )


@pytest.mark.parametrize(("text", "words"), [("3X", "not a card"), ("33333", "more cards 3"), ("BB", "more cards B")])
def test_cards_that_are_none_are_refused(text: str, words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        hand_from_text(text)
