"""The named scenarios, each through the public API: O official, C common with its toggles, S simplified, L rlcard.

A test's name, or a row of a table, names the scenarios it plays. Seats are P0, P1, ...; P0 is to move unless said.
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
"""Every scenario there is."""

LEFT_OUT = (
    ("O47", "partners are not played"),
    ("C41", "several identical cards at once are not played"),
    ("L37", "RLCard stops with an IndexError; here a draw from nothing is an idle turn (counted in test_rlcard.py)"),
    ("L43", "an error of RLCard's environment, which always has two players"),
    ("L44", "an error of RLCard's environment on an illegal action"),
)
"""What is deliberately not there, and why."""


def at(rules: str, *hands: str | int | None, **parts: Any) -> State:
    """A position under a preset with changes: `at("common stacking=same", "rd r1", "bd r1", top="r5")`."""
    preset, *overrides = rules.split()
    game = cardgames.make("uno", players=len(hands), rules=preset, overrides=overrides)
    return game.position(hands=hands, **parts)


def play(state: State, *actions: str) -> State:
    """Play the actions and return the state."""
    for text in actions:
        state.apply_action(state.game.parse_action(text))
    return state


def legal(state: State) -> set[str]:
    """The legal actions as text; `w` and `f` stand for all four colours of a wild."""
    texts = {state.action_to_string(action) for action in state.legal_actions()}
    for wild in "wf":
        named = {f"{wild}:{color}" for color in "rgby"}
        if named <= texts:
            texts = texts - named | {wild}
    return texts


def hand(state: State, seat: int) -> str:
    """A hand as text, by colour, then face, wilds last."""
    text: str = state.to_dict()["hands"][seat]
    return text


def sizes(state: State) -> list[int]:
    """The number of cards in every hand."""
    return [len(cards.split()) for cards in state.to_dict()["hands"]]


def now(state: State, **expected: Any) -> None:
    """Assert some of the state: `to_move`, `direction`, `top`, `color`, `pending`, `winner`."""
    position = state.to_dict()
    assert {name: position[name] for name in expected} == expected


def dealt(rules: str, players: int, turned_up: str, dealer: int | None = None, then: str = "") -> State:
    """A round that deals numbers and turns up the cards `turned_up`; `then` are the next ones of the pile."""
    preset, *overrides = rules.split()
    game = cardgames.make("uno", players=players, rules=preset, overrides=overrides)
    named = f"{turned_up} {then}".split()
    left = [card_text(int(card)) for card in DECK]
    for card in named:
        left.remove(card)
    left.sort(key=lambda card: card[-1] not in "0123456789")
    cards = players * int(game.rules["hand-size"])
    return game.new_initial_state(deck=left[:cards] + named + left[cards:], dealer=dealer)


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
def test_legal_at_the_start_of_a_turn(name: str, rules: str, top: str, held: str, expected: str) -> None:
    assert legal(at(rules, held, None, None, None, top=top)) == set(expected.split())


house = pytest.mark.parametrize("rules", ["official", "common"])
"""The official scenarios up to O46, points apart, hold under `common` too."""


def test_O7_a_bluff_is_guilty() -> None:
    state = play(at("official", "r9 f y1", "g1 g2", None, None, top="r5"), "f:g", "challenge")
    assert sizes(state)[:2] == [6, 2]


@house
def test_O8_a_number_match_is_innocent(rules: str) -> None:
    state = play(at(rules, "b5 f y1", "g1 g2", None, None, top="r5"), "f:g", "challenge")
    assert sizes(state)[:2] == [2, 8]


@house
@pytest.mark.parametrize(("held", "guilty"), [("b1 f y1", True), ("r1 f y1", False)])
def test_O10_the_colour_named_counts(rules: str, held: str, guilty: bool) -> None:
    state = play(at(rules, held, "g1 g2", None, None, top="w:b"), "f:g", "challenge")
    assert sizes(state)[:2] == ([6, 2] if guilty else [2, 8])


@house
def test_O11_a_drawn_card_may_be_kept(rules: str) -> None:
    state = play(at(rules, "g7", None, None, None, top="r5", draw="r1"), "draw")
    assert legal(state) == {"r1", "keep"}
    play(state, "keep")
    assert hand(state, 0) == "r1 g7"
    now(state, to_move=1)


@house
def test_O13_nothing_to_choose(rules: str) -> None:
    state = play(at(rules, "g7", None, None, None, top="r5", draw="g1"), "draw")
    assert hand(state, 0) == "g1 g7"
    now(state, to_move=1)


@house
def test_O14_after_drawing_only_the_drawn_card(rules: str) -> None:
    state = play(at(rules, "r9", None, None, None, top="r5", draw="b5"), "draw")
    assert legal(state) == {"b5", "keep"}


@house
def test_O16_the_drawer_names_the_colour(rules: str) -> None:
    state = play(at(rules, "g7", None, None, None, top="r5", draw="w"), "draw")
    assert legal(state) == {"w", "keep"}
    now(play(state, "w:b"), color="b")


@pytest.mark.parametrize("rules", ["official", "common", "simplified"])
def test_O17_S13_skip(rules: str) -> None:
    now(play(at(rules, "rs y1 y2", None, None, None, top="r5"), "rs"), to_move=2)


@house
def test_O19_draw_two(rules: str) -> None:
    state = play(at(rules, "rd y1 y2", "g1", None, None, top="r5", draw="b1 b2"), "rd")
    assert hand(state, 1) == "g1 b1 b2"
    now(state, to_move=2)


@house
def test_O20_wild_draw_four_accepted(rules: str) -> None:
    state = play(at(rules, "f y1 y2", "g1", None, None, top="r5"), "f:g", "accept")
    assert sizes(state)[1] == 5
    now(state, to_move=2, color="g")


@pytest.mark.parametrize(("name", "card"), [("O22", "rs"), ("O23", "rd")])
@house
def test_O22_O23_two_players(rules: str, name: str, card: str) -> None:
    state = play(at(rules, f"{card} y1 y2", "g1", top="r5"), card)
    assert sizes(state) == [2, 3 if card == "rd" else 1]
    now(state, to_move=0)


@house
def test_O25_guilty(rules: str) -> None:
    state = play(at(rules, "r9 f b1", "y1 y2", None, None, top="r5"), "f:g")
    assert legal(state) == {"challenge", "accept"}
    play(state, "challenge")
    assert sizes(state)[:2] == [6, 2]
    now(state, to_move=1, color="g")


@house
def test_O26_innocent(rules: str) -> None:
    state = play(at(rules, "b9 f", "y1 y2", None, None, top="r5"), "f:g", "uno", "challenge")
    assert sizes(state)[:2] == [1, 8]
    now(state, to_move=2)


@house
def test_O28_a_last_card_cannot_be_challenged(rules: str) -> None:
    state = play(at(rules, "f", "y1", None, None, top="r5"), "f:g")
    assert state.is_terminal() and sizes(state)[:2] == [0, 5]
    now(state, winner=0)


@house
def test_O29_a_wild_draw_four_does_not_start(rules: str) -> None:
    position = dealt(rules, 4, "f r3", dealer=3).to_dict()
    assert (position["top"], position["discard"]) == ("r3", ["r3"])
    assert position["draw_pile"].count("f") == 4


def test_O29_it_goes_back_to_a_random_place_and_the_others_keep_their_order() -> None:
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


@house
def test_O31_O32_start_cards(rules: str) -> None:
    state = dealt(rules, 4, "rd", dealer=3)  # O31
    assert sizes(state) == [9, 7, 7, 7]
    now(state, to_move=1)
    now(dealt(rules, 4, "rs", dealer=3), to_move=1)  # O32


@house
def test_O34_start_cards_with_two_players(rules: str) -> None:
    for card, held in (("rv", [7, 7]), ("rs", [7, 7]), ("rd", [9, 7])):
        state = dealt(rules, 2, card, dealer=1)
        assert sizes(state) == held
        now(state, to_move=1)


@house
def test_O35_caught(rules: str) -> None:
    state = play(at(rules, "r9 b2", None, None, None, top="r5"), "r9", "quiet")
    assert legal(state) == {"catch 0", "let go"}
    play(state, "let go", "catch 0")  # P1 lets go, P2 catches
    assert sizes(state)[0] == 3
    now(state, to_move=1, phase="play")


@house
def test_O37_called(rules: str) -> None:
    state = play(at(rules, "r9 b2", None, None, None, top="r5"), "r9", "uno")
    with pytest.raises(InvalidInput, match="catch 0 is not legal"):
        play(state, "catch 0")
    assert sizes(state) == [1, 7, 7, 7]


def test_O38_a_draw_two_as_last_card_counts() -> None:
    state = play(at("official", "rd", "g1", "y1", "y2", top="r5", draw="b1 b2"), "rd")
    assert hand(state, 1) == "g1 b1 b2" and state.current_player() == -1
    assert state.returns() == [7, -4, -1, -2]


def test_O40_points() -> None:
    # an opponent with an empty hand would have won, so there are two opponents instead of three
    state = play(at("official", "g5", "r9 gs w", "b0 f yd", top="g1"), "g5")
    assert state.returns() == [149, -79, -70]


class Watched(Uno):
    """Remembers every round dealt."""

    def __init__(self, *given: Any):
        super().__init__(*given)
        self.rounds: list[State] = []

    def new_initial_state(self, *given: Any, **named: Any) -> State:
        self.rounds.append(super().new_initial_state(*given, **named))
        position = self.rounds[-1].to_dict()
        assert sum(sizes(self.rounds[-1])) + len(position["draw_pile"] + position["discard"]) == 108
        return self.rounds[-1]


def test_O41_a_match_ends_at_500_not_before() -> None:
    game = Watched(2, "official", ["draw-when=stuck"])
    result = cardgames.play_match(game, ["reflex", "reflex"], games=2, seed=3, match=True)
    scores, matches = [0.0, 0.0], 0
    for state in game.rounds:
        assert max(scores) < 500
        winner = state.to_dict()["winner"]
        scores[winner] += state.returns()[winner]
        if max(scores) >= 500:
            scores, matches = [0.0, 0.0], matches + 1
    assert scores == [0, 0] and matches == result.games == 2


@house
def test_O43_a_refill_in_the_middle(rules: str) -> None:
    state = at(rules, "f g1 g2", 30, 30, 35, top="r5", pile=1)
    last = state.to_dict()["draw_pile"]
    play(state, "f:g")
    assert len(state.to_dict()["discard"]) == 10
    play(state, "accept")
    position = state.to_dict()
    assert sizes(state)[1] == 34 and last[0] in hand(state, 1).split()
    assert (position["top"], position["discard"], len(position["draw_pile"])) == ("f:g", ["f"], 6)


@house
def test_O44_nothing_left(rules: str) -> None:
    # a penalty follows a card laid, so one card always lies under it: the victim takes that one instead of two; the
    # layer, who is caught after it, finds nothing at all
    state = at(rules, "rd g1", 35, 35, 35, top="r5", pile=0)
    play(state, "rd", "quiet")
    assert sizes(state) == [1, 36, 35, 35]
    play(state, "catch 0")
    assert sizes(state) == [1, 36, 35, 35] and state.to_dict()["discard"] == ["rd"]
    now(state, to_move=2)


@house
def test_O46_players(rules: str) -> None:
    state = dealt(rules, 10, "r3")
    position = state.to_dict()
    assert sizes(state) == [7] * 10 and len(position["discard"]) == 1 and len(position["draw_pile"]) == 37
    for players in (1, 11):
        with pytest.raises(InvalidInput, match="2 to 10 players"):
            cardgames.make("uno", players=players, rules=rules)


def test_C1_C2_win_or_loss() -> None:
    assert play(at("common", "r9", None, None, None, top="r5"), "r9").returns() == [1, -1, -1, -1]  # C1
    state = at("common", None, None, None, "r9", None, top="r5", to_move=3)  # C2
    assert play(state, "r9").returns() == [-1, -1, -1, 1, -1]


def test_C4_no_challenge() -> None:
    state = play(at("common challenge=off", "r9 f y1", "g1", None, None, top="r5"), "f:g")
    assert sizes(state)[1] == 5
    now(state, to_move=2, phase="play")


def test_C6_C7_stacking() -> None:
    state = play(at("common stacking=same", "rd y1 y2", "bd r1 g1", "y3", None, top="r5"), "rd")
    assert legal(state) == {"bd", "take"}  # C6
    play(state, "bd")  # C7
    assert sizes(state)[2] == 5
    now(state, to_move=3, top="bd", color="b")


def test_C8_all_round() -> None:
    hands = ("rd y1 y2", "bd y1 y3", "gd g1 g2", "yd g3 g4")
    state = play(at("common stacking=same", *hands, top="r5"), "rd", "bd", "gd", "yd")
    assert sizes(state) == [10, 2, 2, 2]
    now(state, to_move=1, pending=0)


def test_C10_wild_draw_four_on_draw_two() -> None:
    hands = ("rd y1 y2", "f g1 g2", "y3 f", None)
    state = play(at("common stacking=same", *hands, top="r5"), "rd")
    assert sizes(state)[1] == 5  # taken without a question
    state = play(at("common stacking=up", *hands, top="r5"), "rd")
    assert legal(state) == {"f", "take"}
    now(play(state, "f:g"), pending=6, to_move=2)


@pytest.mark.parametrize("stacking", ["same", "up", "any"])
def test_C11_draw_two_on_wild_draw_four(stacking: str) -> None:
    hands = ("f y1 y2", "rd g1 g2", "y3 gd", None)
    state = play(at(f"common stacking={stacking}", *hands, top="r5"), "f:r")
    if stacking == "any":
        assert legal(state) == {"rd", "challenge", "take"}
        now(play(state, "rd"), pending=6, to_move=2)
    else:
        assert legal(state) == {"challenge", "take"}


def test_C13_cards_taken_are_not_stacked() -> None:
    hands = ("rd y1 y2", "bd g1 g2", "gd b1 b2", None)
    state = play(at("common stacking=same", *hands, top="r5", draw="yd b3 b4 b5"), "rd", "bd", "take")
    assert "yd" in hand(state, 2).split() and sizes(state)[2] == 7
    now(state, to_move=3, phase="play")


def test_C14_won_by_stacking() -> None:
    state = play(at("common stacking=same", "rd y1 y2", "bd", "gd y3", None, top="r5"), "rd", "bd")
    assert sizes(state)[2] == 6 and state.is_terminal()
    now(state, winner=1)


def test_C16_challenge_or_stack() -> None:
    hands = ("r9 f y1", "f r1 r2", "b1 b2", None)
    state = play(at("common stacking=same", *hands, top="r5"), "f:g")
    assert legal(state) == {"f", "challenge", "take"}
    challenged, stacked = play(state.clone(), "challenge"), play(state, "f:b")
    assert sizes(challenged)[:2] == [6, 3]
    now(challenged, to_move=1)
    play(stacked, "challenge")  # of P1, who held no green card; P0's bluff is out of reach
    assert sizes(stacked)[:3] == [2, 2, 12]


def test_C17_the_whole_pile_up_falls_back() -> None:
    hands = ("b9 f y1", "f g1 g2", "b1 b2", None)
    state = play(at("common stacking=same", *hands, top="r5"), "f:g", "f:b", "challenge")
    assert sizes(state)[:3] == [2, 10, 2]
    now(state, to_move=2, pending=0)


def test_C19_jump_in() -> None:
    state = play(at("common jump-in=identical", "r5 y1 y2", "g1", "g2", "r5 b1 b2", top="r9"), "r5")
    assert state.current_player() == 3 and legal(state) == {"jump r5", "no jump"}
    play(state, "jump r5")
    assert "seat 3 jumps in with r5" in state.observation(0).to_dict()["history"]
    assert sizes(state) == [2, 1, 1, 2]
    now(state, top="r5", to_move=0)


def test_C20_a_number_alone_is_not_identical() -> None:
    state = play(at("common jump-in=identical", "r5 y1 y2", "g1", "g2", "b5 b1 b2", top="r9"), "r5")
    now(state, to_move=1, phase="play")


def test_C22_won_by_jumping_in() -> None:
    state = play(at("common jump-in=identical", "r5 y1 y2", "g1", "g2", "r5", top="r9"), "r5", "jump r5")
    assert state.returns() == [-1, -1, -1, 1]


def test_C25_the_penalty_comes_before_the_jump() -> None:
    state = play(at("common jump-in=identical", "rd y1 y2", "g1", "g2", "rd b1 b2", top="r9"), "rd")
    assert sizes(state)[1] == 3 and legal(state) == {"jump rd", "no jump"}
    assert sizes(play(state, "jump rd")) == [4, 3, 1, 2]


def test_C26_a_jump_adds_to_the_pile_up() -> None:
    rules = "common jump-in=identical stacking=same"
    state = play(at(rules, "rd bd y1 y2", "g1", "g2", "rd b1 b2", top="r9"), "rd", "jump rd")
    now(state, pending=4, to_move=0)
    assert legal(state) == {"bd", "take"}


def test_C28_seven() -> None:
    state = play(at("common seven-zero=both", "r7 g1 g2", "y1 y2", "b1 b2 b3 b4 b6", None, top="r9"), "r7")
    assert legal(state) == {"swap 1", "swap 2", "swap 3"}
    play(state, "swap 2")
    assert (hand(state, 0), hand(state, 2)) == ("b1 b2 b3 b4 b6", "g1 g2")
    now(state, to_move=1)


def test_C29_a_seven_as_last_card() -> None:
    state = play(at("common seven-zero=both", "r7", "y1 y2", None, top="r9"), "r7")
    assert hand(state, 1) == "y1 y2" and state.returns() == [1, -1, -1]


@pytest.mark.parametrize(("direction", "expected"), [(1, ["b1", "g1 g2", "y1 y2"]), (-1, ["y1 y2", "b1", "g1 g2"])])
def test_C31_zero(direction: int, expected: list[str]) -> None:
    rules = "common seven-zero=both uno-call=automatic"
    state = play(at(rules, "r0 g1 g2", "y1 y2", "b1", top="r9", direction=direction), "r0")
    assert state.to_dict()["hands"] == expected


@pytest.mark.parametrize("card", ["r0", "r7"])
def test_C32_two_players_swap(card: str) -> None:
    state = play(at("common seven-zero=both", f"{card} g1 g2", "y1 y2 y3", top="r9"), card)
    assert state.to_dict()["hands"] == ["y1 y2 y3", "g1 g2"]
    now(state, to_move=1, phase="play")


@pytest.mark.parametrize("card", ["r0", "r7"])
def test_C34_not_as_start_card(card: str) -> None:
    state = dealt("common seven-zero=both", 4, card, dealer=3)
    assert state.to_dict()["hands"] == dealt("common", 4, card, dealer=3).to_dict()["hands"]
    now(state, to_move=0, phase="play")


def test_C35_C37_draw_to_match() -> None:
    given: dict[str, Any] = {"top": "r5", "draw": "g1 b2 r9"}
    state = play(at("common draw-how=until-playable", "g7", None, None, None, **given), "draw")  # C35
    assert hand(state, 0) == "r9 g1 g7 b2" and legal(state) == {"r9", "keep"}
    rules = "common draw-how=until-playable drawn-card=auto-play"
    state = play(at(rules, "g7", None, None, None, **given), "draw")  # C37
    assert hand(state, 0) == "g1 g7 b2"
    now(state, top="r9", to_move=1)


@pytest.mark.parametrize("drawn_card", ["must-play", "auto-play"])
def test_C38_a_drawn_wild_must_be_played(drawn_card: str) -> None:
    state = play(at(f"common drawn-card={drawn_card}", "g7", None, None, None, top="r5", draw="w"), "draw")
    assert legal(state) == {"w"}
    now(play(state, "w:y"), color="y")


def test_S1_S2_S4_start_cards() -> None:
    state = dealt("simplified", 4, "rs f b7", dealer=2)  # S1
    position = state.to_dict()
    assert position["discard"] == ["rs", "f", "b7"] and len(position["draw_pile"]) == 108 - 28 - 3
    assert sizes(state) == [7] * 4
    now(state, top="b7", to_move=2, direction=1)  # S4
    now(play(state, "b7" if "b7" in legal(state) else "draw"), direction=1)
    now(dealt("simplified", 4, "g0", dealer=2), top="g0")  # S2


def test_S4_the_dealer_opens_and_his_left_neighbour_follows() -> None:
    state = dealt("simplified", 4, "r3", dealer=2)
    now(state, to_move=2)
    play(state, "draw", "pass")
    now(state, to_move=3)


def test_S14_reverse() -> None:
    now(play(at("simplified", "rv y1 y2", None, None, top="r5"), "rv"), to_move=2, direction=-1)


@pytest.mark.parametrize("action", ["rs", "rd", "f:b"])
def test_S16_two_players_again(action: str) -> None:
    now(play(at("simplified", f"{action[:2].rstrip(':')} y1 y2", None, top="r5"), action), to_move=0)


def test_S18_S19_S20_S22_drawing_on() -> None:
    state = play(at("simplified", "g7", None, None, top="r5", draw="g1 b2 r9"), "draw")
    assert legal(state) == {"draw", "pass"}  # S18
    play(state, "draw")
    passed = play(state.clone(), "pass")  # S19
    assert sizes(passed)[0] == 3
    now(passed, to_move=1)
    play(state, "draw")
    assert legal(state) == {"r9", "draw", "pass"}  # S20
    with pytest.raises(InvalidInput, match="g7 is not legal"):  # S22
        play(state, "g7")


def test_S23_S41_a_drawn_wild() -> None:
    state = play(at("simplified", "g7", None, None, top="r5", draw="w"), "draw")
    assert legal(state) == {"w", "draw", "pass"}  # S23
    now(play(state, "w:r"), color="r")  # S41: the colour in force may be named again


def test_S25_no_cap() -> None:
    useless = "g1 g1 g2 g2 g3 g3 b1 b1 b2 b2 b3 b3"
    state = play(at("simplified", "g7", None, None, top="r5", draw=useless), *["draw"] * 12)
    assert sizes(state)[0] == 13 and legal(state) == {"draw", "pass"}


def test_S26_any_card_after_a_draw() -> None:
    state = play(at("simplified", "r9", None, None, top="r5", draw="r1"), "draw")
    assert legal(state) == {"r1", "r9", "draw", "pass"}


def test_S28_a_refill_keeps_the_top_card() -> None:
    state = play(at("simplified", "g7", 101, top="r5", draw="g1", pile=1), "draw")
    assert len(state.to_dict()["discard"]) == 5
    play(state, "draw")
    assert sizes(state)[0] == 3 and state.to_dict()["discard"] == ["r5"]
    assert len(state.to_dict()["draw_pile"]) == 3


def test_S29_buried_start_cards_come_back() -> None:
    state = dealt("simplified", 10, "rs f b7")
    play(state, *["draw"] * 35)
    assert state.to_dict()["draw_pile"] == [] and state.to_dict()["discard"] == ["rs", "f", "b7"]
    play(state, "draw", "draw")
    now(state, top="b7", discard=["b7"])
    assert {"rs", "f"} <= set(hand(state, state.current_player()).split())


def test_S30_S31_nothing_to_draw() -> None:
    state = at("simplified", "g7", 106, top="r5", pile=0)
    assert legal(state) == {"draw"}
    play(state, "draw")
    assert sizes(state) == [1, 106]
    now(state, to_move=1)  # S30
    play(state, "draw")
    assert state.is_terminal() and state.returns() == [0, 0]  # S31: the round is void
    now(state, winner=None, void=True)


def test_S31_a_card_laid_starts_the_count_again() -> None:
    state = at("simplified", 105, "rd y1", top="r5", pile=0)
    play(state, "draw", "rd", "draw")  # P0 gets nothing, then the one card under P1's draw two; P1 gets nothing
    assert sizes(state) == [106, 1] and not state.is_terminal()
    assert play(state, "draw").is_terminal()


def test_S32_no_call() -> None:
    now(play(at("simplified", "r9 b2", None, None, top="r5"), "r9"), to_move=1, phase="play")


@pytest.mark.parametrize(("name", "action", "taken"), [("S34", "rd", 2), ("S35", "f:b", 4)])
def test_S34_S35_last_cards(name: str, action: str, taken: int) -> None:
    state = play(at("simplified", action[:2].rstrip(":"), "y1", None, top="r5"), action)
    assert sizes(state)[1] == 1 + taken and state.returns() == [1, -1, -1]


def test_S37_S38_the_papers_encoding() -> None:
    state = at("simplified", "r5 r5 w w w", None, top="b1")  # S37
    ones = np.flatnonzero(state.game.encode(state.observation(), "54x5"))
    expected = {kind for kind in range(54) if kind not in (5, 52)} | {5 + 108, 52 + 162}
    assert set(ones.tolist()) == expected and len(ones) == 54
    state = at("simplified", "f f f f r1", None, top="b1")  # S38
    assert state.game.encode(state.observation(), "54x5")[53 + 216] == 1


def test_S40_players() -> None:
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
"""Scenario, players, card laid, next cards; then who moves, direction and the size of P1's hand."""


@pytest.mark.parametrize(("name", "players", "card", "draw", "seat", "way", "held"), L_EFFECTS)
def test_rlcard_effects(name: str, players: int, card: str, draw: str, seat: int, way: int, held: int) -> None:
    others = ["b1", None][: players - 1]
    state = play(at("rlcard", f"{card} y1 y2", *others, top="g5", draw=draw), card)
    assert sizes(state)[:2] == [2, held]
    now(state, to_move=seat, direction=way, top=card)


def test_L19_wild_draw_four() -> None:
    state = play(at("rlcard", "f r1 r2", "b1", None, top="g5"), "f:y")
    assert sizes(state)[:2] == [2, 5]
    now(state, to_move=2, color="y")


L_DRAWN: list[tuple[str, int, str, int, int]] = [
    ("L20", 3, "f", 1, 1),
    ("L22", 3, "g9", 1, 1),
    ("L26", 3, "gs", 2, 1),
    ("L27", 3, "gv", 2, -1),
    ("L27", 2, "gv", 1, -1),
]
"""Scenario, players, card drawn; then who moves and the direction. The card is laid at once."""


@pytest.mark.parametrize(("name", "players", "drawn", "seat", "way"), L_DRAWN)
def test_rlcard_lays_what_is_drawn(name: str, players: int, drawn: str, seat: int, way: int) -> None:
    colors = set()
    for seed in range(40):
        others = ["b1", None][: players - 1]
        state = play(at("rlcard", "r1", *others, top="g5", draw=drawn, seed=seed), "draw")
        assert hand(state, 0) == "r1" and hand(state, 1) == "b1"
        now(state, to_move=seat, direction=way, discard=["g5", drawn])
        colors.add(state.to_dict()["color"])
    assert colors == (set("rgby") if drawn == "f" else {"g"})  # a wild's colour is left to chance


def test_L23_the_same_face_is_kept() -> None:
    state = play(at("rlcard", "r1", None, None, top="g5", draw="r5"), "draw")
    assert hand(state, 0) == "r1 r5"
    now(state, top="g5", to_move=1)


def test_L28_L29_L30_last_cards() -> None:
    paid = "rlcard payoff=rlcard"
    assert play(at(paid, "g7", None, None, top="g5"), "g7").returns() == [1, -1, 0]  # L28
    state = play(at(paid, "gd", "b1", None, top="g5"), "gd")  # L29
    assert state.is_terminal() and sizes(state)[1] == 3
    state = play(at(paid, "f", "b1", top="g5"), "f:r")  # L30
    assert sizes(state)[1] == 5 and state.returns() == [1, -1]


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
def test_rlcard_payoffs(name: str, players: int, winner: int, expected: Sequence[float]) -> None:
    hands = ["g7" if seat == winner else None for seat in range(players)]
    assert play(at("rlcard payoff=rlcard", *hands, top="g5", to_move=winner), "g7").returns() == expected


def test_L35_the_top_card_is_refilled_too() -> None:
    drawn = set()
    for seed in range(40):
        state = play(at("rlcard", "r1", 104, top="g5", discard="y7 b8", pile=0, seed=seed), "draw")
        position = state.to_dict()
        card = "g5" if hand(state, 0) == "r1" else hand(state, 0).split()[1]
        assert sorted([card, *position["draw_pile"]]) == ["b8", "g5", "y7"]
        assert position["discard"] == (["g5"] if card == "g5" else [])
        now(state, top="g5", to_move=1)
        drawn.add(card)
    assert drawn == {"y7", "b8", "g5"}


def test_L38_the_draw_two_joins_its_own_refill() -> None:
    state = play(at("rlcard", "gd b1", 52, 52, top="g5", draw="r9", pile=1, discard=""), "gd")
    position = state.to_dict()
    assert sizes(state)[1] == 54 and len(position["draw_pile"]) == 1 and position["discard"] == []
    now(state, top="gd", to_move=2)


def test_L40_backwards() -> None:
    state = at("rlcard", None, None, "r1", top="g5", to_move=2, direction=-1, draw="b9")
    now(play(state, "draw"), to_move=1)


@pytest.mark.parametrize(
    ("card", "seat", "way", "held"),
    [("g3", 0, 1, 7), ("w", 0, 1, 7), ("gs", 1, 1, 7), ("gv", 3, -1, 7), ("gd", 0, 1, 9)],
)
def test_L41_start_cards(card: str, seat: int, way: int, held: int) -> None:
    state = dealt("rlcard", 4, card)
    assert sizes(state) == [held, 7, 7, 7]
    now(state, to_move=seat, direction=way)


def test_every_scenario_is_played_or_left_out() -> None:
    tables: tuple[list[Any], ...] = (LEGAL, L_EFFECTS, L_DRAWN)
    played = {row[0] for table in tables for row in table} | {"L31", "L32", "L33", "L34"}
    played |= {name for test in globals() for name in re.findall(r"(?<=_)[OCSL]\d+(?=_)", test)}
    left_out = {name for name, _ in LEFT_OUT}
    assert not played & left_out
    assert played | left_out == set(NAMES)
