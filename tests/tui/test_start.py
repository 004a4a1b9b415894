"""Start of the app: a machine where nothing is compiled, a too small terminal, a terminal without colors."""

import re
import threading
from typing import Any

import pytest

from cardgames.core.state import State
from cardgames.kernels import compile_cache
from cardgames.tui.widgets import waiting_text
from cardgames.tui.widgets.too_small_notice import MIN_SIZE
from tests.tui.company import (
    PATIENCE,
    FakeSearch,
    Scripted,
    app_at,
    dialog,
    hand,
    table_screen,
    text,
    uno,
    until,
    until_said,
)


@pytest.fixture
def new_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compile_cache, "is_marked_compiled", lambda what: False)


def calls_of_the_screen(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record which methods of a state are called in the screen's own thread."""
    called: list[str] = []

    def noting(name: str) -> Any:
        method = getattr(State, name)

        def call(*args: Any, **kwargs: Any) -> Any:
            if threading.current_thread() is threading.main_thread():
                called.append(name)
            return method(*args, **kwargs)

        return call

    for name in ("observation", "legal_actions", "current_player", "is_terminal", "apply_action", "returns"):
        monkeypatch.setattr(State, name, noting(name))
    return called


@pytest.mark.usefixtures("new_machine")
async def test_table_is_shown_before_rules_are_compiled(monkeypatch: pytest.MonkeyPatch):
    app = app_at(uno(2).position(hands=["r1 r2 b3", 5], top="r5"))
    called = calls_of_the_screen(monkeypatch)
    session, compiled = app._table_screen.session, threading.Event()
    deal = session.deal
    monkeypatch.setattr(waiting_text, "_PATIENCE", 0.5)

    def slow_deal() -> None:
        compiled.wait(PATIENCE)
        deal()

    session.deal = slow_deal  # type: ignore[method-assign]
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "compiling the rules for this machine (first time only)…" in text(app, "#note"))
        await pilot.pause(0.3)
        assert text(app, ".seat") == "scripted 1"
        await pilot.press("enter", "d", "h", "n")
        assert called == []
        assert "Dealing" in text(app, "#status"), "no warning takes its place"
        await until(pilot, lambda: re.search(r"first time only\)… \d+ s$", text(app, "#note")))
        compiled.set()
        await until_said(pilot, "Your turn")


@pytest.mark.usefixtures("new_machine")
async def test_person_can_move_while_agents_are_compiled():
    search = FakeSearch()
    app = app_at(uno(2).position(hands=["r1 r2 b3", 5], top="r5"), Scripted(), hint=lambda: search)
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        assert table_screen(app).query_one("#note").display
        assert hand(app)[0] == ">R1"
        search.released.set()
        while table_screen(app).query_one("#note").display:
            await pilot.pause(0.01)


async def test_too_small_terminal_shows_required_size():
    app = app_at(uno(2).position(hands=["r1 r2 b3", 5], top="r5"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        notice = table_screen(app).query_one("#too-small")
        assert not notice.display
        await pilot.resize_terminal(60, 20)
        await pilot.pause()
        assert notice.display
        assert f"needed: {MIN_SIZE[0]} x {MIN_SIZE[1]}\nhere: 60 x 20" in str(notice.render())
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert not notice.display


async def test_too_small_terminal_ignores_keys_except_ctrl_c():
    app = app_at(uno(2).position(hands=["r1 r2 b3", 5], top="r5"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.resize_terminal(60, 20)
        await pilot.press("enter", "d", "q", "q")
        assert "ctrl+c: quit" in text(app, "#too-small")
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert dialog(app) == "GamePlayerScreen" and hand(app) == [">R1", ">R2", " B3"]
        await pilot.resize_terminal(60, 20)
        await pilot.press("ctrl+c")
        await until(pilot, lambda: not app.is_running)


async def test_too_small_terminal_hides_dialogs():
    app = app_at(uno(2).position(hands=["r1 r2", 5], top="r5"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        await pilot.press("enter")
        await until_said(pilot, "One card left")
        await pilot.resize_terminal(79, 24)
        await pilot.pause()
        assert not app.screen.query_one(".box").display
        assert table_screen(app).query_one("#too-small").display


async def test_no_color_environment_variable_removes_colors(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("NO_COLOR", "1")
    app = app_at(uno(2).position(hands=["r1 g2 b3", 5], top="r5"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        assert app.no_color
        colors = {color for color in app.export_screenshot().split('"') if color.startswith("#") and len(color) == 7}
        frame = {"#292929", "#ff5f57", "#febc2e", "#28c840", "#c5c8c6"}
        assert [color for color in colors - frame if not color[1:3] == color[3:5] == color[5:7]] == []
