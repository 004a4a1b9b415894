"""Tests of `rhcp`: reference values, and every decision compared with its slow referee."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardgames.core.rules import RuleSet
from cardgames.doudizhu.cards import hand_from_text
from cardgames.doudizhu.hands.recursive_partition import partition_value
from cardgames.doudizhu.moves.move_table import MOVE_TABLE, PASS
from cardgames.doudizhu.notation import action_text, parse_action
from cardgames.doudizhu.policies.rhcp import rhcp, rhcp_bid
from cardgames.doudizhu.rules import BOOK, CLASSIC, DOUZERO, RLCARD, kernel_rules
from tests.doudizhu.hand_helpers import PRESETS, any_hand, choose_rules, dense_hand, leads, reading_of
from tests.referees.rhcp import Rhcp

VECTORS = [
    ("3", -7, 1, ""),
    ("R", 7, 1, ""),
    ("34567", -2, 1, ""),
    ("333", -7, 1, ""),
    ("33344", -7, 1, ""),
    ("333444", 1, 1, ""),
    ("33344456", 1, 1, ""),
    ("3333", 7, 1, ""),
    ("BR", 20, 1, ""),
    ("3344", -13, 2, ""),
    ("345679", -3, 2, "34567"),
    ("333345", -4, 3, "4"),
    ("3333BR", 27, 2, "BR"),
    ("44445556667", -4, 2, "45556667"),
    ("3456789TJQKA2", 10, 2, ""),
    ("2222AAAA", 37, 2, "AAAA"),
    ("2222AAAABR", 57, 3, "AAAA"),
    ("345678TTJJ2R", 12, 5, "345678"),
    ("3334445556789TJ22", 3, 2, "3334445522"),
    ("33445566778899TTJJ", 2, 1, ""),
]
"""Hands with their sum of group values, turns and lead (if any), from section 5 of the original rules document."""


def play(rules: RuleSet, hand: str, last: str | int = PASS) -> str:
    """Return the action as text."""
    action = last if isinstance(last, int) else parse_action(last, rules)
    return action_text(int(rhcp(kernel_rules(rules), np.uint64(hand_from_text(hand)), action)))


@pytest.mark.parametrize("rules", [CLASSIC, RLCARD], ids=lambda rules: rules.name)
@pytest.mark.parametrize(("hand", "total", "turns", "lead"), VECTORS)
def test_values_and_leads_of_reference_hands(rules: RuleSet, hand: str, total: int, turns: int, lead: str) -> None:
    assert partition_value(kernel_rules(rules), np.uint64(hand_from_text(hand))) == (total, turns)
    assert not lead or play(rules, hand) == lead


def check_hand(rules: RuleSet, referee: Rhcp, chance: random.Random, hand: str, replies: int) -> None:
    """Assert that a hand's value, lead and replies to moves of every form equal the referee's."""
    kernel, word = kernel_rules(rules), np.uint64(hand_from_text(hand))
    assert partition_value(kernel, word) == referee.value(hand), (rules.name, hand)
    assert reading_of(int(rhcp(kernel, word, PASS))) == referee.lead(hand), (rules.name, hand)
    for _ in range(replies):
        draw = chance.choice([any_hand, dense_hand])
        by_form: dict[int, list[int]] = {}
        for action in leads(rules, draw(chance, chance.randrange(1, 18))):
            by_form.setdefault(int(MOVE_TABLE.form_ranks[action]) >> 4, []).append(action)
        last = chance.choice(by_form[chance.choice(list(by_form))])
        ours = int(rhcp(kernel, word, last))
        theirs = referee.reply(hand, reading_of(last))
        assert (None if ours == PASS else reading_of(ours)) == theirs, (rules.name, hand, action_text(last))


@pytest.mark.parametrize("preset", PRESETS)
def test_decisions_match_referee_under_presets(preset: str) -> None:
    rules, chance = BOOK.presets[preset], random.Random(preset)
    rules_dict = {axis.name: axis.value for axis in rules}
    for size in [*range(1, 15), *range(1, 21)]:
        draw = chance.choice([any_hand, dense_hand])
        check_hand(rules, Rhcp(rules_dict), chance, draw(chance, size), replies=12)


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_decisions_match_referee_under_any_rules(data: st.DataObject) -> None:
    rules = choose_rules(lambda values: data.draw(st.sampled_from(values)))
    chance = random.Random(data.draw(st.integers(0, 2**32)))
    hand = data.draw(st.sampled_from([any_hand, dense_hand]))(chance, data.draw(st.integers(1, 14)))
    check_hand(rules, Rhcp({axis.name: axis.value for axis in rules}), chance, hand, replies=6)


def test_forbidden_groups_are_neither_led_nor_recognized() -> None:
    assert play(DOUZERO, "333444BR") == "333444BR"
    assert play(CLASSIC, "333444BR") == "BR"


def test_replies_depend_on_value_of_rest() -> None:
    assert play(RLCARD, "4", "3") == "4"
    assert play(RLCARD, "4444", "55") == "4444"
    assert play(RLCARD, "333344", "K") == "3333"
    assert play(RLCARD, "342222", "44455") == "pass"
    assert play(RLCARD, "BR5", "34567") == "BR"
    assert play(RLCARD, "BR", "34567") == "pass", (
        "a hand that is one bomb or rocket is not recognized in reply to a solo chain"
    )


def test_bids_follow_the_sum_of_group_values() -> None:
    rules = kernel_rules(CLASSIC)
    between_thresholds = [("33445678TTJQKK99A", 0), ("345678TTJJ2R", 1), ("2222", 2), ("3333BR", 3)]
    at_thresholds = [("3456789TJQKA2", 1), ("JJJJ", 2), ("BR", 3)]
    for hand, bid in between_thresholds + at_thresholds:
        assert rhcp_bid(rules, np.uint64(hand_from_text(hand))) == bid, hand
