"""Tests of the text form of actions."""

import pytest

from cardgames.core.rules import RuleSet
from cardgames.doudizhu.moves.move_table import FIRST_MOVE, NUM_ACTIONS, PASS, allowed_moves
from cardgames.doudizhu.notation import action_text, parse_action
from cardgames.doudizhu.rules import CLASSIC, CQL, ONLINE, RLCARD
from cardgames.support.errors import InvalidInput
from tests.doudizhu.hand_helpers import reading_of


def test_action_text_round_trip_is_unique() -> None:
    texts = [action_text(action) for action in range(FIRST_MOVE, NUM_ACTIONS)]
    assert len(set(texts)) == len(texts)
    for action in range(FIRST_MOVE, NUM_ACTIONS, 7):
        assert parse_action(texts[action - FIRST_MOVE]) == action


@pytest.mark.parametrize("rules", [CLASSIC, CQL, RLCARD], ids=lambda rules: rules.name)
def test_presets_without_ambiguous_moves_have_no_plus_in_text(rules: RuleSet) -> None:
    assert not any("+" in action_text(int(action)) for action in allowed_moves(rules))


@pytest.mark.parametrize(
    "text", ["333444555666", "333444555+666", "444555666+333", "3333+4444", "4444+3333", "33344456"]
)
def test_text_of_ambiguous_move_names_main_cards_first(text: str) -> None:
    action = parse_action(text)
    assert action_text(action) == text
    assert reading_of(action).main == text.partition("+")[0] or text == "33344456"


def test_parse_auction_actions_and_pass() -> None:
    for unknown_text in ("bid 4", "bid", "superdouble", "calls"):
        with pytest.raises(InvalidInput, match=f"unknown action '{unknown_text}': .*choose from pass, bid 1, bid 2"):
            parse_action(unknown_text)
    assert [parse_action(text) for text in ("pass", "bid 1", "BID  2", "bid 3")] == [PASS, 1, 2, 3]
    assert [action_text(action) for action in range(4)] == ["pass", "bid 1", "bid 2", "bid 3"]


def test_parse_cards_in_any_order() -> None:
    assert parse_action("654 3 7") == parse_action("34567")
    assert parse_action("333444555666", RLCARD) == parse_action("333444555666")


def test_ambiguous_cards_raise_unless_rules_allow_one_move() -> None:
    with pytest.raises(InvalidInput, match=r"3333\+4444 or 4444\+3333"):
        parse_action("33334444", ONLINE)
    with pytest.raises(InvalidInput, match="is not a move"):
        parse_action("33334444", RLCARD)
    text = "3334445556667772"
    with pytest.raises(InvalidInput, match="is ambiguous: write"):
        parse_action(text)
    assert action_text(parse_action("444555666777+3332", ONLINE)) == "444555666777+3332"


@pytest.mark.parametrize("text", ["", "3456", "333444+555", "33+3", "34567+8"])
def test_parse_of_non_move_raises(text: str) -> None:
    with pytest.raises(InvalidInput, match="is not a move"):
        parse_action(text)


def test_action_text_of_unknown_id_raises() -> None:
    with pytest.raises(InvalidInput):
        action_text(NUM_ACTIONS)
