"""Tests of the evidence that actions in the auction and in doubling give on the other hands."""

import numpy as np
import pytest

from cardgames.core.game_registry import make
from cardgames.doudizhu.auction_model.encoding import (
    DOUBLED,
    NOBODY,
    NOT_ASKED,
    NUM_INPUTS,
    PASSED,
    read_evidence,
    write_inputs,
)
from cardgames.doudizhu.cards import hand_from_text

WEAK, NOT_STRONG, ANY, FAIR, STRONG = (0, 0), (0, 1), (0, 2), (1, 2), (2, 2)


def evidence(rules: str, *said: str) -> tuple[list[tuple[int, int]], list[int]]:
    """Return the levels and the answers of the next seat and the seat before, after actions from seat 0 on."""
    game = make("doudizhu", 3, rules)
    state = game.position(hands=[None, None, None], to_move=0, seed=1)
    for text in said:
        state.apply_action(game.parse_action(text))
    low, high, doubling = np.zeros(2, np.int64), np.zeros(2, np.int64), np.zeros(2, np.int64)
    read_evidence(state.record, np.int64(state.current_player()), low, high, doubling)
    return list(zip(low.tolist(), high.tolist(), strict=True)), doubling.tolist()


@pytest.mark.parametrize(
    ("rules", "said", "levels"),
    [
        ("classic", [], [ANY, ANY]),
        ("classic", ["pass"], [ANY, WEAK]),
        ("classic", ["bid 1"], [ANY, FAIR]),
        ("classic", ["pass", "bid 1"], [WEAK, FAIR]),
        ("classic", ["bid 1", "pass"], [FAIR, NOT_STRONG]),
        ("classic", ["bid 1", "bid 2"], [FAIR, STRONG]),
        ("classic", ["bid 1", "bid 2", "pass"], [STRONG, NOT_STRONG]),
        ("online", ["call", "pass"], [FAIR, NOT_STRONG]),
        ("online", ["call", "rob", "pass"], [STRONG, NOT_STRONG]),
        ("online", ["pass", "call"], [WEAK, FAIR]),
    ],
)
def test_actions_in_the_auction_bound_the_levels(rules: str, said: list[str], levels: list[tuple[int, int]]) -> None:
    assert evidence(rules, *said) == (levels, [NOT_ASKED, NOT_ASKED])


@pytest.mark.parametrize(
    ("said", "doubling"),
    [
        ([], [NOT_ASKED, NOT_ASKED]),
        (["pass"], [NOT_ASKED, PASSED]),
        (["double"], [NOT_ASKED, DOUBLED]),
        (["pass", "double"], [PASSED, DOUBLED]),
    ],
)
def test_answers_in_doubling_are_evidence(said: list[str], doubling: list[int]) -> None:
    assert evidence("online", "call", "pass", "pass", *said)[1] == doubling


def test_landlord_that_robbed_back_is_strong() -> None:
    levels, _ = evidence("online", "call", "rob", "pass", "rob")
    assert levels == [NOT_STRONG, STRONG]


def test_inputs_hold_the_cards() -> None:
    hand, bottom, both = np.uint64(hand_from_text("3334R")), np.uint64(hand_from_text("34B")), np.zeros(2, np.int64)
    out = np.full(NUM_INPUTS, 7, np.int8)
    write_inputs(hand, bottom, np.int64(NOBODY), both, both + 2, both, out)
    assert out[:54].sum() == 5 and out[54:108].sum() == 3 and out[108] == 1 and out[109:].sum() == 0
    write_inputs(hand, np.uint64(0), np.int64(2), both + 1, both + 1, both, out)
    assert out[54:109].sum() == 0 and out[109:].tolist() == [0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0]
