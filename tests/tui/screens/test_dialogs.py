"""Questions of Uno that are not ordinary turns: dialogs answered by key, arrows and mouse."""

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
"""Position in which seat 1 plays a wild draw four against seat 0."""

CASES: dict[str, tuple[list[str], dict[str, Any], list[str], str, dict[str, str]]] = {
    "challenge": ([], CHALLENGE, ["f:g"], "Wild+4 against you", {"c": "you: challenge", "a": "you: accept"}),
    "uno": ([], dict(hands=["r1 r2", 5], top="r5"), [], "One card left", {"u": "you: uno", "s": "you: quiet"}),
    "catch": (
        [],
        dict(hands=["b1 b2", "r1 r2"], top="r5", to_move=1),
        ["r1", "quiet"],
        "Uno not called",
        {"c": "you: catch 1", "l": "you: let go"},
    ),
    "drawn card": (
        [],
        dict(hands=["b1 b2", 5], top="r5", draw="r9"),
        [],
        "You drew R9",
        {"1": "you: R9", "k": "you: keep"},
    ),
    "drawn wild": (
        [],
        dict(hands=["b1 b2", 5], top="r5", draw="w"),
        [],
        "You drew Wild",
        {"3": "you: Wild, blue", "k": "you: keep"},
    ),
    "swap": (
        ["seven-zero=seven"],
        dict(hands=["r7 b1 b2", 5, 3], top="r5"),
        [],
        "You played a 7",
        {"1": "you: swap 1", "2": "you: swap 2"},
    ),
    "jump": (
        ["jump-in=identical"],
        dict(hands=["r1 b2 b3", "r1 y2 y4", 5], top="r5", to_move=1),
        ["r1"],
        "Jump in?",
        {"j": "you jump in with R1", "n": "you: no jump"},
    ),
    "stack": (
        ["stacking=same"],
        dict(hands=["rd b2 b3", "gd y2 y4"], top="g5", to_move=1),
        ["gd"],
        "G+2 against you",
        {"1": "you: R+2", "t": "you: take"},
    ),
}


def case(name: str) -> tuple[Any, str, dict[str, str]]:
    """Return an app in which a question is about to open, its title, and the answers as key -> log line."""
    overrides, parts, others, title, answers = CASES[name]
    game = uno(len(parts["hands"]), *overrides)
    agents = [Scripted(*others), *(Scripted() for _ in range(game.num_players - 2))]
    return app_at(game.position(**parts), *agents), title, answers


async def wait_for_question(pilot: Any, app: Any, name: str) -> None:
    """Get to the question, by drawing or playing a card where the person causes it."""
    await until(pilot, lambda: dialog(app) == "DecisionDialog" or "Your turn" in text(app, "#status"))
    if dialog(app) != "DecisionDialog":
        await pilot.press("enter")
        await until(pilot, lambda: dialog(app) == "DecisionDialog")
    await until(pilot, lambda: app.screen.query(OptionList))
    await pilot.pause()


def line_of(app: Any, key: str) -> int:
    """Return the line of the option with this key."""
    options = app.screen.query_one(OptionList).options
    return next(i for i, option in enumerate(options) if str(option.prompt).startswith(f"{key}  "))


@pytest.mark.parametrize("name", CASES)
async def test_question_can_be_answered_by_key(name: str):
    app, title, answers = case(name)
    key = next(iter(answers))
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for_question(pilot, app, name)
        assert app.screen.query_one(".box").border_title == title
        await pilot.press(key)
        await until_said(pilot, answers[key], "#log Static")


async def test_text_pasted_in_question_goes_to_input_line():
    app, _, answers = case("swap")
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for_question(pilot, app, "swap")
        app.post_message(Paste("swap 2"))
        line = table_screen(app).query_one("#move")
        await until(pilot, lambda: line.display and line.value == "swap 2" and dialog(app) == "GamePlayerScreen")
        assert table_screen(app).deciding
        await pilot.press("enter")
        await until_said(pilot, answers["2"], "#log Static")


@pytest.mark.parametrize("pasted", ["n", "j", "h", "q"])
async def test_letter_pasted_in_question_is_not_a_key(pasted: str):
    app, _, _ = case("jump")
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for_question(pilot, app, "jump")
        app.post_message(Paste(pasted))
        line = table_screen(app).query_one("#move")
        await until(pilot, lambda: line.display and line.value == pasted and dialog(app) == "GamePlayerScreen")
        assert table_screen(app).deciding and app.is_running


async def test_prompt_adds_no_colon_after_question_mark():
    app, _, _ = case("jump")
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for_question(pilot, app, "jump")
        await pilot.press("escape")
        await until_said(pilot, "Jump in? You hold")


async def test_question_waits_until_help_is_closed():
    """Keys pressed in the help must not answer the question."""
    release = threading.Event()

    class BlockedAgent(Scripted):
        def act(self, observation, limit=None):
            release.wait(PATIENCE)
            return super().act(observation, limit)

    app = app_at(uno(2).position(**CHALLENGE), BlockedAgent("f:g"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "is thinking")
        await pilot.press("question_mark")
        await until(pilot, lambda: dialog(app) == "HelpDialog")
        release.set()
        await until(pilot, lambda: table_screen(app).deciding)
        await pilot.pause()
        assert dialog(app) == "HelpDialog"
        await pilot.press("enter")
        await until(pilot, lambda: dialog(app) == "DecisionDialog")
        assert table_screen(app).deciding


@pytest.mark.parametrize("name", CASES)
async def test_question_can_be_answered_with_arrow_keys(name: str):
    app, _, answers = case(name)
    key, words = list(answers.items())[-1]
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for_question(pilot, app, name)
        line = line_of(app, key)
        await pilot.press(*["down"] * line, "enter")
        await until_said(pilot, words, "#log Static")


async def test_next_round_key_keeps_question_open():
    app, _, _ = case("stack")
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for_question(pilot, app, "stack")
        await pilot.press("n")
        await until_said(pilot, "This round is not over.")
        assert dialog(app) == "DecisionDialog" and not table_screen(app).query_one("#move").display


@pytest.mark.parametrize("name", ["challenge", "swap", "stack"])
async def test_question_can_be_answered_with_mouse(name: str):
    app, _, answers = case(name)
    key, words = next(iter(answers.items()))
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for_question(pilot, app, name)
        line = line_of(app, key)
        await click(pilot, lambda: OptionList, lambda: dialog(app) == "GamePlayerScreen", offset=(3, line))
        await until_said(pilot, words, "#log Static")


@pytest.mark.parametrize("name", ["catch", "drawn card", "jump", "stack"])
async def test_question_can_be_closed_and_answered_at_the_table(name: str):
    app, _, answers = case(name)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for_question(pilot, app, name)
        await pilot.press("escape")
        await until(pilot, lambda: dialog(app) == "GamePlayerScreen")
        key, words = list(answers.items())[-1]
        assert any(button.choice.key == key for button in table_screen(app).query("ActionButton"))
        await pilot.press(key)
        await until_said(pilot, words, "#log Static")


@pytest.mark.parametrize("typed", [":w:y", "w:y", "/w:y"])
@pytest.mark.parametrize("burst", [False, True])
async def test_move_typed_in_question_is_played_instead_of_highlighted_line(typed: str, burst: bool):
    app, _, _ = case("drawn wild")
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for_question(pilot, app, "drawn wild")
        if burst:
            press_at_once(app, f"{typed}\n")
        else:
            await pilot.press(*typed, "enter")
        await until_said(pilot, "you: Wild, yellow", "#log Static")


@pytest.mark.parametrize("typed", [":accept", "zzh", ":challenge"])
async def test_burst_typed_in_question_is_typed_completely(typed: str):
    app, _, _ = case("challenge")
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for_question(pilot, app, "challenge")
        press_at_once(app, typed)
        await until(pilot, lambda: table_screen(app).query_one("#move").value == typed.strip(":"))
        await pilot.press("enter")
        await until_said(
            pilot,
            "'zzh' is not a move" if typed == "zzh" else f"you: {typed[1:]}",
            "#status" if typed == "zzh" else "#log Static",
        )


@pytest.mark.parametrize("turns", [1, 2, 5])
async def test_keys_pressed_while_question_closes_stay_in_order(turns: int):
    app, _, _ = case("challenge")
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for_question(pilot, app, "challenge")
        for key in "r1234567":
            press_at_once(app, key)
            for _ in range(turns):
                await asyncio.sleep(0)
        await until(pilot, lambda: table_screen(app).query_one("#move").value == "r1234567")


@pytest.mark.parametrize(
    ("name", "keys", "words"),
    [("uno", "un", "you: uno"), ("drawn wild", "w:bx\b\by\n", "you: Wild, yellow")],
    ids=["behind an answer", "editing"],
)
async def test_burst_of_keys_in_question_is_handled_in_order(name: str, keys: str, words: str):
    app, _, _ = case(name)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for_question(pilot, app, name)
        press_at_once(app, keys)
        await until_said(pilot, words, "#log Static")


@pytest.mark.parametrize("turns", [2, 12, 22, 28])
async def test_keys_arriving_while_app_ends_are_ignored(turns: int):
    app, _, _ = case("uno")
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for_question(pilot, app, "uno")
        press_at_once(app, "u" + "n" * turns)
        for _ in range(turns):
            await asyncio.sleep(0)


async def test_mistyped_move_in_question_plays_nothing():
    app, _, _ = case("drawn wild")
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for_question(pilot, app, "drawn wild")
        await pilot.press(*"w:z", "enter")
        await until_said(pilot, "'w:z' is not a move")
        assert dialog(app) == "GamePlayerScreen" and "you: Wild" not in text(app, "#log Static")


@pytest.mark.parametrize(("key", "color"), [("g", "green"), ("enter", "red")])
async def test_wild_opens_color_picker(key: str, color: str):
    app = app_at(uno(2).position(hands=["f w b1", 5], top="r5"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press("enter")
        await until(pilot, lambda: dialog(app) == "ColorPicker")
        assert app.screen.query_one(".box").border_title == "Wild: name a color"
        await pilot.press(key)
        await until_said(pilot, f"you: Wild, {color}", "#log Static")


@pytest.mark.parametrize(
    ("typed", "played"),
    [
        ("wb", "Wild, blue"),
        ("w:b", "Wild, blue"),
        ("w", "Wild, green"),
        ("F", "Wild+4, green"),
        ("Wild+4", "Wild+4, green"),
    ],
)
async def test_wild_typed_without_color_opens_color_picker(typed: str, played: str):
    app = app_at(uno(2).position(hands=["f w b1", 5], top="r5"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press(":", *typed, "enter")
        if played.endswith("green"):
            await until(pilot, lambda: dialog(app) == "ColorPicker")
            await pilot.press("g")
        await until_said(pilot, f"you: {played}", "#log Static")


async def test_wild_not_in_hand_is_refused():
    app = app_at(uno(2).position(hands=["r1 w b1", 5], top="r5"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press(*":f", "enter")
        await until_said(pilot, "You hold no Wild+4.")


async def test_warning_disappears_when_input_line_closes():
    app = app_at(uno(2).position(hands=["f w b1", 5], top="r5"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press(*":zz", "enter")
        await until_said(pilot, "'zz' is not a move")
        await pilot.press("escape")
        await until_said(pilot, "Your turn")


async def test_challenger_sees_color_before_the_wild():
    app, _, _ = case("challenge")
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for_question(pilot, app, "challenge")
        assert "The current color is green, before it was red." in text(app, "#status")
        await until(pilot, lambda: app.screen.has_class("-beside"))
        await pilot.pause()
        assert app.screen.query_one(".text").display and not app.screen.has_class("-brief")


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_question_dialog_covers_neither_table_nor_hand_nor_hints(name: str, size: tuple[int, int]):
    app, _, _ = case(name)
    async with app.run_test(size=size) as pilot:
        await wait_for_question(pilot, app, name)
        await until(pilot, lambda: leaves_in_sight(app, "#seats", "#pile", "#own", "#search"))


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_color_picker_covers_neither_table_nor_hand_nor_hints(size: tuple[int, int]):
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
async def test_no_dialog_remains_after_burst_of_keys(burst: str):
    app = app_at(uno(2).position(hands=["f w b1", 5], top="r5"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        press_at_once(app, burst)
        await until(pilot, lambda: dialog(app) == "ColorPicker")
        await pilot.press("g")
        await until_said(pilot, "you: Wild, green", "#log Static")
        assert dialog(app) == "GamePlayerScreen"


async def test_color_picker_can_be_closed_to_play_another_card():
    app = app_at(uno(2).position(hands=["f w b1", 5], top="r5"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press("enter")
        await until(pilot, lambda: dialog(app) == "ColorPicker")
        await pilot.press("escape")
        await until(pilot, lambda: dialog(app) == "GamePlayerScreen")
        assert "you" not in text(app, "#log Static")


async def test_color_picker_offers_only_legal_colors():
    app = app_at(uno(2, "wild-color=must-change").position(hands=["w b1 b2", 5], top="r5"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press("enter")
        await until(pilot, lambda: dialog(app) == "ColorPicker")
        assert [str(button.label).split()[1] for button in app.screen.query("Button")] == ["green", "blue", "yellow"]


async def test_opener_names_color_of_wild_start_card():
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


async def test_any_card_or_pass_is_legal_after_drawing_under_simplified_rules():
    app = app_at(uno(2, rules="simplified").position(hands=["b1 r2", 5], top="r5", draw="y9"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn: play a marked card or draw (d)")
        await pilot.press("d")
        await until_said(pilot, "Your turn: play a marked card or draw (d) or pass (p)")
        await pilot.press("p")
        await until_said(pilot, "Your turn: play a marked card or draw (d)")
        assert "you: pass" in text(app, "#log Static")


async def test_must_play_question_has_no_keep():
    app = app_at(uno(2, "drawn-card=must-play").position(hands=["b1 b2", 5], top="r5", draw="w"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn: draw (d)")
        await pilot.press("d")
        await until(pilot, lambda: "You have to play it." in dialog_text(app))


async def test_hint_works_while_question_is_open():
    state = uno(2).position(hands=["r1 r2", 5], top="r5")
    app = app_at(state, Scripted(), hint=lambda: Scripted("uno"))
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for_question(pilot, app, "uno")
        await pilot.press("h")
        await until_said(pilot, "Hint: scripted would play uno")
        assert dialog(app) == "DecisionDialog"


async def test_enter_answers_question_with_hinted_action():
    state = uno(2).position(hands=["r1 r2", 5], top="r5")
    app = app_at(state, Scripted(), hint=lambda: Scripted("quiet"))
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for_question(pilot, app, "uno")
        await pilot.press("h")
        await until_said(pilot, "Hint: scripted would play")
        await pilot.press("enter")
        await until_said(pilot, "you: quiet", "#log Static")


async def test_hinted_color_has_the_focus():
    app = app_at(uno(2).position(hands=["w b1", 5], top="r5"), hint=lambda: Scripted("w:g"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press("h")
        await until_said(pilot, "Hint: scripted would play Wild, green")
        await pilot.press("enter")
        await until(pilot, lambda: getattr(app.focused, "id", None) == "color-g")
        await pilot.press("enter")
        await until_said(pilot, "you: Wild, green", "#log Static")


async def test_stacking_question_counts_cards_to_take():
    app, _, _ = case("stack")
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for_question(pilot, app, "stack")
        lines = [str(option.prompt) for option in app.screen.query_one(OptionList).options]
        assert "1  Stack R+2" in lines and "t  Take 2 cards" in lines


async def test_arrows_move_between_colors():
    app = app_at(uno(2).position(hands=["w b1 b2", 5], top="r5"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press("enter")
        await until(pilot, lambda: dialog(app) == "ColorPicker" and getattr(app.focused, "id", None) == "color-r")
        await pilot.press("right", "right", "down", "left", "enter")
        await until_said(pilot, "you: Wild, blue", "#log Static")


@pytest.mark.parametrize("said", ["challenge", "accept"])
async def test_every_button_does_what_it_says(said: str):
    app, _, _ = case("challenge")
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for_question(pilot, app, "challenge")
        await pilot.press("escape")
        await until(pilot, lambda: dialog(app) == "GamePlayerScreen")

        def button() -> Any:
            return next((each for each in table_screen(app).query("ActionButton") if each.choice.text == said), None)

        await until(pilot, button)
        button().press()
        await until_said(pilot, f"you: {said}", "#log Static")
