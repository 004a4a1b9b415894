"""Tests of the policy `beginner`: the mistakes it makes."""

from typing import Any

import pytest

import cardgames
from cardgames.core.game_registry import make
from cardgames.doudizhu.cards import hand_from_text
from cardgames.doudizhu.policies.beginner import beginner_bid

GAME = make("doudizhu", rules="classic")


def move(hands: list[str | int], **parts: Any) -> str:
    """Return what a beginner plays in a position."""
    state = GAME.position(hands=hands, **parts)
    return GAME.action_to_string(cardgames.agent("beginner", GAME).act(state.observation()).action)


def test_breaks_up_a_chain_to_reply() -> None:
    assert move(["34567", 5, 5], landlord=0, to_move=0, last="3", last_by=2) == "4"


def test_beats_its_partner() -> None:
    assert move([5, "5K2", 5], landlord=0, to_move=1, last="A", last_by=2) == "2"


def test_plays_a_bomb_at_once() -> None:
    assert move(["34446667777", 5, 5], landlord=0, to_move=0, last="KK", last_by=2) == "7777"


def test_plays_the_rocket_on_a_low_card_if_nothing_else_beats_it() -> None:
    assert move(["33445BR", 5, 5], landlord=0, to_move=0, last="666", last_by=2) == "BR"


def test_leads_the_group_of_its_lowest_card_without_kickers() -> None:
    assert move(["33345566", 5, 5], landlord=0, to_move=0) == "333"
    assert move(["34567", 5, 5], landlord=0, to_move=0) == "34567"


@pytest.mark.parametrize(
    ("hand", "bid"), [("3344556677889TJQK", 0), ("33445566778899TT2", 1), ("3344556677889922B", 3)]
)
def test_bids_on_twos_and_jokers(hand: str, bid: int) -> None:
    assert beginner_bid(hand_from_text(hand)) == bid
