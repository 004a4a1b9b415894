"""Tests of the policy HABITS: what each style plays, names and forgets."""

import numpy as np
import pytest

import cardgames
from cardgames.core import ops
from cardgames.core.game_registry import make
from cardgames.kernels.rng import stream
from cardgames.uno.policies.habits import FORGETS_TO_CATCH, FORGETS_UNO, NUM_WEIGHTS, STYLES, style_parameters
from cardgames.uno.policies.rule_policies import HABITS

GAME = make("uno", rules="common")


def choices(style: str, hands: list[str | int], top: str, *played: str, seeds: int = 40) -> set[str]:
    """Return what a style plays with the random streams from 0 on, after the actions `played`."""
    state = GAME.position(hands=hands, top=top)
    for text in played:
        state.apply_action(GAME.parse_action(text))
    parameters = style_parameters(GAME, style)
    record = state.observation().record
    actions = {int(ops.policy(GAME.kernel_rules, record, HABITS, parameters, stream(seed))) for seed in range(seeds)}
    return {GAME.action_to_string(action) for action in actions}


def test_beginner_keeps_action_cards_and_wilds_to_the_end() -> None:
    assert choices("beginner", ["r5 rs rd w f", 7], "r8") == {"r5"}
    assert choices("beginner", ["b5 rs rd w f", 7], "r8") == {"rs"}


def test_casual_plays_action_cards_at_once() -> None:
    assert choices("casual", ["r5 rs rd w f", 7], "r8") == {"rd"}


def test_beginner_names_any_color_and_casual_the_one_held_most() -> None:
    assert choices("beginner", ["w b1 b2", 7], "r8") == {"w:r", "w:g", "w:b", "w:y"}
    assert choices("casual", ["w b1 b2", 7], "r8") == {"w:b"}


@pytest.mark.parametrize(("style", "calls"), [("beginner", {"uno", "quiet"}), ("careful", {"uno"})])
def test_uno_may_be_forgotten(style: str, calls: set[str]) -> None:
    assert choices(style, ["r5 r6", 7], "r8", "r5") == calls


@pytest.mark.parametrize(("style", "answer"), [("beginner", "let go"), ("casual", "let go"), ("careful", "catch 0")])
def test_only_careful_catches(style: str, answer: str) -> None:
    assert choices(style, ["r5 r6", "b1 b2"], "r8", "r5", "quiet") == {answer}


def test_careful_is_linear_without_what_it_does_not_look_at() -> None:
    careful = style_parameters(GAME, "careful")
    linear = GAME.policy("linear").weights
    assert careful[FORGETS_UNO] == careful[FORGETS_TO_CATCH] == 0
    unequal = np.flatnonzero(careful[:NUM_WEIGHTS] != linear) % 10
    assert set(unequal) == {7, 8, 9}


def test_styles_are_options_of_the_agent() -> None:
    for style in STYLES:
        assert cardgames.agent(f"habits:style={style}", GAME).name == "habits"
    with pytest.raises(cardgames.InvalidInput, match="value of option style 'sly'"):
        cardgames.agent("habits:style=sly", GAME)
