"""Named scenarios of Uno's rules, played through the public API.

Scenario names begin with O for `official`, C for `common` with changed rules, S for `simplified`, L for `rlcard`. A
test's name, or a row of a table, has the names of the scenarios it plays. Seats are P0, P1, ...; P0 is to move unless a
test says otherwise.
"""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import cardgames
from cardgames import InvalidInput, State
from cardgames.uno.cards import DECK
from cardgames.uno.game import Uno
from cardgames.uno.notation import card_text

NAMES = (
    [f"O{n}" for n in (1, 2, 4, 5, 7, 8, 10, 11, 13, 14, 16, 17, 19, 20, 22, 23, 25, 26, 28, 29, 31, 32, 34, 35, 37)]
    + [f"O{n}" for n in (38, 40, 41, 43, 44, 46, 47)]
    + [f"C{n}" for n in (1, 2, 4, 5, 6, 7, 8, 10, 11, 13, 14, 16, 17, 19, 20, 22, 25, 26, 28, 29, 31, 32, 34, 35, 37)]
    + [f"C{n}" for n in (38, 40, 41)]
    + [f"S{n}" for n in (1, 2, 4, 5, 7, 8, 10, 11, 13, 14, 16, 17, 18, 19, 20, 22, 23, 25, 26, 28, 29, 30, 31, 32)]
    + [f"S{n}" for n in (34, 35, 37, 38, 40, 41)]
    + [f"L{n}" for n in (1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 14, 15, 16, 17, 19, 20, 22, 23, 26, 27, 28, 29, 30, 31)]
    + [f"L{n}" for n in (32, 33, 34, 35, 37, 38, 40, 41, 43, 44)]
)
"""Names of all scenarios."""

LEFT_OUT = (
    ("O47", "there are no partners"),
    ("C41", "several identical cards cannot be played at once"),
    ("L37", "RLCard stops with an IndexError; here a draw from empty piles is an idle turn (see test_rlcard.py)"),
    ("L43", "an error of RLCard's environment, which always has two players"),
    ("L44", "an error of RLCard's environment after an illegal action"),
)
"""Scenarios without a test, and why."""


def set_up(rules: str, *hands: str | int | None, **parts: Any) -> State:
    """Return a position under a preset with changed rules.

    For example, `set_up("common stacking=same", "rd r1", "bd r1 g1", top="r5")`.
    """
    preset, *overrides = rules.split()
    game = cardgames.make("uno", players=len(hands), rules=preset, overrides=overrides)
    return game.position(hands=hands, **parts)


def play(state: State, *actions: str) -> State:
    """Play the actions and return the state."""
    for text in actions:
        state.apply_action(state.game.parse_action(text))
    return state


def legal(state: State) -> set[str]:
    """Return the legal actions as text; `w` and `f` stand for all four colors of a wild."""
    texts = {state.action_to_string(action) for action in state.legal_actions()}
    for wild in "wf":
        named = {f"{wild}:{color}" for color in "rgby"}
        if named <= texts:
            texts = texts - named | {wild}
    return texts


def hand(state: State, seat: int) -> str:
    """Return a hand as text, sorted by color, then face, wilds last."""
    text: str = state.to_dict()["hands"][seat]
    return text


def hand_sizes(state: State) -> list[int]:
    """Return the number of cards in each hand."""
    return [len(cards.split()) for cards in state.to_dict()["hands"]]


def assert_position(state: State, **expected: Any) -> None:
    """Assert fields of the position: `to_move`, `direction`, `top`, `color`, `pending`, `winner` and others."""
    position = state.to_dict()
    assert {name: position[name] for name in expected} == expected


def deal_round(rules: str, players: int, turned_up: str, dealer: int | None = None, then: str = "") -> State:
    """Deal a round with number cards in the hands, the cards `turned_up` next, and then the cards of `then`."""
    preset, *overrides = rules.split()
    game = cardgames.make("uno", players=players, rules=preset, overrides=overrides)
    named_cards = f"{turned_up} {then}".split()
    remaining = [card_text(int(card)) for card in DECK]
    for card in named_cards:
        remaining.remove(card)
    remaining.sort(key=lambda card: card[-1] not in "0123456789")
    cards = players * int(game.rules["hand-size"])
    return game.new_initial_state(deck=remaining[:cards] + named_cards + remaining[cards:], dealer=dealer)


LITERAL = "simplified match=number"
HARD = "common wild-four=no-color challenge=off"
LEGAL: list[tuple[str, str, str, str, str]] = [
    ("O1", "official", "r5", "r9 b2", "r9 draw"),
    ("O2", "official", "r5", "b5", "b5 draw"),
    ("O4", "official", "r5", "g7 b2", "draw"),
    ("O5", "official", "w:b", "b3 r3 w", "b3 w draw"),
    ("O7", "official", "r5", "r9 f", "r9 f draw"),
    ("O7", "official wild-four=no-color challenge=off", "r5", "r9 f", "r9 draw"),
    ("O8", "official", "r5", "b5 f", "b5 f draw"),
    ("C5", HARD, "r5", "r9 f", "r9 draw"),
    ("C5", HARD, "r5", "b5 f", "b5 f draw"),
    ("C40", "common last-card=number-only", "r5", "rs", "draw"),
    ("S5", "simplified", "r5", "r9", "r9 draw"),
    ("S7", "simplified", "rs", "bs", "bs draw"),
    ("S7", LITERAL, "rs", "bs", "draw"),
    ("S8", "simplified", "r5", "r9 f", "r9 f draw"),
    ("S10", "simplified", "w:b", "b3 r3", "b3 draw"),
    ("S11", "simplified", "w:b", "w", "w draw"),
    ("S11", "simplified", "f:b", "f", "f draw"),
    ("S17", "simplified", "r5", "g7", "draw"),
    ("L1", "rlcard", "g5", "r1 g7", "g7"),
    ("L2", "rlcard", "g5", "r5", "r5"),
    ("L3", "rlcard", "gs", "rs", "rs"),
    ("L4", "rlcard", "g5", "r1 w", "w"),
    ("L5", "rlcard", "g5", "f r5", "r5"),
    ("L6", "rlcard", "g5", "f w", "w"),
    ("L7", "rlcard", "g5", "f r1", "f"),
    ("L8", "rlcard", "g5", "r1", "draw"),
]
"""Scenario, rules, top card, hand, legal actions."""


@pytest.mark.parametrize(("name", "rules", "top", "held", "expected"), LEGAL)
def test_legal_actions_at_start_of_turn(name: str, rules: str, top: str, held: str, expected: str) -> None:
    assert legal(set_up(rules, held, None, None, None, top=top)) == set(expected.split())


official_and_common = pytest.mark.parametrize("rules", ["official", "common"])
"""The official scenarios up to O46, except those with points, also hold under `common`."""


def test_O7_challenge_of_bluffed_wild_four_succeeds() -> None:
    state = play(set_up("official", "r9 f y1", "g1 g2", None, None, top="r5"), "f:g", "challenge")
    assert hand_sizes(state)[:2] == [6, 2]


@official_and_common
def test_O8_wild_four_with_only_a_face_match_in_hand_is_no_bluff(rules: str) -> None:
    state = play(set_up(rules, "b5 f y1", "g1 g2", None, None, top="r5"), "f:g", "challenge")
    assert hand_sizes(state)[:2] == [2, 8]


@official_and_common
@pytest.mark.parametrize(("held", "guilty"), [("b1 f y1", True), ("r1 f y1", False)])
def test_O10_challenge_depends_on_color_named_before(rules: str, held: str, guilty: bool) -> None:
    state = play(set_up(rules, held, "g1 g2", None, None, top="w:b"), "f:g", "challenge")
    assert hand_sizes(state)[:2] == ([6, 2] if guilty else [2, 8])


@official_and_common
def test_O11_playable_drawn_card_may_be_kept(rules: str) -> None:
    state = play(set_up(rules, "g7", None, None, None, top="r5", draw="r1"), "draw")
    assert legal(state) == {"r1", "keep"}
    play(state, "keep")
    assert hand(state, 0) == "r1 g7"
    assert_position(state, to_move=1)


@official_and_common
def test_O13_turn_ends_after_drawing_an_unplayable_card(rules: str) -> None:
    state = play(set_up(rules, "g7", None, None, None, top="r5", draw="g1"), "draw")
    assert hand(state, 0) == "g1 g7"
    assert_position(state, to_move=1)


@official_and_common
def test_O14_only_the_drawn_card_may_be_played_after_drawing(rules: str) -> None:
    state = play(set_up(rules, "r9", None, None, None, top="r5", draw="b5"), "draw")
    assert legal(state) == {"b5", "keep"}


@official_and_common
def test_O16_player_names_the_color_of_a_drawn_wild(rules: str) -> None:
    state = play(set_up(rules, "g7", None, None, None, top="r5", draw="w"), "draw")
    assert legal(state) == {"w", "keep"}
    assert_position(play(state, "w:b"), color="b")


@pytest.mark.parametrize("rules", ["official", "common", "simplified"])
def test_O17_S13_skip_skips_the_next_player(rules: str) -> None:
    assert_position(play(set_up(rules, "rs y1 y2", None, None, None, top="r5"), "rs"), to_move=2)


@official_and_common
def test_O19_draw_two_makes_next_player_draw_and_skips_it(rules: str) -> None:
    state = play(set_up(rules, "rd y1 y2", "g1", None, None, top="r5", draw="b1 b2"), "rd")
    assert hand(state, 1) == "g1 b1 b2"
    assert_position(state, to_move=2)


@official_and_common
def test_O20_accepting_wild_four_draws_four_and_skips_the_turn(rules: str) -> None:
    state = play(set_up(rules, "f y1 y2", "g1", None, None, top="r5"), "f:g", "accept")
    assert hand_sizes(state)[1] == 5
    assert_position(state, to_move=2, color="g")


@pytest.mark.parametrize(("name", "card"), [("O22", "rs"), ("O23", "rd")])
@official_and_common
def test_O22_O23_skip_and_draw_two_give_another_turn_with_two_players(rules: str, name: str, card: str) -> None:
    state = play(set_up(rules, f"{card} y1 y2", "g1", top="r5"), card)
    assert hand_sizes(state) == [2, 3 if card == "rd" else 1]
    assert_position(state, to_move=0)


@official_and_common
def test_O25_successful_challenge_makes_the_bluffer_draw_four(rules: str) -> None:
    state = play(set_up(rules, "r9 f b1", "y1 y2", None, None, top="r5"), "f:g")
    assert legal(state) == {"challenge", "accept"}
    play(state, "challenge")
    assert hand_sizes(state)[:2] == [6, 2]
    assert_position(state, to_move=1, color="g")


@official_and_common
def test_O26_challenge_of_legal_wild_four_draws_six(rules: str) -> None:
    state = play(set_up(rules, "b9 f", "y1 y2", None, None, top="r5"), "f:g", "uno", "challenge")
    assert hand_sizes(state)[:2] == [1, 8]
    assert_position(state, to_move=2)


@official_and_common
def test_O28_wild_four_as_last_card_cannot_be_challenged(rules: str) -> None:
    state = play(set_up(rules, "f", "y1", None, None, top="r5"), "f:g")
    assert state.is_terminal() and hand_sizes(state)[:2] == [0, 5]
    assert_position(state, winner=0)


@official_and_common
def test_O29_wild_four_is_rejected_as_start_card(rules: str) -> None:
    position = deal_round(rules, 4, "f r3", dealer=3).to_dict()
    assert (position["top"], position["discard"]) == ("r3", ["r3"])
    assert position["draw_pile"].count("f") == 4


def test_O29_rejected_start_card_goes_to_random_place_in_pile() -> None:
    game = cardgames.make("uno", players=2, rules="official")
    left = [card_text(int(card)) for card in DECK]
    first = "f f f r1 r2 r4 r5 g1 g2 g3 g4 g5 g6 g7 f r3".split()
    for card in first:
        left.remove(card)
    places = set()
    for seed in range(200):
        pile = game.new_initial_state(seed=seed, deck=first + left, dealer=0).to_dict()["draw_pile"]
        places.add(pile.index("f"))
        assert [card for card in pile if card != "f"] == left
    assert places <= set(range(93)) and min(places) < 5 and max(places) > 87 and len(places) > 60


@official_and_common
def test_O31_O32_start_cards_draw_two_and_skip(rules: str) -> None:
    state = deal_round(rules, 4, "rd", dealer=3)  # O31
    assert hand_sizes(state) == [9, 7, 7, 7]
    assert_position(state, to_move=1)
    assert_position(deal_round(rules, 4, "rs", dealer=3), to_move=1)  # O32


@official_and_common
def test_O34_start_cards_with_two_players_skip_the_opener(rules: str) -> None:
    for card, held in (("rv", [7, 7]), ("rs", [7, 7]), ("rd", [9, 7])):
        state = deal_round(rules, 2, card, dealer=1)
        assert hand_sizes(state) == held
        assert_position(state, to_move=1)


@official_and_common
def test_O35_player_without_uno_call_is_caught_and_draws_two(rules: str) -> None:
    state = play(set_up(rules, "r9 b2", None, None, None, top="r5"), "r9", "quiet")
    assert legal(state) == {"catch 0", "let go"}
    play(state, "let go", "catch 0")  # P1 lets go, P2 catches
    assert hand_sizes(state)[0] == 3
    assert_position(state, to_move=1, phase="play")


@official_and_common
def test_O37_player_who_called_uno_cannot_be_caught(rules: str) -> None:
    state = play(set_up(rules, "r9 b2", None, None, None, top="r5"), "r9", "uno")
    with pytest.raises(InvalidInput, match="catch 0 is not legal"):
        play(state, "catch 0")
    assert hand_sizes(state) == [1, 7, 7, 7]


def test_O38_cards_drawn_for_a_last_draw_two_count_as_points() -> None:
    state = play(set_up("official", "rd", "g1", "y1", "y2", top="r5", draw="b1 b2"), "rd")
    assert hand(state, 1) == "g1 b1 b2" and state.current_player() == -1
    assert state.returns() == [7, -4, -1, -2]


def test_O40_payoffs_are_points_of_the_hands() -> None:
    # an opponent with an empty hand would have won, so there are two opponents instead of three
    state = play(set_up("official", "g5", "r9 gs w", "b0 f yd", top="g1"), "g5")
    assert state.returns() == [149, -79, -70]


class RecordingGame(Uno):
    """Game that records every round it deals."""

    def __init__(self, *args: Any):
        super().__init__(*args)
        self.rounds: list[State] = []

    def new_initial_state(self, *args: Any, **kwargs: Any) -> State:
        self.rounds.append(super().new_initial_state(*args, **kwargs))
        position = self.rounds[-1].to_dict()
        assert sum(hand_sizes(self.rounds[-1])) + len(position["draw_pile"] + position["discard"]) == 108
        return self.rounds[-1]


def test_O41_match_ends_at_500_points_and_not_before() -> None:
    game = RecordingGame(2, "official", ["draw-when=stuck"])
    result = cardgames.play_match(game, ["reflex", "reflex"], games=2, seed=3, match=True)
    scores, matches = [0.0, 0.0], 0
    for state in game.rounds:
        assert max(scores) < 500
        winner = state.to_dict()["winner"]
        scores[winner] += state.returns()[winner]
        if max(scores) >= 500:
            scores, matches = [0.0, 0.0], matches + 1
    assert scores == [0, 0] and matches == result.games == 2


@official_and_common
def test_O43_pile_is_refilled_in_the_middle_of_a_penalty(rules: str) -> None:
    state = set_up(rules, "f g1 g2", 30, 30, 35, top="r5", pile=1)
    last = state.to_dict()["draw_pile"]
    play(state, "f:g")
    assert len(state.to_dict()["discard"]) == 10
    play(state, "accept")
    position = state.to_dict()
    assert hand_sizes(state)[1] == 34 and last[0] in hand(state, 1).split()
    assert (position["top"], position["discard"], len(position["draw_pile"])) == ("f:g", ["f"], 6)


@official_and_common
def test_O44_penalty_draws_what_is_left_of_empty_piles(rules: str) -> None:
    # a penalty follows a played card, so there is always one card under it: the victim draws that one instead of two;
    # P0, who is caught afterwards, draws nothing
    state = set_up(rules, "rd g1", 35, 35, 35, top="r5", pile=0)
    play(state, "rd", "quiet")
    assert hand_sizes(state) == [1, 36, 35, 35]
    play(state, "catch 0")
    assert hand_sizes(state) == [1, 36, 35, 35] and state.to_dict()["discard"] == ["rd"]
    assert_position(state, to_move=2)


@official_and_common
def test_O46_two_to_ten_players(rules: str) -> None:
    state = deal_round(rules, 10, "r3")
    position = state.to_dict()
    assert hand_sizes(state) == [7] * 10 and len(position["discard"]) == 1 and len(position["draw_pile"]) == 37
    for players in (1, 11):
        with pytest.raises(InvalidInput, match="2 to 10 players"):
            cardgames.make("uno", players=players, rules=rules)


def test_C1_C2_payoffs_of_win_loss() -> None:
    assert play(set_up("common", "r9", None, None, None, top="r5"), "r9").returns() == [1, -1, -1, -1]  # C1
    state = set_up("common", None, None, None, "r9", None, top="r5", to_move=3)  # C2
    assert play(state, "r9").returns() == [-1, -1, -1, 1, -1]


def test_C4_wild_four_draws_at_once_without_challenges() -> None:
    state = play(set_up("common challenge=off", "r9 f y1", "g1", None, None, top="r5"), "f:g")
    assert hand_sizes(state)[1] == 5
    assert_position(state, to_move=2, phase="play")


def test_C6_C7_draw_two_on_draw_two_doubles_the_penalty() -> None:
    state = play(set_up("common stacking=same", "rd y1 y2", "bd r1 g1", "y3", None, top="r5"), "rd")
    assert legal(state) == {"bd", "take"}  # C6
    play(state, "bd")  # C7
    assert hand_sizes(state)[2] == 5
    assert_position(state, to_move=3, top="bd", color="b")


def test_C8_stack_of_draw_twos_comes_back_to_its_first_player() -> None:
    hands = ("rd y1 y2", "bd y1 y3", "gd g1 g2", "yd g3 g4")
    state = play(set_up("common stacking=same", *hands, top="r5"), "rd", "bd", "gd", "yd")
    assert hand_sizes(state) == [10, 2, 2, 2]
    assert_position(state, to_move=1, pending=0)


def test_C10_wild_four_stacks_on_draw_two_under_up() -> None:
    hands = ("rd y1 y2", "f g1 g2", "y3 f", None)
    state = play(set_up("common stacking=same", *hands, top="r5"), "rd")
    assert hand_sizes(state)[1] == 5  # drawn without a decision
    state = play(set_up("common stacking=up", *hands, top="r5"), "rd")
    assert legal(state) == {"f", "take"}
    assert_position(play(state, "f:g"), pending=6, to_move=2)


@pytest.mark.parametrize("stacking", ["same", "up", "any"])
def test_C11_draw_two_stacks_on_wild_four_under_any(stacking: str) -> None:
    hands = ("f y1 y2", "rd g1 g2", "y3 gd", None)
    state = play(set_up(f"common stacking={stacking}", *hands, top="r5"), "f:r")
    if stacking == "any":
        assert legal(state) == {"rd", "challenge", "take"}
        assert_position(play(state, "rd"), pending=6, to_move=2)
    else:
        assert legal(state) == {"challenge", "take"}


def test_C13_cards_drawn_as_penalty_cannot_be_stacked() -> None:
    hands = ("rd y1 y2", "bd g1 g2", "gd b1 b2", None)
    state = play(set_up("common stacking=same", *hands, top="r5", draw="yd b3 b4 b5"), "rd", "bd", "take")
    assert "yd" in hand(state, 2).split() and hand_sizes(state)[2] == 7
    assert_position(state, to_move=3, phase="play")


def test_C14_stacked_last_card_wins() -> None:
    state = play(set_up("common stacking=same", "rd y1 y2", "bd", "gd y3", None, top="r5"), "rd", "bd")
    assert hand_sizes(state)[2] == 6 and state.is_terminal()
    assert_position(state, winner=1)


def test_C16_wild_four_can_be_challenged_or_stacked() -> None:
    hands = ("r9 f y1", "f r1 r2", "b1 b2", None)
    state = play(set_up("common stacking=same", *hands, top="r5"), "f:g")
    assert legal(state) == {"f", "challenge", "take"}
    challenged, stacked = play(state.clone(), "challenge"), play(state, "f:b")
    assert hand_sizes(challenged)[:2] == [6, 3]
    assert_position(challenged, to_move=1)
    play(stacked, "challenge")  # challenges P1, who held no green card; P0's bluff can no longer be challenged
    assert hand_sizes(stacked)[:3] == [2, 2, 12]


def test_C17_bluffer_draws_the_whole_stack_after_a_challenge() -> None:
    hands = ("b9 f y1", "f g1 g2", "b1 b2", None)
    state = play(set_up("common stacking=same", *hands, top="r5"), "f:g", "f:b", "challenge")
    assert hand_sizes(state)[:3] == [2, 10, 2]
    assert_position(state, to_move=2, pending=0)


def test_C19_identical_card_jumps_in_and_play_goes_on_from_there() -> None:
    state = play(set_up("common jump-in=identical", "r5 y1 y2", "g1", "g2", "r5 b1 b2", top="r9"), "r5")
    assert state.current_player() == 3 and legal(state) == {"jump r5", "no jump"}
    play(state, "jump r5")
    assert "seat 3 jumps in with r5" in state.observation(0).to_dict()["history"]
    assert hand_sizes(state) == [2, 1, 1, 2]
    assert_position(state, top="r5", to_move=0)


def test_C20_same_number_in_other_color_cannot_jump_in() -> None:
    state = play(set_up("common jump-in=identical", "r5 y1 y2", "g1", "g2", "b5 b1 b2", top="r9"), "r5")
    assert_position(state, to_move=1, phase="play")


def test_C22_jumping_in_with_last_card_wins() -> None:
    state = play(set_up("common jump-in=identical", "r5 y1 y2", "g1", "g2", "r5", top="r9"), "r5", "jump r5")
    assert state.returns() == [-1, -1, -1, 1]


def test_C25_penalty_is_drawn_before_jumping_in() -> None:
    state = play(set_up("common jump-in=identical", "rd y1 y2", "g1", "g2", "rd b1 b2", top="r9"), "rd")
    assert hand_sizes(state)[1] == 3 and legal(state) == {"jump rd", "no jump"}
    assert hand_sizes(play(state, "jump rd")) == [4, 3, 1, 2]


def test_C26_jumping_in_adds_to_pending_penalty() -> None:
    rules = "common jump-in=identical stacking=same"
    state = play(set_up(rules, "rd bd y1 y2", "g1", "g2", "rd b1 b2", top="r9"), "rd", "jump rd")
    assert_position(state, pending=4, to_move=0)
    assert legal(state) == {"bd", "take"}


def test_C28_seven_swaps_hands_with_chosen_player() -> None:
    state = play(set_up("common seven-zero=both", "r7 g1 g2", "y1 y2", "b1 b2 b3 b4 b6", None, top="r9"), "r7")
    assert legal(state) == {"swap 1", "swap 2", "swap 3"}
    play(state, "swap 2")
    assert (hand(state, 0), hand(state, 2)) == ("b1 b2 b3 b4 b6", "g1 g2")
    assert_position(state, to_move=1)


def test_C29_seven_as_last_card_wins_without_swap() -> None:
    state = play(set_up("common seven-zero=both", "r7", "y1 y2", None, top="r9"), "r7")
    assert hand(state, 1) == "y1 y2" and state.returns() == [1, -1, -1]


@pytest.mark.parametrize(("direction", "expected"), [(1, ["b1", "g1 g2", "y1 y2"]), (-1, ["y1 y2", "b1", "g1 g2"])])
def test_C31_zero_passes_hands_on_in_direction_of_play(direction: int, expected: list[str]) -> None:
    rules = "common seven-zero=both uno-call=automatic"
    state = play(set_up(rules, "r0 g1 g2", "y1 y2", "b1", top="r9", direction=direction), "r0")
    assert state.to_dict()["hands"] == expected


@pytest.mark.parametrize("card", ["r0", "r7"])
def test_C32_seven_or_zero_swaps_hands_of_two_players(card: str) -> None:
    state = play(set_up("common seven-zero=both", f"{card} g1 g2", "y1 y2 y3", top="r9"), card)
    assert state.to_dict()["hands"] == ["y1 y2 y3", "g1 g2"]
    assert_position(state, to_move=1, phase="play")


@pytest.mark.parametrize("card", ["r0", "r7"])
def test_C34_seven_or_zero_as_start_card_moves_no_hands(card: str) -> None:
    state = deal_round("common seven-zero=both", 4, card, dealer=3)
    assert state.to_dict()["hands"] == deal_round("common", 4, card, dealer=3).to_dict()["hands"]
    assert_position(state, to_move=0, phase="play")


def test_C35_C37_draw_until_playable() -> None:
    given: dict[str, Any] = {"top": "r5", "draw": "g1 b2 r9"}
    state = play(set_up("common draw-how=until-playable", "g7", None, None, None, **given), "draw")  # C35
    assert hand(state, 0) == "r9 g1 g7 b2" and legal(state) == {"r9", "keep"}
    rules = "common draw-how=until-playable drawn-card=auto-play"
    state = play(set_up(rules, "g7", None, None, None, **given), "draw")  # C37
    assert hand(state, 0) == "g1 g7 b2"
    assert_position(state, top="r9", to_move=1)


@pytest.mark.parametrize("drawn_card", ["must-play", "auto-play"])
def test_C38_drawn_wild_must_be_played(drawn_card: str) -> None:
    state = play(set_up(f"common drawn-card={drawn_card}", "g7", None, None, None, top="r5", draw="w"), "draw")
    assert legal(state) == {"w"}
    assert_position(play(state, "w:y"), color="y")


def test_S1_S2_S4_rejected_start_cards_are_buried() -> None:
    state = deal_round("simplified", 4, "rs f b7", dealer=2)  # S1
    position = state.to_dict()
    assert position["discard"] == ["rs", "f", "b7"] and len(position["draw_pile"]) == 108 - 28 - 3
    assert hand_sizes(state) == [7] * 4
    assert_position(state, top="b7", to_move=2, direction=1)  # S4
    assert_position(play(state, "b7" if "b7" in legal(state) else "draw"), direction=1)
    assert_position(deal_round("simplified", 4, "g0", dealer=2), top="g0")  # S2


def test_S4_dealer_opens_and_left_neighbor_follows() -> None:
    state = deal_round("simplified", 4, "r3", dealer=2)
    assert_position(state, to_move=2)
    play(state, "draw", "pass")
    assert_position(state, to_move=3)


def test_S14_reverse_changes_direction() -> None:
    assert_position(play(set_up("simplified", "rv y1 y2", None, None, top="r5"), "rv"), to_move=2, direction=-1)


@pytest.mark.parametrize("action", ["rs", "rd", "f:b"])
def test_S16_skips_give_another_turn_with_two_players(action: str) -> None:
    assert_position(play(set_up("simplified", f"{action[:2].rstrip(':')} y1 y2", None, top="r5"), action), to_move=0)


def test_S18_S19_S20_S22_player_draws_until_satisfied() -> None:
    state = play(set_up("simplified", "g7", None, None, top="r5", draw="g1 b2 r9"), "draw")
    assert legal(state) == {"draw", "pass"}  # S18
    play(state, "draw")
    passed = play(state.clone(), "pass")  # S19
    assert hand_sizes(passed)[0] == 3
    assert_position(passed, to_move=1)
    play(state, "draw")
    assert legal(state) == {"r9", "draw", "pass"}  # S20
    with pytest.raises(InvalidInput, match="g7 is not legal"):  # S22
        play(state, "g7")


def test_S23_S41_drawn_wild_may_name_the_color_in_force() -> None:
    state = play(set_up("simplified", "g7", None, None, top="r5", draw="w"), "draw")
    assert legal(state) == {"w", "draw", "pass"}  # S23
    assert_position(play(state, "w:r"), color="r")  # S41: the color in force may be named again


def test_S25_number_of_draws_is_not_limited() -> None:
    useless = "g1 g1 g2 g2 g3 g3 b1 b1 b2 b2 b3 b3"
    state = play(set_up("simplified", "g7", None, None, top="r5", draw=useless), *["draw"] * 12)
    assert hand_sizes(state)[0] == 13 and legal(state) == {"draw", "pass"}


def test_S26_any_card_may_be_played_after_drawing() -> None:
    state = play(set_up("simplified", "r9", None, None, top="r5", draw="r1"), "draw")
    assert legal(state) == {"r1", "r9", "draw", "pass"}


def test_S28_refill_keeps_the_top_card() -> None:
    state = play(set_up("simplified", "g7", 101, top="r5", draw="g1", pile=1), "draw")
    assert len(state.to_dict()["discard"]) == 5
    play(state, "draw")
    assert hand_sizes(state)[0] == 3 and state.to_dict()["discard"] == ["r5"]
    assert len(state.to_dict()["draw_pile"]) == 3


def test_S29_buried_start_cards_return_with_the_refill() -> None:
    state = deal_round("simplified", 10, "rs f b7")
    play(state, *["draw"] * 35)
    assert state.to_dict()["draw_pile"] == [] and state.to_dict()["discard"] == ["rs", "f", "b7"]
    play(state, "draw", "draw")
    assert_position(state, top="b7", discard=["b7"])
    assert {"rs", "f"} <= set(hand(state, state.current_player()).split())


def test_S30_S31_idle_turns_of_all_players_void_the_round() -> None:
    state = set_up("simplified", "g7", 106, top="r5", pile=0)
    assert legal(state) == {"draw"}
    play(state, "draw")
    assert hand_sizes(state) == [1, 106]
    assert_position(state, to_move=1)  # S30
    play(state, "draw")
    assert state.is_terminal() and state.returns() == [0, 0]  # S31: the round is void
    assert_position(state, winner=None, void=True)


def test_S31_played_card_resets_the_idle_count() -> None:
    state = set_up("simplified", 105, "rd y1", top="r5", pile=0)
    play(state, "draw", "rd", "draw")  # P0 gets nothing, then the one card under P1's draw two; P1 gets nothing
    assert hand_sizes(state) == [106, 1] and not state.is_terminal()
    assert play(state, "draw").is_terminal()


def test_S32_no_uno_call() -> None:
    assert_position(play(set_up("simplified", "r9 b2", None, None, top="r5"), "r9"), to_move=1, phase="play")


@pytest.mark.parametrize(("name", "action", "taken"), [("S34", "rd", 2), ("S35", "f:b", 4)])
def test_S34_S35_next_player_draws_for_a_last_draw_card(name: str, action: str, taken: int) -> None:
    state = play(set_up("simplified", action[:2].rstrip(":"), "y1", None, top="r5"), action)
    assert hand_sizes(state)[1] == 1 + taken and state.returns() == [1, -1, -1]


def test_S37_S38_encoding_54x5_of_paper_001() -> None:
    state = set_up("simplified", "r5 r5 w w w", None, top="b1")  # S37
    ones = np.flatnonzero(state.game.encode(state.observation(), "54x5"))
    expected = {kind for kind in range(54) if kind not in (5, 52)} | {5 + 108, 52 + 162}
    assert set(ones.tolist()) == expected and len(ones) == 54
    state = set_up("simplified", "f f f f r1", None, top="b1")  # S38
    assert state.game.encode(state.observation(), "54x5")[53 + 216] == 1


def test_S40_two_to_five_players() -> None:
    for players in (2, 3, 4, 5):
        assert cardgames.make("uno", players=players, rules="simplified").num_players == players


L_EFFECTS: list[tuple[str, int, str, str, int, int, int]] = [
    ("L11", 3, "g7", "", 1, 1, 1),
    ("L12", 3, "gs", "", 2, 1, 1),
    ("L13", 2, "gs", "", 0, 1, 1),
    ("L14", 3, "gv", "", 2, -1, 1),
    ("L15", 2, "gv", "", 1, -1, 1),
    ("L16", 3, "gd", "r7 r8", 2, 1, 3),
    ("L17", 2, "gd", "r7 r8", 0, 1, 3),
]
"""Scenario, players, card played, next cards of the pile; then the seat to move, the direction and P1's hand size."""


@pytest.mark.parametrize(("name", "players", "card", "draw", "seat", "way", "held"), L_EFFECTS)
def test_effects_of_cards_under_rlcard(
    name: str, players: int, card: str, draw: str, seat: int, way: int, held: int
) -> None:
    others = ["b1", None][: players - 1]
    state = play(set_up("rlcard", f"{card} y1 y2", *others, top="g5", draw=draw), card)
    assert hand_sizes(state)[:2] == [2, held]
    assert_position(state, to_move=seat, direction=way, top=card)


def test_L19_wild_four_under_rlcard() -> None:
    state = play(set_up("rlcard", "f r1 r2", "b1", None, top="g5"), "f:y")
    assert hand_sizes(state)[:2] == [2, 5]
    assert_position(state, to_move=2, color="y")


L_DRAWN: list[tuple[str, int, str, int, int]] = [
    ("L20", 3, "f", 1, 1),
    ("L22", 3, "g9", 1, 1),
    ("L26", 3, "gs", 2, 1),
    ("L27", 3, "gv", 2, -1),
    ("L27", 2, "gv", 1, -1),
]
"""Scenario, players, card drawn; then the seat to move and the direction. The drawn card is played at once."""


@pytest.mark.parametrize(("name", "players", "drawn", "seat", "way"), L_DRAWN)
def test_drawn_card_is_played_at_once_under_rlcard(name: str, players: int, drawn: str, seat: int, way: int) -> None:
    colors = set()
    for seed in range(40):
        others = ["b1", None][: players - 1]
        state = play(set_up("rlcard", "r1", *others, top="g5", draw=drawn, seed=seed), "draw")
        assert hand(state, 0) == "r1" and hand(state, 1) == "b1"
        assert_position(state, to_move=seat, direction=way, discard=["g5", drawn])
        colors.add(state.to_dict()["color"])
    assert colors == (set("rgby") if drawn == "f" else {"g"})  # a wild gets a random color


def test_L23_drawn_card_with_same_face_is_kept() -> None:
    state = play(set_up("rlcard", "r1", None, None, top="g5", draw="r5"), "draw")
    assert hand(state, 0) == "r1 r5"
    assert_position(state, top="g5", to_move=1)


def test_L28_L29_L30_last_cards_under_rlcard() -> None:
    paid = "rlcard payoff=rlcard"
    assert play(set_up(paid, "g7", None, None, top="g5"), "g7").returns() == [1, -1, 0]  # L28
    state = play(set_up(paid, "gd", "b1", None, top="g5"), "gd")  # L29
    assert state.is_terminal() and hand_sizes(state)[1] == 3
    state = play(set_up(paid, "f", "b1", top="g5"), "f:r")  # L30
    assert hand_sizes(state)[1] == 5 and state.returns() == [1, -1]


@pytest.mark.parametrize(
    ("name", "players", "winner", "expected"),
    [
        ("L31", 3, 1, [-1, 1, 0]),
        ("L32", 3, 2, [0, 0, -1]),
        ("L33", 4, 2, [0, 0, 1, -1]),
        ("L33", 4, 3, [0, 0, -1, 1]),
        ("L34", 5, 3, [0, 0, 0, -1, 0]),
    ],
)
def test_payoffs_of_rlcard(name: str, players: int, winner: int, expected: Sequence[float]) -> None:
    hands = ["g7" if seat == winner else None for seat in range(players)]
    assert play(set_up("rlcard payoff=rlcard", *hands, top="g5", to_move=winner), "g7").returns() == expected


def test_L35_refill_includes_the_top_card() -> None:
    drawn = set()
    for seed in range(40):
        state = play(set_up("rlcard", "r1", 104, top="g5", discard="y7 b8", pile=0, seed=seed), "draw")
        position = state.to_dict()
        card = "g5" if hand(state, 0) == "r1" else hand(state, 0).split()[1]
        assert sorted([card, *position["draw_pile"]]) == ["b8", "g5", "y7"]
        assert position["discard"] == (["g5"] if card == "g5" else [])
        assert_position(state, top="g5", to_move=1)
        drawn.add(card)
    assert drawn == {"y7", "b8", "g5"}


def test_L38_played_draw_two_is_part_of_the_refill_for_its_penalty() -> None:
    state = play(set_up("rlcard", "gd b1", 52, 52, top="g5", draw="r9", pile=1, discard=""), "gd")
    position = state.to_dict()
    assert hand_sizes(state)[1] == 54 and len(position["draw_pile"]) == 1 and position["discard"] == []
    assert_position(state, top="gd", to_move=2)


def test_L40_turn_passes_counterclockwise() -> None:
    state = set_up("rlcard", None, None, "r1", top="g5", to_move=2, direction=-1, draw="b9")
    assert_position(play(state, "draw"), to_move=1)


@pytest.mark.parametrize(
    ("card", "seat", "way", "held"),
    [("g3", 0, 1, 7), ("w", 0, 1, 7), ("gs", 1, 1, 7), ("gv", 3, -1, 7), ("gd", 0, 1, 9)],
)
def test_L41_start_cards_under_rlcard(card: str, seat: int, way: int, held: int) -> None:
    state = deal_round("rlcard", 4, card)
    assert hand_sizes(state) == [held, 7, 7, 7]
    assert_position(state, to_move=seat, direction=way)


def test_every_scenario_has_a_test_or_a_reason() -> None:
    tables: tuple[list[Any], ...] = (LEGAL, L_EFFECTS, L_DRAWN)
    played = {row[0] for table in tables for row in table} | {"L31", "L32", "L33", "L34"}
    played |= {name for test in globals() for name in re.findall(r"(?<=_)[OCSL]\d+(?=_)", test)}
    left_out = {name for name, _ in LEFT_OUT}
    assert not played & left_out
    assert played | left_out == set(NAMES)
