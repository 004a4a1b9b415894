"""The policy `frugal`: what it does where one can say what is right, and that it is no weaker than `rhcp`."""

from typing import Any

import numpy as np
import pytest

from cardgames.arena.match import play_match
from cardgames.core.game_registry import make
from cardgames.doudizhu.cards import hand_from_text
from cardgames.doudizhu.policies.frugal import frugal, frugal_bid

LANDLORD, DOWN, UP = range(3)
GAME = make("doudizhu", 3, "rlcard")


def plays(hands: list[str], to_move: int, **position: Any) -> str:
    """What a seat plays, as text; seat 0 is the landlord."""
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
def test_leads(hand: str, lead: str) -> None:
    assert plays([hand, "379TJQK" if hand != "3456789" else "89TJQKA", "5678QK2"], LANDLORD) == lead


@pytest.mark.parametrize(
    ("rules", "change", "hand", "lead"),
    [
        ("openspiel", [], "566667", "5"),
        ("openspiel", [], "55666677", "55"),
        ("classic", ["plane-kickers=banned"], "33344456", "333444"),
    ],
)
def test_kickers_that_the_rules_forbid_stay_in_the_hand(rules: str, change: list[str], hand: str, lead: str) -> None:
    game = make("doudizhu", 3, rules, change)
    state = game.position(hands=[hand, "88899TT", "JJQQKA2"], landlord=LANDLORD, seed=1)
    action = int(frugal(game.kernel_rules, state.record))
    assert game.action_to_string(action) == lead and action in state.legal_actions()


def test_a_reply_is_what_the_hand_can_spare() -> None:
    assert plays(["469TJQ", "56789KA2", "3JQ"], DOWN, last="4") == "K"
    assert plays(["469TJQ", "55789TJA2", "3JQ"], DOWN, last="44") == "55"


def test_the_last_cards_are_played_even_over_a_partner() -> None:
    assert plays(["55889", "3", "KK"], UP, last="88", last_by=DOWN) == "KK"
    assert plays(["55889", "3", "7777"], UP, last="QQ", last_by=DOWN) == "7777"


def test_a_partner_is_not_beaten_without_need() -> None:
    assert plays(["5588999", "34568", "3KKA2"], UP, last="K", last_by=DOWN) == "pass"
    assert plays(["5588999", "68TKA", "34466"], DOWN, last="4", last_by=UP) == "pass"


def test_a_low_card_of_the_partner_is_raised_before_the_landlord_gets_it() -> None:
    assert plays(["588999K", "34568", "36689Q"], UP, last="4", last_by=DOWN) in ("8", "9", "Q")


def test_a_landlord_with_one_card_is_stopped_by_the_highest() -> None:
    assert plays(["Q", "34689JK", "3578"], DOWN, last="3", last_by=LANDLORD) == "K"
    assert plays(["Q", "3368JK", "3578"], DOWN) == "33"
    assert plays(["Q", "368JK", "3578"], DOWN) == "K"


def test_a_partner_with_one_card_is_led_to() -> None:
    assert plays(["588999K", "44458KK", "6"], DOWN) == "4"
    assert plays(["588999K", "44558KK", "66"], DOWN) == "44"


def test_what_nobody_can_beat_goes_first_when_one_group_is_left_beside_it() -> None:
    assert plays(["32", "56789TJ", "456TJQK"], LANDLORD) == "2"
    assert plays(["3322", "56789TJ", "456TJQK"], LANDLORD) == "22"


def test_bombs_wait_until_little_is_left_or_the_enemy_is_near_his_end() -> None:
    many = "3579JQ8888"
    assert plays(["4566799JQK", many, "466TT"], DOWN, last="K") == "pass"
    assert plays(["4566799JQK", "Q8888", "466TT"], DOWN, last="K") == "8888"
    assert plays(["99", many, "466TT"], DOWN, last="K") == "8888"


def test_a_strong_hand_bids_more() -> None:
    hands = ["33557799JJKKA468T", "3455667789TQKKA22", "3456789TTJJQAA2BR", "333344445555666BR"]
    bids = [int(frugal_bid(np.uint64(hand_from_text(hand)))) for hand in hands]
    assert bids == sorted(bids) and bids[0] == 0 and bids[-1] == 3


def test_it_beats_rhcp_on_either_side() -> None:
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
def test_a_trio_goes_first_and_takes_an_ace_along_only_to_get_all_out(hand: str, lead: str) -> None:
    assert plays([hand, "379TJQK", "5678QK22"], LANDLORD) == lead


def test_a_landlord_with_two_cards_is_led_no_pair() -> None:
    assert plays(["QQ", "3368JK", "3578"], DOWN) == "6"


def test_a_partner_with_two_cards_is_led_no_high_pair() -> None:
    assert plays(["588999K", "4QQKA", "66"], DOWN) == "4"


def test_a_pair_is_broken_up_to_keep_out_a_landlord_with_two_cards() -> None:
    assert plays(["QQ", "3456", "37KKK"], UP, last="33", last_by=DOWN) == "KK"


def test_the_rocket_is_played_when_the_enemy_is_near_his_end() -> None:
    assert plays(["99", "3579JQBR", "466TT"], DOWN, last="KK") == "BR"
    assert plays(["4566799JQK", "3579JQBR", "466TT"], DOWN, last="KK") == "pass"


def test_the_rocket_goes_over_a_partner_where_it_is_all_there_is() -> None:
    assert plays(["55889", "3", "BR"], UP, last="QQ", last_by=DOWN) == "BR"


def test_a_bomb_beats_a_bomb_when_the_enemy_is_near_his_end() -> None:
    assert plays(["99", "3579JQ8888", "66TT"], DOWN, last="4444") == "8888"
    assert plays(["5566799JQK", "3579JQ8888", "66TT"], DOWN, last="4444") == "pass"


def test_a_reply_may_cost_the_more_the_fewer_cards_the_enemy_has() -> None:
    assert plays(["59", "45TJQKKK", "678QT"], DOWN, last="33") == "KK"
    assert plays(["4566799JQA", "45TJQKKK", "678QT"], DOWN, last="33") == "pass"


@pytest.mark.parametrize(
    ("hand", "last", "lead"),
    [
        ("44445", "56QK2", "4444"),
        ("36777888TQ", "56QK2", "36777888"),
        ("33344TQ", "56QK2", "33344"),
        ("3668JK", "5", "66"),
    ],
)
def test_what_is_led_before_lower_cards_or_bigger_ones(hand: str, last: str, lead: str) -> None:
    assert plays([hand, "379TJQK", last], LANDLORD) == lead


def test_kickers_are_not_taken_out_of_a_chain() -> None:
    assert plays(["88JJQQKKAT", "5556789TQ", "22AA"], DOWN, last="3334") == "555Q"


def test_a_bomb_is_played_before_the_rocket() -> None:
    assert plays(["99", "3579JQ8888BR", "466TT"], DOWN, last="KK") == "8888"


def test_a_chain_of_the_partner_is_not_raised() -> None:
    assert plays(["588999KK", "JQKA", "56789QK"], UP, last="34567", last_by=DOWN) == "pass"
