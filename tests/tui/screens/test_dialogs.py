"""Every decision apart from an ordinary turn is asked in a dialog, and can be answered by key, by arrows and by mouse."""

import asyncio
import threading
from typing import Any

import pytest
from textual.events import Paste
from textual.widgets import OptionList

from tests.tui.company import (
    PATIENCE,
    Scripted,
    app_at,
    click,
    dialog,
    dialog_text,
    leaves_in_sight,
    press_at_once,
    table_screen,
    text,
    uno,
    until,
    until_said,
)

CHALLENGE = dict(hands=["r1 r2 r3", "f y1 y2"], top="r5", to_move=1)
"""Seat 1 lays a wild draw four on seat 0."""

CASES: dict[str, tuple[list[str], dict[str, Any], list[str], str, dict[str, str]]] = {
    "challenge": ([], CHALLENGE, ["f:g"], "Wild+4 against you", {"c": "you: challenge", "a": "you: accept"}),
    "uno": ([], dict(hands=["r1 r2", 5], top="r5"), [], "One card left", {"u": "you: uno", "s": "you: quiet"}),
    "catch": (
        [],
        dict(hands=["b1 b2", "r1 r2"], top="r5", to_move=1),
        ["r1", "quiet"],
        "Forgotten uno",
        {"c": "you: catch 1", "l": "you: let go"},
    ),
    "drawn card": (
        [],
        dict(hands=["b1 b2", 5], top="r5", draw="r9"),
        [],
        "You drew R9",
        {"1": "you: r9", "k": "you: keep"},
    ),
    "drawn wild": (
        [],
        dict(hands=["b1 b2", 5], top="r5", draw="w"),
        [],
        "You drew Wild",
        {"3": "you: w:b", "k": "you: keep"},
    ),
    "swap": (
        ["seven-zero=seven"],
        dict(hands=["r7 b1 b2", 5, 3], top="r5"),
        [],
        "You laid a 7",
        {"1": "you: swap 1", "2": "you: swap 2"},
    ),
    "jump": (
        ["jump-in=identical"],
        dict(hands=["r1 b2 b3", "r1 y2 y4", 5], top="r5", to_move=1),
        ["r1"],
        "Jump in?",
        {"j": "you: jump", "n": "you: no jump"},
    ),
    "stack": (
        ["stacking=same"],
        dict(hands=["rd b2 b3", "gd y2 y4"], top="g5", to_move=1),
        ["gd"],
        "G +2 against you",
        {"1": "you: rd", "t": "you: take"},
    ),
}


def case(name: str) -> tuple[Any, str, dict[str, str]]:
    """Return an app in which the person is about to be asked, the dialog's title, and key -> the log's words."""
    overrides, parts, others, title, answers = CASES[name]
    game = uno(len(parts["hands"]), *overrides)
    agents = [Scripted(*others), *(Scripted() for _ in range(game.num_players - 2))]
    return app_at(game.position(**parts), *agents), title, answers


async def asked(pilot: Any, app: Any, name: str) -> None:
    """Come to the question: by drawing or playing a card where it is the person's own doing."""
    await until(pilot, lambda: dialog(app) == "QuestionDialog" or "Your turn" in text(app, "#status"))
    if dialog(app) != "QuestionDialog":
        await pilot.press("enter")
        await until(pilot, lambda: dialog(app) == "QuestionDialog")
    await until(pilot, lambda: app.screen.query(OptionList))
    await pilot.pause()


def line_of(app: Any, words: str) -> int:
    """Return the line of the option whose action the log will report with `words`."""
    options = app.screen.query_one(OptionList).options
    return next(i for i, option in enumerate(options) if option.id.startswith(words.removeprefix("you: ")))


@pytest.mark.parametrize("name", CASES)
async def test_a_question_is_answered_by_its_key(name: str):
    app, title, answers = case(name)
    key = next(iter(answers))
    async with app.run_test(size=(80, 24)) as pilot:
        await asked(pilot, app, name)
        assert app.screen.query_one(".box").border_title == title
        await pilot.press(key)
        await until_said(pilot, answers[key], "#log Static")


async def test_what_is_pasted_over_a_question_is_typed_and_answers_nothing_by_itself():
    app, _, answers = case("swap")
    async with app.run_test(size=(80, 24)) as pilot:
        await asked(pilot, app, "swap")
        app.post_message(Paste("swap 2"))
        line = table_screen(app).query_one("#move")
        await until(pilot, lambda: line.display and line.value == "swap 2" and dialog(app) == "GamePlayerScreen")
        assert table_screen(app).deciding
        await pilot.press("enter")
        await until_said(pilot, answers["2"], "#log Static")


@pytest.mark.parametrize("pasted", ["n", "j", "h", "q"])
async def test_what_is_pasted_over_a_question_is_no_key(pasted: str):
    app, _, _ = case("jump")
    async with app.run_test(size=(80, 24)) as pilot:
        await asked(pilot, app, "jump")
        app.post_message(Paste(pasted))
        line = table_screen(app).query_one("#move")
        await until(pilot, lambda: line.display and line.value == pasted and dialog(app) == "GamePlayerScreen")
        assert table_screen(app).deciding and app.is_running


async def test_a_question_that_ends_as_one_is_followed_by_no_colon():
    app, _, _ = case("jump")
    async with app.run_test(size=(80, 24)) as pilot:
        await asked(pilot, app, "jump")
        await pilot.press("escape")
        await until_said(pilot, "Jump in? You hold")


async def test_a_question_waits_until_the_help_is_closed():
    """Keys for the help must not answer it."""
    release = threading.Event()

    class WaitingText(Scripted):
        def act(self, observation, limit=None):
            release.wait(PATIENCE)
            return super().act(observation, limit)

    app = app_at(uno(2).position(**CHALLENGE), WaitingText("f:g"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "thinks")
        await pilot.press("question_mark")
        await until(pilot, lambda: dialog(app) == "HelpDialog")
        release.set()
        await until(pilot, lambda: table_screen(app).deciding)
        await pilot.pause()
        assert dialog(app) == "HelpDialog"
        await pilot.press("enter")
        await until(pilot, lambda: dialog(app) == "QuestionDialog")
        assert table_screen(app).deciding


@pytest.mark.parametrize("name", CASES)
async def test_a_question_is_answered_with_the_arrows(name: str):
    app, _, answers = case(name)
    words = list(answers.values())[-1]
    async with app.run_test(size=(80, 24)) as pilot:
        await asked(pilot, app, name)
        line = line_of(app, words)
        await pilot.press(*["down"] * line, "enter")
        await until_said(pilot, words, "#log Static")


async def test_the_key_of_the_next_round_leaves_a_question_open():
    app, _, _ = case("stack")
    async with app.run_test(size=(80, 24)) as pilot:
        await asked(pilot, app, "stack")
        await pilot.press("n")
        await until_said(pilot, "This round is still on.")
        assert dialog(app) == "QuestionDialog" and not table_screen(app).query_one("#move").display


@pytest.mark.parametrize("name", ["challenge", "swap", "stack"])
async def test_a_question_is_answered_with_the_mouse(name: str):
    app, _, answers = case(name)
    words = next(iter(answers.values()))
    async with app.run_test(size=(80, 24)) as pilot:
        await asked(pilot, app, name)
        line = line_of(app, words)
        await click(pilot, lambda: OptionList, lambda: dialog(app) == "GamePlayerScreen", offset=(3, line))
        await until_said(pilot, words, "#log Static")


@pytest.mark.parametrize("name", ["catch", "drawn card", "jump", "stack"])
async def test_the_table_can_be_looked_at_and_the_answer_given_there(name: str):
    app, _, answers = case(name)
    async with app.run_test(size=(80, 24)) as pilot:
        await asked(pilot, app, name)
        await pilot.press("escape")
        await until(pilot, lambda: dialog(app) == "GamePlayerScreen")
        key, words = list(answers.items())[-1]
        assert any(button.choice.key == key for button in table_screen(app).query("ActionButton"))
        await pilot.press(key)
        await until_said(pilot, words, "#log Static")


@pytest.mark.parametrize("typed", [":w:y", "w:y", "/w:y"])
@pytest.mark.parametrize("burst", [False, True])
async def test_what_is_typed_in_a_question_is_played_and_not_the_line_it_is_on(typed: str, burst: bool):
    app, _, _ = case("drawn wild")
    async with app.run_test(size=(80, 24)) as pilot:
        await asked(pilot, app, "drawn wild")
        if burst:
            press_at_once(app, f"{typed}\n")
        else:
            await pilot.press(*typed, "enter")
        await until_said(pilot, "you: w:y", "#log Static")


@pytest.mark.parametrize("typed", [":accept", "zzh", ":challenge"])
async def test_a_burst_typed_in_a_question_is_typed_whole(typed: str):
    app, _, _ = case("challenge")
    async with app.run_test(size=(80, 24)) as pilot:
        await asked(pilot, app, "challenge")
        press_at_once(app, typed)
        await until(pilot, lambda: table_screen(app).query_one("#move").value == typed.strip(":"))
        await pilot.press("enter")
        await until_said(
            pilot,
            "'zzh' is not a move" if typed == "zzh" else f"you: {typed[1:]}",
            "#status" if typed == "zzh" else "#log Static",
        )


@pytest.mark.parametrize("turns", [1, 2, 5])
async def test_keys_that_come_one_by_one_while_a_question_closes_stay_in_order(turns: int):
    app, _, _ = case("challenge")
    async with app.run_test(size=(80, 24)) as pilot:
        await asked(pilot, app, "challenge")
        for key in "r1234567":
            press_at_once(app, key)
            for _ in range(turns):
                await asyncio.sleep(0)
        await until(pilot, lambda: table_screen(app).query_one("#move").value == "r1234567")


@pytest.mark.parametrize(
    ("name", "keys", "words"),
    [("uno", "un", "you: uno"), ("drawn wild", "w:bx\b\by\n", "you: w:y")],
    ids=["behind an answer", "editing"],
)
async def test_keys_that_come_at_once_in_a_question_are_done_in_their_turn(name: str, keys: str, words: str):
    app, _, _ = case(name)
    async with app.run_test(size=(80, 24)) as pilot:
        await asked(pilot, app, name)
        press_at_once(app, keys)
        await until_said(pilot, words, "#log Static")


@pytest.mark.parametrize("turns", [2, 12, 22, 28])
async def test_keys_that_are_under_way_as_the_app_ends_do_nothing(turns: int):
    app, _, _ = case("uno")
    async with app.run_test(size=(80, 24)) as pilot:
        await asked(pilot, app, "uno")
        press_at_once(app, "u" + "n" * turns)
        for _ in range(turns):
            await asyncio.sleep(0)


async def test_a_move_mistyped_in_a_question_plays_nothing():
    app, _, _ = case("drawn wild")
    async with app.run_test(size=(80, 24)) as pilot:
        await asked(pilot, app, "drawn wild")
        await pilot.press(*"w:z", "enter")
        await until_said(pilot, "'w:z' is not a move")
        assert dialog(app) == "GamePlayerScreen" and "you: w" not in text(app, "#log Static")


@pytest.mark.parametrize(("key", "color"), [("g", "g"), ("enter", "r")])
async def test_a_wild_asks_for_its_colour(key: str, color: str):
    app = app_at(uno(2).position(hands=["f w b1", 5], top="r5"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press("enter")
        await until(pilot, lambda: dialog(app) == "ColorPicker")
        assert app.screen.query_one(".box").border_title == "Wild: name a colour"
        await pilot.press(key)
        await until_said(pilot, f"you: w:{color}", "#log Static")


@pytest.mark.parametrize(
    ("typed", "played"), [("wb", "w:b"), ("w:b", "w:b"), ("w", "w:g"), ("F", "f:g"), ("Wild+4", "f:g")]
)
async def test_a_wild_that_is_typed_without_a_colour_asks_for_it(typed: str, played: str):
    app = app_at(uno(2).position(hands=["f w b1", 5], top="r5"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press(":", *typed, "enter")
        if played[-1] == "g":
            await until(pilot, lambda: dialog(app) == "ColorPicker")
            await pilot.press("g")
        await until_said(pilot, f"you: {played}", "#log Static")


async def test_a_wild_that_is_not_held_is_refused():
    app = app_at(uno(2).position(hands=["r1 w b1", 5], top="r5"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press(*":f", "enter")
        await until_said(pilot, "Wild+4 cannot be played now")


async def test_a_complaint_goes_with_the_line_it_is_about():
    app = app_at(uno(2).position(hands=["f w b1", 5], top="r5"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press(*":zz", "enter")
        await until_said(pilot, "'zz' is not a move")
        await pilot.press("escape")
        await until_said(pilot, "Your turn")


async def test_who_may_challenge_is_told_the_colour_before():
    app, _, _ = case("challenge")
    async with app.run_test(size=(80, 24)) as pilot:
        await asked(pilot, app, "challenge")
        assert "The colour in force is green, before it red." in text(app, "#status")
        await until(pilot, lambda: app.screen.has_class("-beside"))
        await pilot.pause()
        assert app.screen.query_one(".text").display and not app.screen.has_class("-brief")


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_a_question_leaves_the_table_the_hand_and_hints_in_sight(name: str, size: tuple[int, int]):
    app, _, _ = case(name)
    async with app.run_test(size=size) as pilot:
        await asked(pilot, app, name)
        await until(pilot, lambda: leaves_in_sight(app, "#seats", "#pile", "#own", "#search"))


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_naming_a_colour_leaves_the_table_the_hand_and_hints_in_sight(size: tuple[int, int]):
    app = app_at(uno(10).position(hands=["f w b1", *[5] * 9], top="r5"))
    async with app.run_test(size=size) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press("enter")
        await until(pilot, lambda: dialog(app) == "ColorPicker")

        def clear() -> bool:
            buttons, box = [button.region for button in app.screen.query("Button")], app.screen.query_one(".box").region
            apart = all(a == b or not a.overlaps(b) for a in buttons for b in buttons)
            within = all(box.contains_region(button) for button in buttons)
            return apart and within and leaves_in_sight(app, "#seats", "#pile", "#own", "#search")

        await until(pilot, clear)


@pytest.mark.parametrize("burst", [":w\ng\n", ":w\ng"])
async def test_no_dialog_outlives_what_is_typed_at_once(burst: str):
    app = app_at(uno(2).position(hands=["f w b1", 5], top="r5"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        press_at_once(app, burst)
        await until(pilot, lambda: dialog(app) == "ColorPicker")
        await pilot.press("g")
        await until_said(pilot, "you: w:g", "#log Static")
        assert dialog(app) == "GamePlayerScreen"


async def test_the_colour_can_be_left_open_for_another_card():
    app = app_at(uno(2).position(hands=["f w b1", 5], top="r5"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press("enter")
        await until(pilot, lambda: dialog(app) == "ColorPicker")
        await pilot.press("escape")
        await until(pilot, lambda: dialog(app) == "GamePlayerScreen")
        assert "you" not in text(app, "#log Static")


async def test_the_colour_picker_offers_only_what_may_be_named():
    app = app_at(uno(2, "wild-color=must-change").position(hands=["w b1 b2", 5], top="r5"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press("enter")
        await until(pilot, lambda: dialog(app) == "ColorPicker")
        assert [str(button.label).split()[1] for button in app.screen.query("Button")] == ["green", "blue", "yellow"]


async def test_the_opener_names_the_colour_of_a_wild_start_card():
    game = uno(2, "start=any")
    seed = next(s for s in range(1000) if opens_with_a_wild(game.new_initial_state(s, dealer=1)))
    app = app_at(game.new_initial_state(seed, dealer=1))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: dialog(app) == "ColorPicker")
        assert "not named yet" in text(app, "#words")
        await pilot.press("y")
        await until_said(pilot, "you: color y", "#log Static")


def opens_with_a_wild(state: Any) -> bool:
    return state.to_dict()["phase"] == "color" and state.current_player() == 0


async def test_after_drawing_any_card_may_be_played_or_the_turn_passed():
    app = app_at(uno(2, rules="simplified").position(hands=["b1 r2", 5], top="r5", draw="y9"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn: play a marked card or draw (d)")
        await pilot.press("d")
        await until_said(pilot, "Your turn: play a marked card or draw (d) or pass (p)")
        await pilot.press("p")
        await until_said(pilot, "Your turn: play a marked card or draw (d)")
        assert "you: pass" in text(app, "#log Static")


async def test_a_drawn_card_that_has_to_be_played_is_no_offer():
    app = app_at(uno(2, "drawn-card=must-play").position(hands=["b1 b2", 5], top="r5", draw="w"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn: draw (d)")
        await pilot.press("d")
        await until(pilot, lambda: "You have to play it." in dialog_text(app))


async def test_a_hint_can_be_had_during_a_question():
    state = uno(2).position(hands=["r1 r2", 5], top="r5")
    app = app_at(state, Scripted(), hint=lambda: Scripted("uno"))
    async with app.run_test(size=(80, 24)) as pilot:
        await asked(pilot, app, "uno")
        await pilot.press("h")
        await until_said(pilot, "Hint: scripted would play uno")
        assert dialog(app) == "QuestionDialog"


async def test_enter_answers_a_question_as_a_hint_would():
    state = uno(2).position(hands=["r1 r2", 5], top="r5")
    app = app_at(state, Scripted(), hint=lambda: Scripted("quiet"))
    async with app.run_test(size=(80, 24)) as pilot:
        await asked(pilot, app, "uno")
        await pilot.press("h")
        await until_said(pilot, "Hint: scripted would play")
        await pilot.press("enter")
        await until_said(pilot, "you: quiet", "#log Static")


async def test_a_colour_that_a_hint_named_is_the_first_one():
    app = app_at(uno(2).position(hands=["w b1", 5], top="r5"), hint=lambda: Scripted("w:g"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press("h")
        await until_said(pilot, "Hint: scripted would play Wild, green")
        await pilot.press("enter")
        await until(pilot, lambda: getattr(app.focused, "id", None) == "color-g")
        await pilot.press("enter")
        await until_said(pilot, "you: w:g", "#log Static")


async def test_what_is_taken_is_counted_in_the_question():
    app, _, _ = case("stack")
    async with app.run_test(size=(80, 24)) as pilot:
        await asked(pilot, app, "stack")
        lines = [str(option.prompt) for option in app.screen.query_one(OptionList).options]
        assert "1  Stack R +2" in lines and "t  Take 2 cards" in lines


async def test_arrows_go_from_colour_to_colour():
    app = app_at(uno(2).position(hands=["w b1 b2", 5], top="r5"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press("enter")
        await until(pilot, lambda: dialog(app) == "ColorPicker" and getattr(app.focused, "id", None) == "color-r")
        await pilot.press("right", "right", "down", "left", "enter")
        await until_said(pilot, "you: w:b", "#log Static")


@pytest.mark.parametrize("said", ["challenge", "accept"])
async def test_every_button_does_what_it_says(said: str):
    app, _, _ = case("challenge")
    async with app.run_test(size=(80, 24)) as pilot:
        await asked(pilot, app, "challenge")
        await pilot.press("escape")
        await until(pilot, lambda: dialog(app) == "GamePlayerScreen")

        def button() -> Any:
            return next((each for each in table_screen(app).query("ActionButton") if each.choice.text == said), None)

        await until(pilot, button)
        button().press()
        await until_said(pilot, f"you: {said}", "#log Static")
