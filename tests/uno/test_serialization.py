"""Positions as plain data: whoever writes one wrongly is told which field."""

import random
from typing import Any

import pytest

import cardgames

GAME = cardgames.make("uno", players=2)
PLAIN = GAME.position(hands=["r1 r2 w", "g1 g2 f"], top="r5", seed=1).to_dict()


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("hands", [["r1"], "g1"], "hands is a list of texts"),
        ("hands", "r1 g1", "hands is a list of texts"),
        ("draw_pile", [1, 2], "draw_pile is a list of texts"),
        ("discard", None, "discard is a list of texts"),
        ("phase", "tea", "unknown phase 'tea': choose from"),
        ("phase", [], "phase is a text"),
        ("color", 3, "color is a text or null"),
        ("color", "x", "unknown colour 'x'"),
        ("received", [0], "received is a list of 8"),
        ("lacked", {}, "lacked is a list"),
        ("lacked", [[None] * 4], "lacked tells of 1 players, not 2"),
        ("lacked", [[None] * 4, [0, 1]], "lacked is a list of 4 numbers or nulls for each seat"),
        ("lacked", [[None] * 4, [8] * 4], "lacked is a whole number from 0 to 7, not 8"),
        ("void", 1, "void is true or false"),
        ("laid", 2**31 - 2, "laid is a whole number from 0 to"),
        ("wilds", {}, "wilds does not say which w is that of hand 0"),
        ("wilds", {"w:r": 3}, "wilds is an object of texts"),
        ("top", "b7", "top is r5 by printed_top and color, not b7"),
        ("printed_top", "b7", "printed_top is not the last card of the discard pile"),
        ("weather", "fine", "unknown field of a position of Uno 'weather'"),
        ("rng", -1, "rng is a whole number"),
        ("to_move", True, "to_move is a seat from 0 to 1, not True"),
        ("direction", True, "direction is 1 or -1, not True"),
        ("color", "b", "only a wild puts another colour in force than its own"),
    ],
)
def test_a_wrong_field_is_named(field: str, value: Any, words: str) -> None:
    with pytest.raises(cardgames.InvalidInput) as caught:
        GAME.from_dict(PLAIN | {field: value})
    assert words in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize("field", sorted(PLAIN))
def test_a_missing_field_is_named(field: str) -> None:
    with pytest.raises(cardgames.InvalidInput, match=f"says nothing of {field}"):
        GAME.from_dict({name: value for name, value in PLAIN.items() if name != field})


def test_a_round_is_not_won_and_void_at_once() -> None:
    state = GAME.position(hands=["r1", "g1 g2"], top="r5")
    state.apply_action(GAME.parse_action("r1"))
    over = state.to_dict()
    assert GAME.from_dict(over).winners() == [0]
    with pytest.raises(cardgames.InvalidInput, match="does not go with winner 0 and void True"):
        GAME.from_dict(over | {"void": True})


def test_what_the_rules_never_ask_is_refused() -> None:
    sevens = cardgames.make("uno", players=3, overrides=["seven-zero=seven"])
    state = sevens.position(hands=["r7 r2", "g1 g2", "b1"], top="r5")
    state.apply_action(sevens.parse_action("r7"))
    with pytest.raises(cardgames.InvalidInput, match="these rules do not know the phase swap"):
        cardgames.make("uno", players=3, rules="rlcard").from_dict(state.to_dict())


@pytest.mark.parametrize(
    ("asked_under", "hands", "moves", "phase", "not_under"),
    [
        ("uno-call=required", ["r7 r2", "g1 g2", "b1"], "r7", "uno", "uno-call=off"),
        ("uno-call=required", ["r7 r2", "g1 g2", "b1"], "r7 quiet", "catch", "uno-call=automatic"),
        ("drawn-card=may-play", ["r7 r2", "g1 g2", "b1"], "draw", "after-draw", "drawn-card=keep"),
        ("jump-in=identical", ["r7 r2 r3", "g1 g2", "b1 r7"], "r7", "jump", "jump-in=none"),
        ("stacking=same", ["rd r2 r3", "g1 gd", "b1"], "rd", "answer", "stacking=none"),
    ],
)
def test_a_question_belongs_to_the_rules_that_ask_it(
    asked_under: str, hands: list[str], moves: str, phase: str, not_under: str
) -> None:
    game = cardgames.make("uno", players=3, overrides=["challenge=off", asked_under])
    state = game.position(hands=hands, top="r5", draw="r9")
    for move in moves.split():
        state.apply_action(game.parse_action(move))
    data = state.to_dict()
    assert data["phase"] == phase and game.from_dict(data).to_dict() == data
    others = cardgames.make("uno", players=3, overrides=["challenge=off", not_under])
    with pytest.raises(cardgames.InvalidInput, match=f"do not know the phase {phase}|nobody is asked to answer"):
        others.from_dict(data)


@pytest.mark.parametrize("rules", ["rlcard", "rlcard-2022"])
def test_the_colour_of_a_start_card_is_asked_for_under_some_rules_alone(rules: str) -> None:
    game = cardgames.make("uno", players=3, overrides=["start=any"])
    dealt = (game.new_initial_state(seed).to_dict() for seed in range(1000))
    data = next(data for data in dealt if data["phase"] == "color")
    with pytest.raises(cardgames.InvalidInput, match="these rules do not know the phase color"):
        cardgames.make("uno", players=3, rules=rules).from_dict(data)


def test_a_wild_draw_four_goes_with_the_colour_before() -> None:
    state = GAME.position(hands=["r1 r2 f", "g1 g2"], top="r5")
    state.apply_action(GAME.parse_action("f:g"))
    with pytest.raises(cardgames.InvalidInput, match="prior_color does not say"):
        GAME.from_dict(state.to_dict() | {"prior_color": None})


@pytest.mark.parametrize("text", ["catch ²", "jump banana", "jump w", "swap 10", "color rg"])
def test_what_is_no_action_is_refused(text: str) -> None:
    with pytest.raises(cardgames.InvalidInput):
        GAME.parse_action(text)


@pytest.mark.parametrize("rules", ["common", "rlcard"])
def test_whoever_deals_deals_the_same_cards(rules: str) -> None:
    game = cardgames.make("uno", players=4, rules=rules, overrides=["start=number"])
    for seed in range(3):
        assert (
            len({str(game.deck_of(game.new_initial_state(seed, dealer=dealer))) for dealer in (None, 0, 1, 2, 3)}) == 1
        )


@pytest.mark.parametrize("parts", [{"dealer": 0.5}, {"dealer": True}, {"dealer": "1"}, {"deck": 5}, {"deck": [None]}])
def test_what_is_no_deal_is_refused(parts: dict[str, Any]) -> None:
    with pytest.raises(cardgames.InvalidInput):
        GAME.new_initial_state(1, **parts)


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"to_move": True}, "to_move is a whole number, not True"),
        ({"top": 5}, "top is a text, not 5"),
        ({"top": "r5", "color": "b"}, "only a wild"),
        ({"draw": [1.7]}, "a card id is a whole number"),
        ({"draw": 5}, "draw is a text or a list, not 5"),
        ({"pile": "5"}, "pile is a whole number, not '5'"),
        ({"seed": "x"}, "seed is a whole number, not 'x'"),
        ({"seed": None}, "a seed is a whole number"),
        ({"hands": [1.5, "g1"]}, "cards are a text or a list, not 1.5"),
    ],
)
def test_what_is_no_position_is_refused(parts: dict[str, Any], words: str) -> None:
    with pytest.raises(cardgames.InvalidInput, match=words):
        GAME.position(**({"hands": ["r1", "g1"], "top": "r5"} | parts))


@pytest.mark.parametrize("to_move", ["x", 0, True])
def test_nobody_is_to_move_once_a_round_is_over(to_move: object) -> None:
    state = GAME.position(hands=["r1", "g1"], top="r5")
    state.apply_action(GAME.parse_action("r1"))
    with pytest.raises(cardgames.InvalidInput, match="to_move is -1 once the round is over"):
        GAME.from_dict(state.to_dict() | {"to_move": to_move})


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"hand": ["r1"]}, "unknown part of a position 'hand': did you mean hands\\? choose from hands, top"),
        ({"top": "r5"}, "a position says nothing of hands"),
        ({"hands": "r1 g1", "top": "r5"}, "hands is a list with a hand for each seat, not 'r1 g1'"),
        ({"hands": 2, "top": "r5"}, "hands is a list with a hand for each seat, not 2"),
    ],
)
def test_a_position_of_other_parts_is_refused(parts: dict[str, Any], message: str) -> None:
    with pytest.raises(cardgames.InvalidInput, match=message):
        GAME.position(**parts)


def test_damaged_data_is_refused_in_words() -> None:
    chance, refused = random.Random(1), 0
    for _ in range(500):
        name = chance.choice(list(PLAIN))
        value = chance.choice(
            [None, -1, 0, 3, 2**70, 0.5, "r5", "w", "", "play", [], {}, [None], {"w:r": "pile 0"}, True]
        )
        try:
            GAME.from_dict(PLAIN | {name: value})
        except cardgames.InvalidInput as error:
            refused += 1
            assert "not a position" not in str(error), (name, value, str(error))
    assert refused > 400


@pytest.mark.parametrize(
    "change",
    [
        {"phase": "uno", "layer": 0},
        {"phase": "catch", "uncalled": 1},
        {"phase": "catch", "uncalled": 0},
        {"phase": "answer", "pending": 2, "layer": 1, "turn": 0},
        {"phase": "swap", "layer": 0},
        {"phase": "play", "turn": 1},
        {"phase": "over", "winner": 1, "to_move": -1},
        {"pending": 33},
    ],
)
def test_questions_that_nobody_could_be_asked_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(cardgames.InvalidInput, match=r"does not go with|nothing is pending|pending is a whole number"):
        GAME.from_dict(PLAIN | change)
