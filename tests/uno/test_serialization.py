"""Positions as plain data: errors name the wrong field."""

import random
from typing import Any

import pytest

import cardgames
from tests.differences import assert_same

GAME = cardgames.make("uno", players=2)
POSITION_DATA = GAME.position(hands=["r1 r2 w", "g1 g2 f"], top="r5", seed=1).to_dict()


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
        ("color", "x", "unknown color 'x'"),
        ("received", [0], "received is a list of 8"),
        ("lacked", {}, "lacked is a list"),
        ("lacked", [[None] * 4], "lacked has entries for 1 players, not 2"),
        ("lacked", [[None] * 4, [0, 1]], "lacked is a list of 4 numbers or nulls for each seat"),
        ("lacked", [[None] * 4, [8] * 4], "lacked is a whole number from 0 to 7, not 8"),
        ("void", 1, "void is true or false"),
        ("laid", 2**31 - 2, "laid is a whole number from 0 to"),
        ("wilds", {}, "wilds names no w for hand 0"),
        ("wilds", {"w:r": 3}, "wilds is an object of texts"),
        ("top", "b7", "printed_top and color make the top card r5, not b7"),
        ("printed_top", "b7", "printed_top is not the last card of the discard pile"),
        ("weather", "fine", "unknown field of a position of Uno 'weather'"),
        ("rng", -1, "rng is a whole number"),
        ("to_move", True, "to_move is a seat from 0 to 1, not True"),
        ("direction", True, "direction is 1 or -1, not True"),
        ("color", "b", "only a wild can be on top with another color in force than its own"),
    ],
)
def test_error_names_the_wrong_field(field: str, value: Any, words: str) -> None:
    with pytest.raises(cardgames.InvalidInput) as caught:
        GAME.from_dict(POSITION_DATA | {field: value})
    assert words in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize("field", sorted(POSITION_DATA))
def test_error_names_the_missing_field(field: str) -> None:
    with pytest.raises(cardgames.InvalidInput, match=f"has no field {field}"):
        GAME.from_dict({name: value for name, value in POSITION_DATA.items() if name != field})


def test_round_both_won_and_void_is_refused() -> None:
    state = GAME.position(hands=["r1", "g1 g2"], top="r5")
    state.apply_action(GAME.parse_action("r1"))
    over = state.to_dict()
    assert GAME.from_dict(over).winners() == [0]
    with pytest.raises(cardgames.InvalidInput, match="contradicts winner 0 and void True"):
        GAME.from_dict(over | {"void": True})


def test_phase_impossible_under_the_rules_is_refused() -> None:
    sevens = cardgames.make("uno", players=3, overrides=["seven-zero=seven"])
    state = sevens.position(hands=["r7 r2", "g1 g2", "b1"], top="r5")
    state.apply_action(sevens.parse_action("r7"))
    with pytest.raises(cardgames.InvalidInput, match="phase swap does not exist under these rules"):
        cardgames.make("uno", players=3, rules="rlcard").from_dict(state.to_dict())


@pytest.mark.parametrize(
    ("asking_rule", "hands", "moves", "phase", "silent_rule"),
    [
        ("uno-call=required", ["r7 r2", "g1 g2", "b1"], "r7", "uno", "uno-call=off"),
        ("uno-call=required", ["r7 r2", "g1 g2", "b1"], "r7 quiet", "catch", "uno-call=automatic"),
        ("drawn-card=may-play", ["r7 r2", "g1 g2", "b1"], "draw", "after-draw", "drawn-card=keep"),
        ("jump-in=identical", ["r7 r2 r3", "g1 g2", "b1 r7"], "r7", "jump", "jump-in=none"),
        ("stacking=same", ["rd r2 r3", "g1 gd", "b1"], "rd", "answer", "stacking=none"),
    ],
)
def test_position_with_question_is_read_only_under_rules_that_ask_it(
    asking_rule: str, hands: list[str], moves: str, phase: str, silent_rule: str
) -> None:
    game = cardgames.make("uno", players=3, overrides=["challenge=off", asking_rule])
    state = game.position(hands=hands, top="r5", draw="r9")
    for move in moves.split():
        state.apply_action(game.parse_action(move))
    data = state.to_dict()
    assert data["phase"] == phase
    assert_same(game.from_dict(data).to_dict(), data, "position")
    others = cardgames.make("uno", players=3, overrides=["challenge=off", silent_rule])
    with pytest.raises(
        cardgames.InvalidInput, match=f"phase {phase} does not exist under these rules|can only take the cards"
    ):
        others.from_dict(data)


@pytest.mark.parametrize("rules", ["rlcard", "rlcard-2022"])
def test_phase_color_is_refused_under_rlcard_rules(rules: str) -> None:
    game = cardgames.make("uno", players=3, overrides=["start=any"])
    dealt = (game.new_initial_state(seed).to_dict() for seed in range(1000))
    data = next(data for data in dealt if data["phase"] == "color")
    with pytest.raises(cardgames.InvalidInput, match="phase color does not exist under these rules"):
        cardgames.make("uno", players=3, rules=rules).from_dict(data)


def test_wild_four_on_top_needs_prior_color() -> None:
    state = GAME.position(hands=["r1 r2 f", "g1 g2"], top="r5")
    state.apply_action(GAME.parse_action("f:g"))
    with pytest.raises(
        cardgames.InvalidInput, match="prior_color, the color in force before the wild draw four, is missing"
    ):
        GAME.from_dict(state.to_dict() | {"prior_color": None})


@pytest.mark.parametrize("text", ["catch ²", "jump banana", "jump w", "swap 10", "color rg"])
def test_invalid_action_text_is_refused(text: str) -> None:
    with pytest.raises(cardgames.InvalidInput):
        GAME.parse_action(text)


@pytest.mark.parametrize("rules", ["common", "rlcard"])
def test_dealer_does_not_change_the_cards_of_a_seed(rules: str) -> None:
    game = cardgames.make("uno", players=4, rules=rules, overrides=["start=number"])
    for seed in range(3):
        assert (
            len({str(game.deck_of(game.new_initial_state(seed, dealer=dealer))) for dealer in (None, 0, 1, 2, 3)}) == 1
        )


@pytest.mark.parametrize("parts", [{"dealer": 0.5}, {"dealer": True}, {"dealer": "1"}, {"deck": 5}, {"deck": [None]}])
def test_invalid_deal_arguments_are_refused(parts: dict[str, Any]) -> None:
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
def test_invalid_position_parts_are_refused(parts: dict[str, Any], words: str) -> None:
    with pytest.raises(cardgames.InvalidInput, match=words):
        GAME.position(**({"hands": ["r1", "g1"], "top": "r5"} | parts))


@pytest.mark.parametrize("to_move", ["x", 0, True])
def test_finished_round_with_seat_to_move_is_refused(to_move: object) -> None:
    state = GAME.position(hands=["r1", "g1"], top="r5")
    state.apply_action(GAME.parse_action("r1"))
    with pytest.raises(cardgames.InvalidInput, match="to_move is -1 once the round is over"):
        GAME.from_dict(state.to_dict() | {"to_move": to_move})


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"hand": ["r1"]}, "unknown part of a position 'hand': did you mean hands\\? choose from hands, top"),
        ({"top": "r5"}, "a position needs hands"),
        ({"hands": "r1 g1", "top": "r5"}, "hands is a list with a hand for each seat, not 'r1 g1'"),
        ({"hands": 2, "top": "r5"}, "hands is a list with a hand for each seat, not 2"),
    ],
)
def test_unknown_or_missing_position_parts_are_refused(parts: dict[str, Any], message: str) -> None:
    with pytest.raises(cardgames.InvalidInput, match=message):
        GAME.position(**parts)


def test_damaged_data_raises_a_specific_invalid_input() -> None:
    chance, refused = random.Random(1), 0
    for _ in range(500):
        name = chance.choice(list(POSITION_DATA))
        value = chance.choice(
            [None, -1, 0, 3, 2**70, 0.5, "r5", "w", "", "play", [], {}, [None], {"w:r": "pile 0"}, True]
        )
        try:
            GAME.from_dict(POSITION_DATA | {name: value})
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
def test_phase_contradicting_the_position_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(cardgames.InvalidInput, match=r"contradicts|pending is more than 0|pending is a whole number"):
        GAME.from_dict(POSITION_DATA | change)
