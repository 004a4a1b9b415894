"""Parsing of typed and chosen cards, and the reasons for refusing them."""

from typing import Any

import pytest

from cardgames.core.state import State
from cardgames.support.errors import InvalidInput
from cardgames.tui.doudizhu.move_parser import parse, parse_cards
from tests.tui.company import doudizhu


def leading(rules: str = "classic", hand: str = "333444556789TQQQQBR") -> State:
    return doudizhu(rules=rules).position(hands=[hand, None, None], landlord=0)


def following(last: str, hand: str = "3344455556789QQ2BR", rules: str = "classic", **parts: Any) -> State:
    return doudizhu(rules=rules).position(hands=[hand, None, None], landlord=0, last=last, **parts)


def refusal(state: State, text: str) -> str:
    with pytest.raises(InvalidInput) as error:
        parse(state, text)
    return str(error.value)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("56789", "56789"),
        ("98765", "56789"),
        ("qqqq", "QQQQ"),
        ("br", "BR"),
        ("6789 10", "6789T"),
        (" 333 44 ", "33344"),
    ],
)
def test_cards_can_be_typed_in_any_order_and_case(text: str, action: str):
    state = leading()
    assert state.action_to_string(parse(state, text)) == action


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("34", "34 is not a combination"),
        ("333445", "333445 is not a combination"),
        ("66", "you do not hold 6"),
        ("5555", "you do not hold 55"),
        ("xyz", "'X' in 'xyz' is not a card"),
        ("", "no cards are chosen"),
        ("pass", "you lead and may not pass: play any combination"),
        ("p", "you lead and may not pass"),
        ("bid 2", "bid 2 is not allowed now: choose from cards"),
        ("33344455", "33344455 is a chain of 2 trios with solos, which equal-kickers=different forbids"),
        ("333444BR", "333444BR is a chain of 2 trios with solos, which joker-kickers=never forbids"),
    ],
)
def test_illegal_lead_is_rejected_with_reason(text: str, why: str):
    assert why in refusal(leading(), text)


@pytest.mark.parametrize(
    ("last", "text", "why"),
    [
        ("TT", "55", "55, a pair, does not beat TT: that takes a higher pair, a bomb or the rocket"),
        ("TT", "56789", "56789, a chain of 5 solos, does not beat TT: that takes a higher pair"),
        ("6789TJ", "56789", "does not beat 6789TJ: that takes a higher chain of 6 solos, a bomb or the rocket"),
        ("KKKK", "5555", "5555, a bomb, does not beat KKKK: that takes a higher bomb or the rocket"),
        ("TT", "double", "double is not allowed now: choose from pass, cards"),
    ],
)
def test_illegal_reply_is_rejected_with_reason(last: str, text: str, why: str):
    assert why in refusal(following(last), text)


def test_nothing_beats_the_rocket():
    assert refusal(following("BR", hand="3344455556789QQ2"), "5555") == "nothing beats the rocket"


@pytest.mark.parametrize(("last", "text"), [("TT", "QQ"), ("TT", "5555"), ("KKKK", "BR"), ("3", "2"), ("TT", "pass")])
def test_higher_moves_and_pass_are_accepted(last: str, text: str):
    state = following(last)
    assert state.action_to_string(parse(state, text)) == text


def test_several_readings_are_rejected_unless_one_is_exact():
    state = leading("openspiel", "333444555666789TJQKA")
    tens = leading("openspiel", "999TTTJJJQQQ34567888")
    assert tens.action_to_string(parse(tens, "999101010JJJQQQ")) == "999TTTJJJQQQ"
    assert [state.action_to_string(action) for action in parse_cards(state, "333444555666")] == [
        "333444555666",
        "333444555+666",
        "444555666+333",
    ]
    assert state.action_to_string(parse(state, "333444555+666")) == "333444555+666"
    assert state.action_to_string(parse(state, "333444555666")) == "333444555666"


def test_only_readings_that_beat_the_last_move_count():
    state = following("333444555789", "666777888999JQK2", "openspiel")
    moves = [state.action_to_string(action) for action in parse_cards(state, "666777888999")]
    assert moves == ["666777888+999", "777888999+666"]
    assert "can be read as 666777888+999 or 777888999+666: write one of them" in refusal(state, "666777888999")


def test_auction_accepts_only_words():
    state = doudizhu().position(hands=[None, None, None])
    assert parse(state, "bid 2") == state.game.parse_action("bid 2")
    assert refusal(state, "34567") == "no cards are played yet: choose from pass, bid 1, bid 2, bid 3"
    state.apply_action(state.game.parse_action("bid 2"))
    assert refusal(state, "bid 1") == "bid 1 is not allowed now: choose from pass, bid 3"
