"""The referee of Uno against positions worked out by hand. Scenario names as in `tests/uno/test_scenarios.py`."""

import csv
from pathlib import Path
from typing import Any

import pytest

from .uno import Referee

TABLE = Path(__file__).parents[1] / "golden" / "uno-presets.csv"
WORDS = {
    60: "draw", 61: "keep", 62: "pass", 63: "challenge", 64: "accept", 65: "uno", 66: "quiet", 67: "let-go", 68: "take",
    69: "no-jump", 90: "jump",
}  # fmt: skip
WORDS |= {70 + seat: f"catch-{seat}" for seat in range(10)} | {80 + seat: f"swap-{seat}" for seat in range(10)}
WORDS |= {91 + color: f"color-{letter}" for color, letter in enumerate("rgby")}
DECK = [
    15 * color + face
    for color in range(4)
    for face, copies in enumerate([1] + 12 * [2] + 2 * [1])  # of the wilds one of each printed color
    for _ in range(copies)
]


def presets() -> dict[str, dict[str, Any]]:
    """Return the presets of the golden table, which no rule object was used to write."""
    (_, *names), *rows = csv.reader(TABLE.read_text().splitlines())
    return {name: {axis: values[column] for axis, *values in rows} for column, name in enumerate(names)}


PRESETS = presets()


def card(text: str) -> int:
    """Return a card id: `r5`, `gs`, `bw` (a wild with blue printed on it); `w` and `f` have red printed on them."""
    text = text if len(text) == 2 else "r" + text
    return 15 * "rgby".index(text[0]) + "0123456789svdwf".index(text[1])


def cards(text: str) -> list[int]:
    """Return the ids of cards separated by spaces."""
    return [card(word) for word in text.split()]


def action(text: str) -> int:
    """Return the id of an action: `r5`, `w:b`, `draw`, `catch-2`, `jump`."""
    if ":" in text:
        return card(text[-1] + text[0])
    return card(text) if len(text) == 2 else next(number for number, word in WORDS.items() if word == text)


def legal(referee: Referee) -> str:
    """Return the legal actions as text; `w` and `f` stand for all four colors of a wild."""
    wild_ids = {face: [15 * color + face for color in range(4)] for face in (13, 14)}
    words, numbers = [], referee.legal()
    for number in numbers:
        same_face_ids = wild_ids.get(number % 15) if number < 60 else None
        if same_face_ids and set(same_face_ids) <= set(numbers):
            words += ["wf"[number % 15 - 13]] if number < 15 else []
        elif number < 60:
            color, face = "rgby"[number // 15], "0123456789svdwf"[number % 15]
            words.append(f"{face}:{color}" if same_face_ids else color + face)
        else:
            words.append(WORDS[number])
    return " ".join(words)


def game(
    top: str,
    *hands: str,
    preset: str = "official",
    pile: str = "",
    below: str = "",
    seat: int = 0,
    way: int = 1,
    **axes: Any,
) -> Referee:
    """Return a position; an axis like `draw_when="stuck"` changes the preset, the cards `below` lie under the top card."""
    start = card(top[0] if ":" in top else top)
    return Referee(
        PRESETS[preset] | {name.replace("_", "-"): value for name, value in axes.items()},
        hands=[cards(hand) for hand in hands],
        pile=cards(pile),
        discard=[*cards(below), start],
        top=start,
        color="rgby".index(top[-1]) if ":" in top else start // 15,
        to_move=seat,
        direction=way,
    )


def play(referee: Referee, *steps: str, colors: str = "") -> Referee:
    """Carry out steps; each is an action and the cards drawn in it: `draw r1`, `rd b1 b2`."""
    for step in steps:
        act, _, drawn = step.partition(" ")
        referee.apply(action(act), cards(drawn), ["rgby".index(color) for color in colors])
    return referee


def hand(referee: Referee, seat: int) -> list[int]:
    """Return the sorted hand of a seat."""
    return sorted(referee.hands[seat])


def deal(preset: str, turned_up: str, *, players: int = 4, dealer: int = 3, colors: str = "", **axes: Any) -> Referee:
    """Deal from a deck in which the first cards after the hands are `turned_up`."""
    rules = PRESETS[preset] | {name.replace("_", "-"): value for name, value in axes.items()}
    first, rest = cards(turned_up), sorted(DECK, key=lambda held: held % 15)
    for held in first:
        rest.remove(held)
    dealt = players * int(rules["hand-size"])
    deck = rest[:dealt] + first + rest[dealt:]
    return Referee.deal(
        rules, players=players, dealer=dealer, deck=deck, colors=["rgby".index(color) for color in colors]
    )


OTHERS = ("y1 y2 y3", "y4 y5 y6", "y8 y8 y9")
HARD: dict[str, Any] = {"wild_four": "no-color", "challenge": "off"}


@pytest.mark.parametrize(
    ("preset", "axes", "top", "held", "expected"),
    [
        pytest.param("official", {}, "r5", "r9 b2", "r9 draw", id="O1"),
        pytest.param("official", {}, "r5", "b5", "b5 draw", id="O2"),
        pytest.param("official", {}, "r5", "g7 b2", "draw", id="O4"),
        pytest.param("official", {}, "w:b", "b3 r3 w", "w b3 draw", id="O5"),
        pytest.param("official", {}, "r5", "r9 f", "r9 f draw", id="O7-bluff"),
        pytest.param("official", HARD, "r5", "r9 f", "r9 draw", id="O7-hard"),
        pytest.param("official", HARD, "r5", "b5 f", "f b5 draw", id="C5"),
        pytest.param("common", {"last_card": "number-only"}, "r5", "rs", "draw", id="C40"),
        pytest.param("common", {"last_card": "number-only"}, "r5", "r9", "r9 draw", id="C40-number"),
        pytest.param("common", {"last_card": "no-wild"}, "r5", "rs", "rs draw", id="C40-no-wild-skip"),
        pytest.param("common", {"last_card": "no-wild"}, "r5", "w", "draw", id="C40-no-wild"),
        pytest.param("simplified", {}, "r5", "r9", "r9 draw", id="S5"),
        pytest.param("simplified", {}, "rs", "bs", "bs draw", id="S7-symbol"),
        pytest.param("simplified", {"match": "number"}, "rs", "bs", "draw", id="S7-number"),
        pytest.param("simplified", {}, "r5", "r9 f", "r9 f draw", id="S8"),
        pytest.param("simplified", {}, "w:b", "b3 r3", "b3 draw", id="S10"),
        pytest.param("simplified", {}, "w:b", "gw gf", "w f draw", id="S11"),
        pytest.param("simplified", {}, "r5", "g7", "draw", id="S17"),
        pytest.param("simplified", {}, "r5", "w", "w draw", id="S41"),
        pytest.param("simplified", {"wild_color": "must-change"}, "r5", "w", "w:g w:b w:y draw", id="S41-must-change"),
        pytest.param("rlcard", {}, "g5", "r1 g7", "g7", id="L1"),
        pytest.param("rlcard", {}, "g5", "r5", "r5", id="L2"),
        pytest.param("rlcard", {}, "gs", "rs", "rs", id="L3"),
        pytest.param("rlcard", {}, "g5", "r1 w", "w", id="L4"),
        pytest.param("rlcard", {}, "g5", "f r5", "r5", id="L5"),
        pytest.param("rlcard", {}, "g5", "f w", "w", id="L6"),
        pytest.param("rlcard", {}, "g5", "f r1", "f", id="L7"),
        pytest.param("rlcard", {}, "g5", "f gf", "f", id="L7-two"),
        pytest.param("rlcard", {}, "g5", "r1", "draw", id="L8"),
    ],
)
def test_legal_actions_at_start_of_turn(preset: str, axes: dict[str, Any], top: str, held: str, expected: str) -> None:
    referee = game(top, held, *OTHERS, preset=preset, **axes)
    assert sorted(legal(referee).split()) == sorted(expected.split())


@pytest.mark.parametrize("held", ["b1 f b9", "b1 f"])
def test_O10_bluff_after_a_named_color_draws_four(held: str) -> None:
    referee = play(game("w:b", f"{held} y7", *OTHERS, pile="g1 g2 g3 g4"), "f:r", "challenge g1 g2 g3 g4")
    assert len(referee.hands[0]) == len(held.split()) + 4
    assert referee.to_move() == 1


def test_O10_legal_wild_four_after_a_named_color_makes_challenger_draw_six() -> None:
    referee = play(game("w:b", "r1 f y7", *OTHERS, pile="g1 g2 g3 g4 g5 g6"), "f:r", "challenge g1 g2 g3 g4 g5 g6")
    assert [len(held) for held in referee.hands] == [2, 9, 3, 3]


def test_O11_playable_drawn_card_may_be_kept() -> None:
    referee = play(game("r5", "g7", *OTHERS, pile="r1"), "draw r1")
    assert (referee.to_move(), legal(referee)) == (0, "r1 keep")
    play(referee, "keep")
    assert (referee.to_move(), len(referee.hands[0])) == (1, 2)


def test_O13_turn_ends_after_drawing_an_unplayable_card() -> None:
    referee = play(game("r5", "g7", *OTHERS, pile="g1"), "draw g1")
    assert (referee.to_move(), hand(referee, 0)) == (1, cards("g1 g7"))


def test_O14_only_the_drawn_card_may_be_played_after_drawing() -> None:
    assert legal(play(game("r5", "r9", *OTHERS, pile="b5"), "draw b5")) == "b5 keep"


def test_O16_player_names_the_color_of_a_drawn_wild() -> None:
    referee = play(game("r5", "g7", *OTHERS, pile="bw"), "draw bw")
    assert legal(referee) == "w keep"
    play(referee, "w:y", "uno")
    assert (referee.top, referee.color, referee.to_move()) == (card("bw"), 3, 1)


@pytest.mark.parametrize("preset", ["official", "simplified"])
def test_O17_S13_skip_skips_the_next_player(preset: str) -> None:
    assert play(game("r5", "rs g1 g2", *OTHERS, preset=preset), "rs").to_move() == 2


def test_O19_draw_two_makes_next_player_draw_and_skips_it() -> None:
    referee = play(game("r5", "rd g1 g2", "g3", *OTHERS[1:], pile="b1 b2"), "rd b1 b2")
    assert (hand(referee, 1), referee.to_move()) == (cards("g3 b1 b2"), 2)


def test_O20_accepting_wild_four_draws_four_and_skips_the_turn() -> None:
    referee = play(game("r5", "f g1 g2", *OTHERS, pile="b1 b2 b3 b4"), "f:g")
    assert (referee.to_move(), legal(referee), referee.pending) == (1, "challenge accept", 4)
    play(referee, "accept b1 b2 b3 b4")
    assert (len(referee.hands[1]), referee.to_move(), referee.color, referee.pending) == (7, 2, 1, 0)


@pytest.mark.parametrize("step", ["rs", "rd b1 b2", "rv"])
def test_O22_O23_skips_give_another_turn_with_two_players(step: str) -> None:
    assert play(game("r5", "rs rd rv g1 g2", OTHERS[0], pile="b1 b2"), step).to_move() == 0


def test_O25_successful_challenge_makes_the_bluffer_draw_four() -> None:
    referee = play(game("r5", "r9 f b1", *OTHERS, pile="g1 g2 g3 g4"), "f:g", "challenge g1 g2 g3 g4")
    assert [len(held) for held in referee.hands] == [6, 3, 3, 3]
    assert (referee.to_move(), referee.color, legal(referee)) == (1, 1, "draw")


def test_O26_O8_challenge_of_legal_wild_four_draws_six() -> None:
    referee = play(game("r5", "b5 f b9", *OTHERS, pile="g1 g2 g3 g4 g5 g6"), "f:g", "challenge g1 g2 g3 g4 g5 g6")
    assert ([len(held) for held in referee.hands], referee.to_move()) == ([2, 9, 3, 3], 2)


def test_O28_wild_four_as_last_card_cannot_be_challenged() -> None:
    referee = play(game("r5", "f", *OTHERS, pile="g1 g2 g3 g4"), "f:g g1 g2 g3 g4")
    assert (referee.winner, len(referee.hands[1]), referee.legal(), referee.to_move()) == (0, 7, [], -1)


def test_O29_wild_four_is_rejected_as_start_card() -> None:
    referee = deal("official", "f r3")
    assert (referee.top, referee.discard) == (card("r3"), [card("r3")])
    assert card("f") in referee.pile
    assert len(referee.pile) == 108 - 28 - 1


@pytest.mark.parametrize(
    ("turned_up", "players", "dealer", "axes", "seat", "way", "held"),
    [
        pytest.param("rd b1 b2", 4, 3, {}, 1, 1, 9, id="O31"),
        pytest.param("rs", 4, 3, {}, 1, 1, 7, id="O32"),
        pytest.param("rv", 4, 3, {}, 3, -1, 7, id="reverse-official"),
        pytest.param("rv", 4, 3, {"start_effects": "right-first"}, 2, -1, 7, id="reverse-right-first"),
        pytest.param("rv", 2, 1, {}, 1, -1, 7, id="O34-reverse"),
        pytest.param("rs", 2, 1, {}, 1, 1, 7, id="O34-skip"),
        pytest.param("rd b1 b2", 2, 1, {}, 1, 1, 9, id="O34-draw-two"),
        pytest.param("rd", 4, 3, {"start_effects": "none"}, 0, 1, 7, id="no-effects"),
        pytest.param("r7", 4, 3, {"seven_zero": "both"}, 0, 1, 7, id="C34-seven"),
        pytest.param("r0", 4, 3, {"seven_zero": "both"}, 0, 1, 7, id="C34-zero"),
        pytest.param("r7", 4, 1, {"opener": "dealer"}, 1, 1, 7, id="dealer-opens"),
    ],
)
def test_start_effects(
    turned_up: str, players: int, dealer: int, axes: dict[str, Any], seat: int, way: int, held: int
) -> None:
    referee = deal("official", turned_up, players=players, dealer=dealer, **axes)
    assert (referee.to_move(), referee.direction, len(referee.hands[0])) == (seat, way, held)
    assert [len(other) for other in referee.hands[1:]] == [7] * (players - 1)


@pytest.mark.parametrize("preset", ["official", "simplified"])
def test_start_wild_is_named_by_the_opener(preset: str) -> None:
    referee = deal(preset, "gw", dealer=3, start="any", opener="left-of-dealer")
    assert (referee.to_move(), legal(referee)) == (0, "color-r color-g color-b color-y")
    play(referee, "color-b")
    assert (referee.to_move(), referee.color, referee.top) == (0, 2, card("gw"))


def test_start_wild_keeps_its_printed_color() -> None:
    referee = deal("rlcard-2022", "yw")
    assert (referee.to_move(), referee.color) == (0, 3)


def test_O35_player_without_uno_call_is_caught_and_draws_two() -> None:
    referee = play(game("r5", "r1 b9", *OTHERS, pile="b1 b2"), "r1")
    assert legal(referee) == "uno quiet"
    play(referee, "quiet")
    assert (referee.to_move(), legal(referee)) == (1, "let-go catch-0")
    play(referee, "let-go", "catch-0 b1 b2")
    assert (len(referee.hands[0]), referee.to_move()) == (3, 1)


def test_O35_player_without_uno_call_is_not_caught() -> None:
    referee = play(game("r5", "r1 b9", *OTHERS), "r1", "quiet", "let-go", "let-go", "let-go")
    assert (len(referee.hands[0]), referee.to_move()) == (1, 1)


def test_O37_player_who_called_uno_cannot_be_caught() -> None:
    referee = play(game("r5", "r1 b9", *OTHERS), "r1", "uno")
    assert (referee.to_move(), legal(referee)) == (1, "y1 draw")


def test_penalty_is_drawn_before_the_catch() -> None:
    referee = play(game("r5", "f b9", *OTHERS, pile="b1 b2 b3 b4 b5 b6"), "f:g", "quiet")
    assert (referee.to_move(), legal(referee)) == (1, "challenge accept")
    play(referee, "accept b1 b2 b3 b4", "catch-0 b5 b6")
    assert ([len(held) for held in referee.hands], referee.to_move()) == ([3, 7, 3, 3], 2)


def test_O38_O40_payoffs_are_points_of_the_hands() -> None:
    referee = play(game("r5", "rd", "r9 gs w", "b0 f yd", pile="g3 g4"), "rd g3 g4")
    assert (referee.winner, referee.over, referee.to_move()) == (0, True, -1)
    assert referee.returns() == [9 + 20 + 50 + 0 + 50 + 20 + 7, -86, -70]


def test_O43_pile_is_refilled_in_the_middle_of_a_penalty() -> None:
    referee = game("r5", "f g1 g2", *OTHERS, pile="b1", below="r1 r2 r3 r4 r6 r7 r8 r9", **HARD)
    play(referee, "f:g b1 r1 r2 r5")
    assert (len(referee.hands[1]), len(referee.pile), referee.discard) == (7, 6, [card("f")])


def test_O44_penalty_draws_what_is_left_of_empty_piles() -> None:
    referee = play(game("r5", "rd g1 g2", *OTHERS, challenge="off"), "rd r5")
    assert (len(referee.hands[1]), referee.to_move(), referee.pile) == (4, 2, [])


def test_O46_ten_players() -> None:
    referee = deal("official", "r3", players=10, dealer=9)
    assert ([len(held) for held in referee.hands], len(referee.discard), len(referee.pile)) == ([7] * 10, 1, 37)


@pytest.mark.parametrize(
    ("payoff", "players", "winner", "expected"),
    [
        pytest.param("win-loss", 5, 3, [-1, -1, -1, 1, -1], id="C2"),
        pytest.param("win", 5, 3, [0, 0, 0, 1, 0], id="win"),
        pytest.param("rlcard", 3, 0, [1, -1, 0], id="L28"),
        pytest.param("rlcard", 2, 0, [1, -1], id="L30"),
        pytest.param("rlcard", 3, 1, [-1, 1, 0], id="L31"),
        pytest.param("rlcard", 3, 2, [0, 0, -1], id="L32"),
        pytest.param("rlcard", 4, 2, [0, 0, 1, -1], id="L33-2"),
        pytest.param("rlcard", 4, 3, [0, 0, -1, 1], id="L33-3"),
        pytest.param("rlcard", 5, 3, [0, 0, 0, -1, 0], id="L34"),
    ],
)
def test_payoffs(payoff: str, players: int, winner: int, expected: list[float]) -> None:
    hands = ["g7" if seat == winner else "y1 y2" for seat in range(players)]
    referee = play(game("g5", *hands, preset="rlcard", seat=winner, payoff=payoff), "g7")
    assert (referee.winner, referee.returns()) == (winner, expected)


def test_C4_wild_four_draws_at_once_without_challenges() -> None:
    referee = play(game("r5", "f r1 g2", *OTHERS, pile="b1 b2 b3 b4", challenge="off"), "f:g b1 b2 b3 b4")
    assert (len(referee.hands[1]), referee.to_move()) == (7, 2)


def test_C6_C7_draw_two_on_draw_two_doubles_the_penalty() -> None:
    referee = play(game("r5", "rd g1 g2", "bd r1 g9", *OTHERS[1:], pile="b1 b2 b3 b4", stacking="same"), "rd")
    assert (referee.to_move(), legal(referee), referee.pending) == (1, "bd take", 2)
    play(referee, "bd b1 b2 b3 b4")
    assert (len(referee.hands[2]), referee.to_move(), referee.top, referee.color) == (7, 3, card("bd"), 2)


def test_C8_stack_of_draw_twos_comes_back_to_its_first_player() -> None:
    referee = game(
        "r5", "rd g1 g2", "bd y1 y2", "gd y3 y4", "yd y5 y6", pile="b1 b2 b3 b4 b5 b6 b7 b8", stacking="same"
    )
    play(referee, "rd", "bd", "gd", "yd b1 b2 b3 b4 b5 b6 b7 b8")
    assert (len(referee.hands[0]), referee.to_move()) == (10, 1)


@pytest.mark.parametrize(
    ("stacking", "laid", "held", "expected"),
    [
        pytest.param("same", "rd", "f y1 y2", None, id="C10-same"),
        pytest.param("up", "rd", "f y1 y2", "f take", id="C10-up"),
        pytest.param("same", "f:r", "rd y1 y2", None, id="C11-same"),
        pytest.param("up", "f:r", "rd y1 y2", None, id="C11-up"),
        pytest.param("any", "f:r", "rd y1 y2", "rd take", id="C11-any"),
    ],
)
def test_stackable_draw_cards_under_each_stacking_rule(
    stacking: str, laid: str, held: str, expected: str | None
) -> None:
    referee = game("r5", "rd gf g2 g3", held, *OTHERS[1:], pile="b1 b2 b3 b4", stacking=stacking, challenge="off")
    if expected is None:
        play(referee, f"{laid} b1 b2" + " b3 b4" * (laid == "f:r"))
        assert referee.to_move() == 2
    else:
        play(referee, laid)
        assert (referee.to_move(), legal(referee)) == (1, expected)


@pytest.mark.parametrize(("held", "expected"), [("f bd y1", "bd take"), ("f y1 y2", "f take")])
def test_wild_four_stacks_only_as_last_resort(held: str, expected: str) -> None:
    axes: dict[str, Any] = {"stacking": "any", "wild_four": "last-resort", "challenge": "off"}
    assert legal(play(game("r5", "rd g1 g2", held, *OTHERS[1:], **axes), "rd")) == expected


def test_C13_cards_drawn_as_penalty_cannot_be_stacked() -> None:
    referee = play(game("r5", "rd g1 g2", "bd g3 g4", *OTHERS[1:], pile="yd b2", stacking="same"), "rd", "take yd b2")
    assert (referee.to_move(), referee.pending) == (2, 0)


def test_C14_stacked_last_card_wins() -> None:
    referee = play(
        game("r5", "rd g1 g2", "bd", *OTHERS[1:], pile="b1 b2 b3 b4", stacking="same"), "rd", "bd b1 b2 b3 b4"
    )
    assert (referee.winner, len(referee.hands[2]), referee.pending) == (1, 7, 0)


def test_C16_wild_four_can_be_challenged_or_stacked() -> None:
    def bluff() -> Referee:
        return play(
            game("r5", "f r9 g2", "gf g9 y1", *OTHERS[1:], pile="b1 b2 b3 b4 b5 b6 b7 b8", stacking="same"), "f:b"
        )

    assert legal(bluff()) == "f challenge take"
    challenged = play(bluff(), "challenge b1 b2 b3 b4")
    assert (len(challenged.hands[0]), challenged.to_move()) == (6, 1)
    stacked = play(bluff(), "f:y")
    assert (stacked.to_move(), legal(stacked), stacked.pending) == (2, "challenge take", 8)


def test_C17_bluffer_draws_the_whole_stack_after_a_challenge() -> None:
    referee = game("r5", "f g2 g3", "gf b9 y1", *OTHERS[1:], pile="b1 b2 b3 b4 b5 b6 b7 b8", stacking="same")
    play(referee, "f:b", "f:r", "challenge b1 b2 b3 b4 b5 b6 b7 b8")
    assert ([len(held) for held in referee.hands], referee.to_move()) == ([2, 10, 3, 3], 2)


def test_C19_identical_card_jumps_in_and_play_goes_on_from_there() -> None:
    referee = play(game("r9", "r5 g1 g2", "y1 y2", "y3 y4", "r5 b1 b2", jump_in="identical"), "r5")
    assert (referee.to_move(), legal(referee)) == (3, "no-jump jump")
    play(referee, "jump")
    assert (referee.top, referee.to_move(), len(referee.hands[3])) == (card("r5"), 0, 2)


def test_C20_same_number_in_other_color_cannot_jump_in() -> None:
    assert play(game("r9", "r5 g1 g2", "y1", "y3", "b5 b1 b2", jump_in="identical"), "r5").to_move() == 1


def test_C22_jumping_in_with_last_card_wins() -> None:
    assert play(game("r9", "r5 g1 g2", "y1", "y3", "r5", jump_in="identical"), "r5", "jump").winner == 3


def test_C25_penalty_is_drawn_before_jumping_in() -> None:
    referee = game("r9", "rd g1 g2", *OTHERS[:2], "rd b1 b2", pile="b5 b6 b7 b8", jump_in="identical")
    play(referee, "rd b5 b6")
    assert (len(referee.hands[1]), referee.to_move(), legal(referee)) == (5, 3, "no-jump jump")
    play(referee, "jump b7 b8")
    assert (len(referee.hands[0]), referee.to_move()) == (4, 1)


def test_C26_jumping_in_adds_to_pending_penalty() -> None:
    referee = game("r9", "rd bd g2", *OTHERS[:2], "rd b1 b2", jump_in="identical", stacking="same")
    play(referee, "rd", "jump")
    assert (referee.to_move(), referee.pending, legal(referee)) == (0, 4, "bd take")


def test_jumping_in_cancels_a_missed_uno_call() -> None:
    referee = play(game("r9", "r5 g1", "y1 y2", "y3 y4", "r5 b1 b2", jump_in="identical"), "r5", "quiet", "jump")
    assert (referee.to_move(), legal(referee)) == (0, "draw")


def test_player_may_jump_in_on_its_own_card() -> None:
    referee = play(game("r9", "r5 r5 g1 g2", "y1", "y3", jump_in="identical"), "r5")
    assert (referee.to_move(), legal(referee)) == (0, "no-jump jump")


def test_C28_seven_swaps_hands_with_chosen_player() -> None:
    referee = play(game("r5", "r7 g1 g2", "y1", "b1 b2 b3 b4 b5", "y3", seven_zero="both"), "r7")
    assert (referee.to_move(), legal(referee)) == (0, "swap-1 swap-2 swap-3")
    play(referee, "swap-2")
    assert (len(referee.hands[0]), hand(referee, 2), referee.to_move()) == (5, cards("g1 g2"), 1)


def test_C29_seven_as_last_card_wins_without_swap() -> None:
    referee = play(game("r5", "r7", *OTHERS, seven_zero="both"), "r7")
    assert (referee.winner, referee.hands[0], hand(referee, 1)) == (0, [], cards(OTHERS[0]))


@pytest.mark.parametrize(("way", "expected"), [(1, "y3/g1 g2/y1/y2"), (-1, "y1/y2/y3/g1 g2")])
def test_C31_zero_passes_hands_on_in_direction_of_play(way: int, expected: str) -> None:
    referee = play(game("r5", "r0 g1 g2", "y1", "y2", "y3", way=way, seven_zero="zero", uno_call="off"), "r0")
    assert referee.hands == [cards(held) for held in expected.split("/")]
    assert referee.to_move() == way % 4


@pytest.mark.parametrize("laid", ["r0", "r7"])
def test_C32_seven_or_zero_swaps_hands_of_two_players(laid: str) -> None:
    referee = play(game("r5", f"{laid} g1 g2", "y1 y2 y3", seven_zero="both"), laid)
    assert (referee.hands, referee.to_move()) == ([cards("y1 y2 y3"), cards("g1 g2")], 1)


def test_uno_is_called_on_the_hand_after_the_swap() -> None:
    referee = play(game("r5", "r7 g1 g2", "y1", "y2 y3", seven_zero="seven"), "r7", "swap-1")
    assert (referee.to_move(), legal(referee)) == (0, "uno quiet")


def test_C35_draw_until_playable() -> None:
    referee = play(game("r5", "g7", *OTHERS, pile="g1 b2 r9 y1", draw_how="until-playable"), "draw g1 b2 r9")
    assert (legal(referee), len(referee.pile)) == ("r9 keep", 1)


def test_C37_drawn_card_is_played_at_once_under_auto_play() -> None:
    axes: dict[str, Any] = {"draw_how": "until-playable", "drawn_card": "auto-play"}
    referee = play(game("r5", "g7", *OTHERS, pile="g1 b2 r9", **axes), "draw g1 b2 r9")
    assert (referee.top, referee.to_move(), hand(referee, 0)) == (card("r9"), 1, cards("g1 g7 b2"))


@pytest.mark.parametrize("rule", ["must-play", "auto-play"])
def test_C38_drawn_wild_must_be_played(rule: str) -> None:
    assert legal(play(game("r5", "g7", *OTHERS, pile="bw", drawn_card=rule), "draw bw")) == "w"


def test_S1_S2_S4_buried_start_cards() -> None:
    referee = deal("simplified", "rs f b7", dealer=2)
    assert (referee.discard, referee.to_move(), referee.direction) == (cards("rs f b7"), 2, 1)
    assert len(referee.pile) == 108 - 28 - 3
    assert deal("simplified", "g0").top == card("g0")


def test_S14_reverse_changes_direction() -> None:
    referee = play(game("r5", "rv g1 g2", "y1", "y2", preset="simplified"), "rv")
    assert (referee.to_move(), referee.direction) == (2, -1)


@pytest.mark.parametrize("step", ["rs", "rd b1 b2", "f:g b1 b2 b3 b4"])
def test_S16_skips_give_another_turn_with_two_players(step: str) -> None:
    assert play(game("r5", "rs rd f", "y1", preset="simplified", pile="b1 b2 b3 b4"), step).to_move() == 0


def test_S18_to_S22_player_draws_until_satisfied() -> None:
    referee = play(game("r5", "g7", *OTHERS, preset="simplified", pile="g1 b2 r9 b9"), "draw g1")
    assert legal(referee) == "draw pass"
    play(referee, "draw b2", "draw r9")
    assert legal(referee) == "r9 draw pass"
    with pytest.raises(AssertionError):
        play(referee, "g7")
    play(referee, "pass")
    assert (len(referee.hands[0]), referee.to_move()) == (4, 1)


def test_S23_S26_any_card_may_be_played_after_drawing() -> None:
    assert legal(play(game("r5", "g7", "y1", preset="simplified", pile="gw g1"), "draw gw")) == "w draw pass"
    assert legal(play(game("r5", "r9", "y1", preset="simplified", pile="r1 g1"), "draw r1")) == "r1 r9 draw pass"


def test_S28_S29_refill_keeps_the_top_card() -> None:
    referee = game("r5", "g7", "y1", preset="simplified", pile="g1", below="rs f b1 b2")
    play(referee, "draw g1", "draw f")
    assert (referee.discard, sorted(referee.pile)) == (cards("r5"), sorted(cards("rs b1 b2")))


def test_S30_S31_idle_turns_void_the_round() -> None:
    referee = play(game("r5", "g7", "y1", "y2", preset="simplified"), "draw")
    assert (referee.to_move(), referee.over) == (1, False)
    play(referee, "draw", "draw")
    assert (referee.void, referee.winner, referee.to_move(), referee.returns()) == (True, -1, -1, [0, 0, 0])


def test_turn_ends_when_no_card_is_left_to_draw() -> None:
    assert play(game("r5", "g7", "y1", preset="simplified", pile="g1"), "draw g1").to_move() == 1


def test_S32_no_uno_call() -> None:
    assert play(game("r5", "r1 b9", *OTHERS, preset="simplified"), "r1").to_move() == 1


def test_S34_S35_next_player_draws_for_a_last_draw_card() -> None:
    assert play(game("r5", "rd", "y1", "y2", preset="simplified", pile="b1 b2"), "rd b1 b2").winner == 0
    assert play(game("r5", "f", "y1", "y2", preset="simplified", pile="b1 b2"), "f:g b1 b2 r5").winner == 0


@pytest.mark.parametrize(
    ("laid", "players", "seat", "way"),
    [
        pytest.param("g7", 3, 1, 1, id="L11"),
        pytest.param("gs", 3, 2, 1, id="L12"),
        pytest.param("gs", 2, 0, 1, id="L13"),
        pytest.param("gv", 3, 2, -1, id="L14"),
        pytest.param("gv", 2, 1, -1, id="L15"),
        pytest.param("gd r7 r8", 3, 2, 1, id="L16"),
        pytest.param("gd r7 r8", 2, 0, 1, id="L17"),
        pytest.param("f:y r7 r8 r9 r9", 3, 2, 1, id="L19"),
    ],
)
def test_effects_of_cards_under_rlcard(laid: str, players: int, seat: int, way: int) -> None:
    held = f"{laid.split()[0][:2]} b1 b2".replace("f:", "f")
    referee = game("g5", held, *["y1 y2"] * (players - 1), preset="rlcard", pile="r7 r8 r9 r9")
    play(referee, laid)
    assert (referee.to_move(), referee.direction) == (seat, way)
    assert len(referee.hands[1]) == 2 + len(laid.split()) - 1


@pytest.mark.parametrize(
    ("drawn", "players", "seat", "way", "top", "color"),
    [
        pytest.param("f", 3, 1, 1, "f", 3, id="L20"),
        pytest.param("bw", 3, 1, 1, "bw", 3, id="L20-wild"),
        pytest.param("g9", 3, 1, 1, "g9", 1, id="L22"),
        pytest.param("gs", 3, 2, 1, "gs", 1, id="L26"),
        pytest.param("gv", 3, 2, -1, "gv", 1, id="L27"),
        pytest.param("gv", 2, 1, -1, "gv", 1, id="L27-two"),
    ],
)
def test_drawn_card_is_played_at_once_under_rlcard(
    drawn: str, players: int, seat: int, way: int, top: str, color: int
) -> None:
    referee = game("g5", "r1", *["y1 y2"] * (players - 1), preset="rlcard", pile=drawn)
    play(referee, f"draw {drawn}", colors="y" if color == 3 else "")
    assert (referee.to_move(), referee.direction, referee.top, referee.color) == (seat, way, card(top), color)
    assert (referee.hands[0], len(referee.hands[1])) == (cards("r1"), 2)


def test_L23_drawn_card_with_same_face_is_kept() -> None:
    referee = play(game("g5", "r1", "y1", preset="rlcard", pile="r5"), "draw r5")
    assert (referee.hands[0], referee.top, referee.to_move()) == (cards("r1 r5"), card("g5"), 1)


def test_L29_L30_last_card_draws() -> None:
    referee = play(game("g5", "gd", "y1", "y2", preset="rlcard", pile="r7 r8"), "gd r7 r8")
    assert (referee.winner, len(referee.hands[1])) == (0, 3)
    referee = play(game("g5", "f", "y1", preset="rlcard", pile="r7 r8 r9 r1"), "f:r r7 r8 r9 r1")
    assert (referee.returns(), len(referee.hands[1])) == ([1, -1], 5)


def test_L35_refill_includes_the_top_card() -> None:
    def stuck() -> Referee:
        return game("g5", "r1", "y1", preset="rlcard", below="y7 b8")

    after_keeping = play(stuck(), "draw b8")
    assert (after_keeping.hands[0], after_keeping.discard, after_keeping.top, after_keeping.color) == (
        cards("r1 b8"),
        [],
        card("g5"),
        1,
    )
    after_playing = play(stuck(), "draw g5")
    assert (after_playing.discard, after_playing.pile, after_playing.hands[0]) == (
        cards("g5"),
        cards("y7 b8"),
        cards("r1"),
    )


def test_L37_draw_from_empty_piles_is_an_idle_turn() -> None:
    referee = game("g5", "r1", "y1", preset="rlcard")
    referee.discard.clear()
    assert (play(referee, "draw").to_move(), referee.over) == (1, False)
    assert play(referee, "draw").void


def test_L38_played_draw_two_is_part_of_the_refill_for_its_penalty() -> None:
    referee = play(game("g5", "gd b1 b2", "y1", "y2", preset="rlcard", pile="r9"), "gd gd r9")
    assert (referee.pile, referee.discard, referee.to_move()) == (cards("g5"), [], 2)
    assert (referee.top, hand(referee, 1)) == (card("gd"), sorted(cards("y1 gd r9")))


def test_L40_turn_passes_counterclockwise() -> None:
    referee = play(game("g5", "y1", "y2", "r1", preset="rlcard", pile="b3", seat=2, way=-1), "draw b3")
    assert referee.to_move() == 1


@pytest.mark.parametrize(
    ("turned_up", "seat", "way", "held", "color"),
    [("r3", 0, 1, 7, 0), ("rw", 0, 1, 7, 2), ("rs", 1, 1, 7, 0), ("rv", 3, -1, 7, 0), ("rd b1 b2", 0, 1, 9, 0)],
)
def test_L41_start_cards_under_rlcard(turned_up: str, seat: int, way: int, held: int, color: int) -> None:
    referee = deal("rlcard", turned_up, colors="b" if turned_up == "rw" else "")
    assert (referee.to_move(), referee.direction, referee.color) == (seat, way, color)
    assert [len(other) for other in referee.hands] == [held, 7, 7, 7]


def test_wild_received_first_is_played() -> None:
    assert play(game("r5", "yw bw gw", *OTHERS), "w:r").top == card("yw")
    assert play(game("r5", "yw bw gw", *OTHERS, shown_color="printed"), "w:r").top == card("yw")
    ignored = play(game("r5", "yw bw gw", *OTHERS, wild_color="ignored"), "w:r")
    assert (ignored.top, ignored.color) == (card("yw"), 3)


def test_turn_limit_voids_the_round() -> None:
    assert play(game("r5", "r1 r2 r3", *OTHERS, turn_limit=1), "r1").void
    assert play(game("r5", "r1", *OTHERS, turn_limit=1), "r1").winner == 0


@pytest.mark.parametrize("drawn", ["", "g2", "g1 g1"])
def test_wrong_drawn_cards_are_refused(drawn: str) -> None:
    with pytest.raises(AssertionError):
        play(game("r5", "g7", *OTHERS, pile="g1 g1"), f"draw {drawn}")
