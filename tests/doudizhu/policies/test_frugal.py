"""Tests of the policy `frugal`: its moves in clear-cut positions, and its strength against `rhcp`."""

from typing import Any

import pytest

from cardgames.arena.match import play_match
from cardgames.core.game_registry import make
from cardgames.doudizhu.policies.frugal import frugal

LANDLORD, DOWN, UP = range(3)
GAME = make("doudizhu", 3, "rlcard")


def frugal_action(hands: list[str], to_move: int, **position: Any) -> str:
    """Return the action of a seat as text; seat 0 is the landlord."""
    state = GAME.position(hands=hands, landlord=LANDLORD, to_move=to_move, seed=1, **position)
    return GAME.action_to_string(int(frugal(GAME.kernel_rules, state.record)))


@pytest.mark.parametrize(
    ("hand", "lead"),
    [
        ("3456789", "3456789"),
        ("33344", "33344"),
        ("33344456", "33344456"),
        ("3335KKAA", "3335"),
        ("444456", "444456"),
        ("4444", "4444"),
        ("4BR", "BR"),
        ("3456789TKK", "3456789T"),
        ("333444TTJJ", "333444TTJJ"),
    ],
)
def test_leads_of_known_hands(hand: str, lead: str) -> None:
    assert frugal_action([hand, "379TJQK" if hand != "3456789" else "89TJQKA", "5678QK2"], LANDLORD) == lead


@pytest.mark.parametrize(
    ("rules", "change", "hand", "lead"),
    [
        ("openspiel", [], "566667", "5"),
        ("openspiel", [], "55666677", "55"),
        ("classic", ["plane-kickers=banned"], "33344456", "333444"),
    ],
)
def test_leads_without_forbidden_kickers(rules: str, change: list[str], hand: str, lead: str) -> None:
    game = make("doudizhu", 3, rules, change)
    state = game.position(hands=[hand, "88899TT", "JJQQKA2"], landlord=LANDLORD, seed=1)
    action = int(frugal(game.kernel_rules, state.record))
    assert game.action_to_string(action) == lead and action in state.legal_actions()


def test_reply_costs_least_hand_value() -> None:
    assert frugal_action(["469TJQ", "56789KA2", "3JQ"], DOWN, last="4") == "K"
    assert frugal_action(["469TJQ", "55789TJA2", "3JQ"], DOWN, last="44") == "55"


def test_last_cards_beat_even_the_partner() -> None:
    assert frugal_action(["55889", "3", "KK"], UP, last="88", last_by=DOWN) == "KK"
    assert frugal_action(["55889", "3", "7777"], UP, last="QQ", last_by=DOWN) == "7777"


def test_passes_on_partners_high_move() -> None:
    assert frugal_action(["5588999", "34568", "3KKA2"], UP, last="K", last_by=DOWN) == "pass"
    assert frugal_action(["5588999", "68TKA", "34466"], DOWN, last="4", last_by=UP) == "pass"


def test_raises_partners_low_card_before_the_landlord() -> None:
    assert frugal_action(["588999K", "34568", "36689Q"], UP, last="4", last_by=DOWN) in ("8", "9", "Q")


def test_highest_card_stops_landlord_with_one_card() -> None:
    assert frugal_action(["Q", "34689JK", "3578"], DOWN, last="3", last_by=LANDLORD) == "K"
    assert frugal_action(["Q", "3368JK", "3578"], DOWN) == "33"
    assert frugal_action(["Q", "368JK", "3578"], DOWN) == "K"


def test_leads_low_to_partner_with_one_or_two_cards() -> None:
    assert frugal_action(["588999K", "44458KK", "6"], DOWN) == "4"
    assert frugal_action(["588999K", "44558KK", "66"], DOWN) == "44"


def test_leads_unbeatable_group_first_if_one_other_is_left() -> None:
    assert frugal_action(["32", "56789TJ", "456TJQK"], LANDLORD) == "2"
    assert frugal_action(["3322", "56789TJ", "456TJQK"], LANDLORD) == "22"


def test_bombs_wait_for_few_cards_left() -> None:
    hand_with_bomb = "3579JQ8888"
    assert frugal_action(["4566799JQK", hand_with_bomb, "466TT"], DOWN, last="K") == "pass"
    assert frugal_action(["4566799JQK", "Q8888", "466TT"], DOWN, last="K") == "8888"
    assert frugal_action(["99", hand_with_bomb, "466TT"], DOWN, last="K") == "8888"


def test_beats_rhcp_as_landlord_and_peasant() -> None:
    ours, _ = play_match(GAME, ["frugal", "rhcp"], games=1200, seed=3).agents
    assert all(role.win_rate > 0.52 for role in ours.roles)


@pytest.mark.parametrize(
    ("hand", "lead"),
    [
        ("36888K2", "3888"),
        ("44445566", "44445566"),
        ("333A", "333A"),
        ("333A2B", "333"),
    ],
)
def test_leads_trio_first_and_ace_as_kicker_only_to_finish(hand: str, lead: str) -> None:
    assert frugal_action([hand, "379TJQK", "5678QK22"], LANDLORD) == lead


def test_leads_no_pair_to_landlord_with_two_cards() -> None:
    assert frugal_action(["QQ", "3368JK", "3578"], DOWN) == "6"


def test_leads_no_high_pair_to_partner_with_two_cards() -> None:
    assert frugal_action(["588999K", "4QQKA", "66"], DOWN) == "4"


def test_raises_partners_pair_to_stop_landlord_with_two_cards() -> None:
    assert frugal_action(["QQ", "3456", "37KKK"], UP, last="33", last_by=DOWN) == "KK"


def test_plays_rocket_if_opponent_has_few_cards() -> None:
    assert frugal_action(["99", "3579JQBR", "466TT"], DOWN, last="KK") == "BR"
    assert frugal_action(["4566799JQK", "3579JQBR", "466TT"], DOWN, last="KK") == "pass"


def test_plays_rocket_over_partner_as_last_cards() -> None:
    assert frugal_action(["55889", "3", "BR"], UP, last="QQ", last_by=DOWN) == "BR"


def test_plays_bomb_on_bomb_if_opponent_has_few_cards() -> None:
    assert frugal_action(["99", "3579JQ8888", "66TT"], DOWN, last="4444") == "8888"
    assert frugal_action(["5566799JQK", "3579JQ8888", "66TT"], DOWN, last="4444") == "pass"


def test_reply_may_cost_more_if_opponent_has_fewer_cards() -> None:
    assert frugal_action(["59", "45TJQKKK", "678QT"], DOWN, last="33") == "KK"
    assert frugal_action(["4566799JQA", "45TJQKKK", "678QT"], DOWN, last="33") == "pass"


@pytest.mark.parametrize(
    ("hand", "last", "lead"),
    [
        ("44445", "56QK2", "4444"),
        ("36777888TQ", "56QK2", "36777888"),
        ("33344TQ", "56QK2", "33344"),
        ("3668JK", "5", "66"),
    ],
)
def test_leads_trios_before_lower_cards(hand: str, last: str, lead: str) -> None:
    assert frugal_action([hand, "379TJQK", last], LANDLORD) == lead


def test_kickers_do_not_break_a_chain() -> None:
    assert frugal_action(["88JJQQKKAT", "5556789TQ", "22AA"], DOWN, last="3334") == "555Q"


def test_plays_bomb_before_rocket() -> None:
    assert frugal_action(["99", "3579JQ8888BR", "466TT"], DOWN, last="KK") == "8888"


def test_does_not_raise_partners_chain() -> None:
    assert frugal_action(["588999KK", "JQKA", "56789QK"], UP, last="34567", last_by=DOWN) == "pass"
