"""Screen of a person who plays Uno: keys, mouse, typed moves, hints, leaving, the end of a round."""

import time
from pathlib import Path
from typing import Any

import pytest
from textual.events import Key, Paste

from cardgames.agents.agent import Decision
from cardgames.records.recorder import Recorder
from cardgames.tui.base_app import BaseApp
from cardgames.tui.session import Session
from cardgames.tui.table_app import play_app
from tests.tui.company import (
    FAST,
    FakeSearch,
    Scripted,
    app_at,
    click,
    dialog,
    dialog_text,
    hand,
    listening,
    press_at_once,
    seated,
    set_up,
    table_screen,
    text,
    uno,
    until,
    until_said,
    unwrapped,
)

HANDS = ["r1 r2 g7 gs w", "y1 y2 y3"]


def simple(**parts: Any) -> Any:
    return uno(2).position(**{"hands": HANDS, "top": "r5", **parts})


@pytest.mark.parametrize("players", range(2, 11))
async def test_all_players_fit_on_the_smallest_screen(players: int):
    app = play_app(seated(uno(players), None, *["reflex"] * (players - 1), seed=2), speed=FAST)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: table_screen(app).query("Card"))
        seats = table_screen(app).query_one("#seats")
        assert len(seats.children) == players - 1 and seats.max_scroll_y == 0


@pytest.mark.parametrize("size", [(80, 24), (80, 36), (80, 40), (110, 36), (110, 44), (80, 50)])
@pytest.mark.parametrize("cards", [7, 15, 31])
async def test_hand_is_never_cut_off(cards: int, size: tuple[int, int]):
    held = [f"{color}{rank}" for rank in range(8) for color in "rgby"][: cards - 2]
    app = app_at(uno(2).position(hands=[" ".join([*held, "w f"]), "y9"], top="rs"))
    async with app.run_test(size=size) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press("colon", *"dr")
        screen = table_screen(app)
        own, hand = screen.query_one("#own").content_region, screen.query_one("#hand")
        await until(pilot, lambda: own.contains_region(screen.query_one("#move").region))
        assert own.contains_region(hand.region) and own.contains_region(screen.query_one("#actions").region)
        assert hand.show_vertical_scrollbar == (cards == 31 and size == (80, 24))
        if not hand.show_vertical_scrollbar:
            assert all(hand.region.contains_region(card.region) for card in screen.query("Card"))
        assert screen.query_one("#words").region.right <= screen.query_one("#pile").region.right
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: screen.query_one("#move").region.bottom <= 24 and not hand.has_class("-high"))


@pytest.mark.parametrize("names", [(None, "reflex", "reflex"), ("reflex", None)])
async def test_whole_round_can_be_played_with_keys(names: tuple[str | None, ...]):
    app = play_app(seated(uno(len(names), "hand-size=4"), *names, seed=2), speed=FAST)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: table_screen(app).query("Card"))
        while dialog(app) != "RoundOverDialog":
            await pilot.press("r" if dialog(app) == "ColorPicker" else "enter")
            await until(pilot, lambda: True)
        assert app.screen.query_one(".box").border_title.endswith("round")
        await pilot.press("n")
        await until(pilot, lambda: dialog(app) != "RoundOverDialog")
        await until_said(pilot, "round 2", "#title")


async def test_ctrl_z_suspends_the_program(monkeypatch: pytest.MonkeyPatch):
    suspended: list[bool] = []
    monkeypatch.setattr(BaseApp, "action_suspend_process", lambda app: suspended.append(True))
    app = app_at(simple())
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press("colon", *"dr", "ctrl+z")
        assert suspended


async def test_table_shows_cards_and_facts_in_words():
    app = app_at(simple(direction=-1))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn: play a marked card or draw (d)")
        assert hand(app) == [">R1", ">R2", " G7", " G-skip", ">Wild"]
        assert text(app, ".group").split() == ["red", "green", "wild"]
        assert "scripted 1\n3 cards" in text(app, ".seat")
        assert text(app, "#top") == "R5"
        assert "RED" in text(app, "#words") and "counterclockwise" in text(app, "#words")


async def test_arrows_move_between_cards_and_enter_plays():
    app = app_at(simple())
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press("right", "enter")
        await until_said(pilot, "you: R2", "#log Static")


async def test_up_and_down_move_between_rows():
    app = app_at(simple())
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press("right", "down")
        assert str(app.focused.render()).strip() == "G-skip"
        await pilot.press("down", "down")
        assert str(app.focused.render()).strip() == ">R1"


async def test_unplayable_card_is_refused_with_reason():
    app = app_at(simple())
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press("down", "enter")
        await until_said(pilot, "G7 cannot be played now. Your turn: play a marked card or draw (d)")
        assert "you" not in text(app, "#log Static")


async def test_cards_buttons_and_colors_can_be_clicked():
    app = app_at(simple(draw="b1"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await click(pilot, lambda: table_screen(app).query("Card").last(), lambda: dialog(app) == "ColorPicker")
        await click(pilot, lambda: "#color-b", lambda: dialog(app) == "GamePlayerScreen")
        await until_said(pilot, "you: Wild, blue", "#log Static")
        await until_said(pilot, "Your turn")
        await click(pilot, lambda: "ActionButton", lambda: "you draw " in text(app, "#log Static"))


async def test_draw_has_key_and_focus_if_it_is_the_only_action():
    app = app_at(simple(top="b5", hands=["r1 r2", "y1"], draw="g1 g2"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn: draw (d)")
        await pilot.press("d")
        await until_said(pilot, "you draw G1", "#log Static")
        await until_said(pilot, "Your turn: draw (d)")
        await pilot.press("enter")
        await until_said(pilot, "you draw", "#log Static")


async def test_moves_can_be_typed():
    app = app_at(simple())
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press("colon", *"b9", "enter")
        await until_said(pilot, "b9 is not allowed now: choose from r1, r2, w:r")
        await pilot.press("escape", "w", "colon", "g", "enter")
        await until_said(pilot, "you: Wild, green", "#log Static")
        assert not table_screen(app).query_one("#move").display


@pytest.mark.parametrize("typed", ["5", "z", "k", "p"])
async def test_mistyped_key_and_enter_do_not_play_focused_card(typed: str):
    app = app_at(simple())
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        press_at_once(app, f"{typed}\n")
        await until_said(pilot, f"'{typed}' is not a move")
        assert "you:" not in text(app, "#log Static")


@pytest.mark.parametrize(
    ("typed", "played"),
    [
        ("R 1", "you: R1"),
        ("R-2", "you: R2"),
        ("wild, green", "you: Wild, green"),
        ("Wild B", "you: Wild, blue"),
        ("d", "you draw"),
        ("Draw a card", "you draw"),
    ],
)
async def test_displayed_names_of_moves_can_be_typed(typed: str, played: str):
    app = app_at(simple())
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press("colon")
        press_at_once(app, f"{typed}\n")
        await until_said(pilot, played, "#log Static")


def footer(app: Any) -> str:
    """Return the keys shown in the footer."""
    return " ".join(f"{key.key_display} {key.description}" for key in app.screen.query("FooterKey"))


async def test_footer_shows_only_working_keys():
    app = app_at(simple())
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await until(pilot, lambda: "? help" in footer(app) and "q quit" in footer(app))
        await pilot.press("colon")
        await until(pilot, lambda: "play it" in footer(app) and "close" in footer(app))
        assert "help" not in footer(app) and "quit" not in footer(app) and "hint" not in footer(app)
        await pilot.press("question_mark", "q")
        assert table_screen(app).query_one("#move").value == "?q"
        await pilot.press("f1")
        await until(pilot, lambda: dialog(app) == "HelpDialog")


@pytest.mark.parametrize("typed", ["[/b]", "[red]x", "[@click=app.quit]x"])
async def test_typed_markup_is_shown_literally(typed: str):
    app = app_at(simple())
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press("colon", *typed, "enter")
        await until_said(pilot, f"{typed!r} is not a move")


async def test_markup_in_agent_names_is_shown_literally():
    other, state = Scripted(), uno(2, rules="rlcard").position(hands=["r1", "y1 y2"], top="r5")
    other.name = "mine[/b]"
    app = app_at(state, other, hint=lambda: other)
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        assert "mine[/b] 1" in text(app, ".seat")
        await pilot.press("h")
        await until_said(pilot, "Hint: mine[/b] would play")
        await pilot.press("enter")
        await until(pilot, lambda: dialog(app) == "RoundOverDialog" and "mine[/b] 1" in dialog_text(app))


@pytest.mark.parametrize(("steps", "name"), [(2, "G7"), (3, "G-skip")])
async def test_arrows_and_enter_in_a_burst_are_handled_in_order(steps: int, name: str):
    app = app_at(simple(hands=["r1 r2 g7 gs w", "y1 y2 y3"], top="g1"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        table_screen(app).set_focus(table_screen(app).query("Card").first())
        for _ in range(steps):
            app.post_message(Key("right", None))
        press_at_once(app, "\n")
        await until_said(pilot, f"you: {name}", "#log Static")


async def test_key_after_enter_is_handled_after_the_card():
    app = app_at(simple())
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        press_at_once(app, "\nd")
        await until_said(pilot, "you: R1", "#log Static")


async def test_table_is_shown_at_once_when_first_decision_is_private():
    game, search = uno(3), FakeSearch()
    state = game.position(hands=["r1 r2", "r9 b1", 5], top="r5", draw="r7", to_move=1)
    state.apply_action(game.parse_action("draw"))
    app = app_at(state, search, Scripted())
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: hand(app) == [" R1", " R2"])
        assert "fake-search 1" in text(app, ".seat") and "round 1" in text(app, "#title")
        search.released.set()


async def test_long_agent_names_keep_their_seat_number():
    app = play_app(seated(uno(10), None, *["human-rule"] * 9), speed=FAST)
    async with app.run_test(size=(80, 24)) as pilot:
        for number in range(1, 10):
            await until_said(pilot, f"… {number}\n", ".seat")
        await pilot.resize_terminal(200, 40)
        await until_said(pilot, "human-rule 9", ".seat")
        await pilot.resize_terminal(80, 24)
        await until_said(pilot, "… 9\n", ".seat")


@pytest.mark.parametrize("keys", ["w:g", ":w:g"])
async def test_burst_of_keys_types_a_whole_move(keys: str):
    app = app_at(simple())
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        press_at_once(app, f"{keys}\n")
        await until_said(pilot, "you: Wild, green", "#log Static")


@pytest.mark.parametrize("pasted", ["w:g", " w:g\nr9\n", "\n\n:w:g"])
async def test_pasted_move_is_typed_and_enter_plays_it(pasted: str):
    app = app_at(simple())
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        app.post_message(Paste(pasted))
        press_at_once(app, "\n")
        await until_said(pilot, "you: Wild, green", "#log Static")


async def test_pasted_text_keeps_its_place_between_keys():
    app = app_at(simple())
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        app.post_message(Paste("w"))
        press_at_once(app, ":")
        app.post_message(Paste("g"))
        press_at_once(app, "\n")
        await until_said(pilot, "you: Wild, green", "#log Static")


async def test_leave_dialog_buttons_can_be_reached_with_tab():
    app = app_at(simple())
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press("q")
        await until(pilot, lambda: dialog(app) == "LeaveDialog" and app.screen.query("#leave"))
        await pilot.press("tab", "tab")
        await until(pilot, lambda: app.focused is app.screen.query_one("#leave"))
        await pilot.press("enter")
        await until(pilot, lambda: not app.is_running)


async def test_editing_keys_are_handled_in_order():
    app = app_at(simple())
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        press_at_once(app, "r3\b9\x012")
        line = table_screen(app).query_one("#move")
        await until(pilot, lambda: line.value == "2r9")


async def test_closing_input_line_returns_focus_to_cards():
    app = app_at(simple())
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press("w", "escape", "right", "enter")
        await until_said(pilot, "you: R2", "#log Static")


async def test_hint_shows_live_search_during_the_game():
    search = FakeSearch()
    app = app_at(simple(), hint=lambda: search)
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press("h")
        await until(pilot, lambda: "R1" in text(app, "#report"))
        first = text(app, "#report")
        assert "Wild B" in first and "50 %" in first and "simulations" in first
        await until(pilot, lambda: text(app, "#report") != first)
        await pilot.press("right")
        assert str(app.focused.render()).strip() == ">R2"
        search.released.set()
        await until_said(pilot, "Hint: fake-search would play R1")
        assert hand(app)[0] == "*R1"


async def test_playing_stops_the_hint_search():
    search = FakeSearch()
    app = app_at(simple(), hint=lambda: search)
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press("h")
        await until(pilot, lambda: "R1" in text(app, "#report"))
        await pilot.press("enter")
        await until_said(pilot, "you: R1", "#log Static")
        await until(pilot, lambda: search.stopped)


async def test_hint_needs_hint_agent_and_own_turn():
    game, search = uno(2), FakeSearch()
    app = app_at(game.position(hands=HANDS, top="r5", to_move=1), search)
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "fake-search 1 is thinking")
        await pilot.press("h")
        await until_said(pilot, "Hints are available only on your turn.")
        search.released.set()
        await until_said(pilot, "Your turn")
        await pilot.press("h")
        await until_said(pilot, "Hints are not available")


async def test_search_of_opponent_shows_only_simulation_count():
    search = FakeSearch()
    app = app_at(uno(2).position(hands=["r1 r2", "y1 r3"], top="r5", to_move=1), search)
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "fake-search 1 is thinking", "#report")
        assert "R3" not in text(app, "#report") and "Y1" not in text(app, "#report")
        search.released.set()
        await until_said(pilot, "Your turn")
        assert "R3" not in text(app, "#report")


async def test_screen_reacts_while_opponent_is_thinking():
    search = FakeSearch()
    app = app_at(simple(to_move=1), search)
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "fake-search 1 is thinking")
        await pilot.press("question_mark")
        assert dialog(app) == "HelpDialog"
        await pilot.press("escape", "enter")
        await until_said(pilot, "is thinking")
        await pilot.press("n")
        await until_said(pilot, "This round is not over.")
        await pilot.press("q", "q")
        await until(pilot, lambda: not app.is_running)
    assert search.stopped


async def test_ctrl_q_asks_before_leaving():
    app = app_at(uno(2).position(hands=HANDS, top="r5"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press("ctrl+q")
        await until(pilot, lambda: dialog(app) == "LeaveDialog")
        await pilot.press("ctrl+p", "ctrl+q")
        await until(pilot, lambda: not app.is_running)


@pytest.mark.parametrize(("rules", "lost"), [("official", "match"), ("rlcard", "round")])
@pytest.mark.parametrize("rest", ["n", "y", "h", "\r", "uit\r", "ueen\r", "werty\r"])
async def test_word_that_begins_with_leave_key_stays(rules: str, lost: str, rest: str):
    app = app_at(uno(2, rules=rules).position(hands=HANDS, top="r5"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press("q")
        await until(
            pilot,
            lambda: (
                dialog(app) == "LeaveDialog" and f"The {lost} is not over. This game is not saved." in unwrapped(app)
            ),
        )
        await pilot.press(*("enter" if key == "\r" else key for key in rest))
        await until(pilot, lambda: dialog(app) == "GamePlayerScreen")
        assert app.is_running and "you: " not in text(app, "#log Static")


async def test_leave_key_twice_leaves_the_round():
    app = app_at(simple())
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press("q", "q")
        await until(pilot, lambda: not app.is_running)


async def test_leave_dialog_names_record_to_resume(tmp_path: Path):
    state = simple()
    with Recorder(tmp_path / "game.jsonl", state.game, ["you", "reflex"], 0) as recorder:
        app = play_app(set_up(seated(state.game, None, "reflex", recorder=recorder), state))
        async with app.run_test(size=(80, 24)) as pilot:
            await until_said(pilot, "Your turn")
            await pilot.press("q")
            await until(
                pilot, lambda: dialog(app) == "LeaveDialog" and "Resume it later with --resume" in dialog_text(app)
            )


async def test_leave_key_in_help_over_leave_dialog_stays():
    app = app_at(simple())
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press("q", "f1")
        await until(pilot, lambda: dialog(app) == "HelpDialog")
        await pilot.press("q")
        await until(pilot, lambda: dialog(app) == "LeaveDialog")
        assert app.is_running


async def test_broken_app_exits_with_code_1(monkeypatch: pytest.MonkeyPatch):
    app = app_at(simple())
    monkeypatch.setattr(app, "run", lambda: setattr(app, "_return_code", 1))
    with pytest.raises(SystemExit) as end:
        app.run_to_end()
    assert end.value.code == 1


@pytest.mark.parametrize(("button", "runs"), [("#stay", True), ("#leave", False)])
async def test_leave_dialog_works_with_mouse(button: str, runs: bool):
    app = app_at(simple())
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press("q")
        await until(pilot, lambda: dialog(app) == "LeaveDialog" and app.screen.query(button))
        await click(pilot, lambda: button, lambda: dialog(app) == "GamePlayerScreen" if runs else not app.is_running)


@pytest.mark.parametrize("key", [True, False])
async def test_leaving_between_rounds_of_match_asks_first(key: bool):
    app = app_at(uno(2, "hand-size=1").position(hands=["r1", "y1 y2 y3"], top="r5"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press("enter")
        await until(pilot, lambda: dialog(app) == "RoundOverDialog" and app.screen.query(".box"))
        if key:
            await pilot.press("q")
        else:
            await click(pilot, lambda: "#quit", lambda: dialog(app) == "LeaveDialog")
        await until(pilot, lambda: dialog(app) == "LeaveDialog" and "The match is not over" in dialog_text(app))


async def test_round_over_dialog_replaces_leave_dialog():
    search = FakeSearch()
    app = app_at(uno(2, rules="rlcard").position(hands=["r1 r2", "y1"], top="y5", to_move=1), search)
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "fake-search 1 is thinking")
        await pilot.press("q")
        await until(pilot, lambda: dialog(app) == "LeaveDialog")
        search.released.set()
        await until(pilot, lambda: dialog(app) == "RoundOverDialog")
        assert [type(screen).__name__ for screen in app.screen_stack[2:]] == ["RoundOverDialog"]


async def test_help_shows_the_rules_of_this_table():
    app = app_at(uno(2, "stacking=same").position(hands=HANDS, top="r5"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press("f1")
        shown = dialog_text(app)
        assert "arrows, enter" in shown
        assert "stacking         same" in shown
        await pilot.press("f1")
        assert dialog(app) == "GamePlayerScreen"


async def test_round_over_dialog_shows_all_hands_and_points():
    app = app_at(uno(2).position(hands=["r1", "y1 yd"], top="r5"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press("enter")
        await until(pilot, lambda: dialog(app) == "RoundOverDialog")
        shown = dialog_text(app)
        assert app.screen.query_one(".box").border_title == "You have won the round"
        assert "+21" in shown and "21 of 500 points" in shown and "Y1  Y+2" in shown
        await pilot.press("escape")
        await until(pilot, lambda: dialog(app) == "GamePlayerScreen")
        await pilot.press("n")
        await until_said(pilot, "round 2", "#title")


async def test_opponent_moves_keep_their_pace():
    session = Session(uno(3), [None, Scripted(), Scripted()])
    set_up(session, session.game.position(hands=["r1 b2 b3", "g1 g2", "y1 y2"], top="r5", draw="g4 y4"))
    app = play_app(session, speed=3)
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        start, said = time.monotonic(), listening(app)
        await pilot.press("enter")
        await until(pilot, lambda: any("is thinking" in words for words in said) and "Your turn" in said[-1])
        assert time.monotonic() - start > 2 * 0.6 / 3


async def test_illegal_move_of_agent_ends_app_without_revealing_its_hand():
    class Wrong(Scripted):
        def act(self, observation: Any, limit: Any = None) -> Decision:
            return Decision(0 if 0 not in observation.legal_actions else 1)

    app = app_at(simple(to_move=1), Wrong())
    async with app.run_test(size=(80, 24)) as pilot:
        while app.failure is None:
            await pilot.pause(0.01)
        assert str(app.failure) == "agent scripted answered 0, which is not legal"


async def test_failing_agent_ends_app_with_its_error():
    class Broken(Scripted):
        def act(self, observation: Any, limit: Any = None) -> Any:
            raise RuntimeError("broken agent")

    app = app_at(simple(to_move=1), Broken())
    async with app.run_test(size=(80, 24)) as pilot:
        while app.failure is None:
            await pilot.pause(0.01)
    assert str(app.failure).startswith("agent scripted failed: RuntimeError: broken agent (test_player_screen.py")


async def test_wild_chosen_twice_in_a_burst_opens_one_color_picker():
    app, opened = app_at(simple(hands=["w w b1 b2", "y1 y2 y3 y4 y5"])), []
    push = app.push_screen
    app.push_screen = lambda screen, *more: opened.append(screen) or push(screen, *more)
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        table_screen(app).query("Card").last().focus()
        press_at_once(app, "\n\n\n")
        await until(pilot, lambda: "ColorPicker" in (type(screen).__name__ for screen in opened))
        await pilot.pause(0.3)
        if dialog(app) == "ColorPicker":  # else an enter has already chosen its first color
            await pilot.press("g")
        await until(pilot, lambda: table_screen(app).deciding and len(hand(app)) == 3)
        assert dialog(app) == "GamePlayerScreen"
        assert [type(screen).__name__ for screen in opened].count("ColorPicker") == 1


async def test_late_dialog_answer_is_ignored():
    app = app_at(simple(hands=["w b1 b2", "y1 y2 y3 y4 y5"]))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        screen = table_screen(app)
        table_screen(app).query("Card").last().focus()
        await pilot.press("enter")
        await until(pilot, lambda: dialog(app) == "ColorPicker")
        screen.submit("draw")
        await until(pilot, lambda: screen.deciding and len(hand(app)) == 4)
        await pilot.press("g")
        await until(pilot, lambda: dialog(app) == "GamePlayerScreen")
        await pilot.pause(0.2)
        assert len(hand(app)) == 4 and app.failure is None


async def test_plate_marks_last_card():
    app = app_at(uno(3).position(hands=["r1 r2", "y1", "b1 b2"], top="r5"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        assert "scripted 1\nlast card!" in text(app, ".seat") and text(app, ".seat").count("last card!") == 1


async def test_opponents_are_listed_in_order_of_play_after_the_person():
    app = play_app(seated(uno(4), "reflex", "random", None, "reflex", seed=2), speed=FAST)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: table_screen(app).query("Card"))
        assert [seat.seat for seat in table_screen(app).query(".seat")] == [3, 0, 1]


@pytest.mark.parametrize(("rules", "button"), [("official", "n  Next round"), ("rlcard", "n  Next round")])
async def test_button_offers_next_round_in_matches_and_single_rounds(rules: str, button: str):
    app = app_at(uno(2, rules=rules).position(hands=["r1", "y1 yd"], top="r5"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press("enter")
        await until(pilot, lambda: dialog(app) == "RoundOverDialog" and app.screen.query("#next"))
        assert str(app.screen.query_one("#next").label) == button


async def test_title_shows_score_of_each_player():
    app = app_at(uno(2).position(hands=["r1", "y1 yd"], top="r5"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press("enter")
        await until(pilot, lambda: dialog(app) == "RoundOverDialog" and app.screen.query("#next"))
        await pilot.press("n")
        await until_said(pilot, "round 2 · you 21 · scripted 1 0 · of 500", "#title")
