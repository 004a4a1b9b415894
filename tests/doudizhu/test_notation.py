"""Moves as text and back."""

import pytest

from cardgames.core.rules import RuleSet
from cardgames.doudizhu.moves.move_table import FIRST_MOVE, NUM_ACTIONS, PASS, allowed_moves
from cardgames.doudizhu.notation import action_text, parse_action
from cardgames.doudizhu.rules import CLASSIC, CQL, ONLINE, RLCARD
from cardgames.support.errors import InvalidInput
from tests.doudizhu.hand_helpers import reading_of


def test_every_id_has_a_text_of_its_own_that_is_read_as_that_id() -> None:
    texts = [action_text(action) for action in range(FIRST_MOVE, NUM_ACTIONS)]
    assert len(set(texts)) == len(texts)
    for action in range(FIRST_MOVE, NUM_ACTIONS, 7):
        assert parse_action(texts[action - FIRST_MOVE]) == action


@pytest.mark.parametrize("rules", [CLASSIC, CQL, RLCARD], ids=lambda rules: rules.name)
def test_rules_without_ambiguous_moves_need_no_readings(rules: RuleSet) -> None:
    assert not any("+" in action_text(int(action)) for action in allowed_moves(rules))


@pytest.mark.parametrize(
    "text", ["333444555666", "333444555+666", "444555666+333", "3333+4444", "4444+3333", "33344456"]
)
def test_readings_are_written_with_the_main_cards_first(text: str) -> None:
    action = parse_action(text)
    assert action_text(action) == text
    assert reading_of(action).main == text.partition("+")[0] or text == "33344456"


def test_auction_and_pass() -> None:
    for wrong in ("bid 4", "bid", "superdouble", "calls"):
        with pytest.raises(InvalidInput, match=f"unknown action '{wrong}': .*choose from pass, bid 1, bid 2"):
            parse_action(wrong)
    assert [parse_action(text) for text in ("pass", "bid 1", "BID  2", "bid 3")] == [PASS, 1, 2, 3]
    assert [action_text(action) for action in range(4)] == ["pass", "bid 1", "bid 2", "bid 3"]


def test_cards_are_read_in_any_order() -> None:
    assert parse_action("654 3 7") == parse_action("34567")
    assert parse_action("333444555666", RLCARD) == parse_action("333444555666")


def test_rules_settle_a_reading() -> None:
    with pytest.raises(InvalidInput, match=r"3333\+4444 or 4444\+3333"):
        parse_action("33334444", ONLINE)
    with pytest.raises(InvalidInput, match="is no move"):
        parse_action("33334444", RLCARD)
    text = "3334445556667772"
    with pytest.raises(InvalidInput, match="write one of them"):
        parse_action(text)
    assert action_text(parse_action("444555666777+3332", ONLINE)) == "444555666777+3332"


@pytest.mark.parametrize("text", ["", "3456", "333444+555", "33+3", "34567+8"])
def test_what_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="is no move"):
        parse_action(text)


def test_an_unknown_id_has_no_text() -> None:
    with pytest.raises(InvalidInput):
        action_text(NUM_ACTIONS)
