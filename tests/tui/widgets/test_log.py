"""Log widget."""

from types import SimpleNamespace
from typing import Any

from textual.app import App, ComposeResult
from textual.content import Content
from textual.widgets import Static

from cardgames.tui.screen_parts import card_style_of
from cardgames.tui.widgets.log import Log
from tests.tui.company import until


class LogApp(App[None]):
    """App that shows only the log."""

    failure = None

    def compose(self) -> ComposeResult:
        yield Log(card_style_of("uno"))

    def get_css_variables(self) -> dict[str, str]:
        return super().get_css_variables() | {f"card-{name}": "#808080" for name in ("red", "wild")}


async def test_log_shows_given_lines_scrolled_to_the_last():
    app = LogApp()
    async with app.run_test(size=(40, 10)) as pilot:
        log = app.query_one(Log)
        for count in (0, 3, 200, 201, 930, 931, 420, 0, 7):
            lines = [f"random {number}: R5" for number in range(count)]
            log.show([line.lower() for line in lines])
            await pilot.pause()
            assert "\n".join(str(page.render()) for page in log.query(Static)).split("\n") == (lines or [""])
            await until(pilot, lambda: log.is_vertical_scroll_end)
        log.show(["another: r5", *lines[1:-1], f"{lines[-1]} (x2)"])
        await pilot.pause()
        shown = str(log.query_one(Static).render()).split("\n")
        assert (shown[0], shown[-1], len(shown)) == ("another: R5", "random 6: R5 (x2)", 7)


async def test_log_keeps_scroll_position_until_end_is_reached_or_next_round_begins():
    app = LogApp()
    async with app.run_test(size=(40, 10)) as pilot:
        log = app.query_one(Log)
        lines = [f"random {number}: r5" for number in range(50)]
        log.show(lines)
        await until(pilot, lambda: log.scroll_y > 0 and log.is_vertical_scroll_end)
        log.turn_pages(-1)
        await until(pilot, lambda: not log.is_vertical_scroll_end)
        there = log.scroll_y
        for more in range(3):
            log.show(lines := [*lines, f"reflex {more}: g5"])
            await pilot.pause()
        assert log.scroll_y == there
        log.turn_pages(2)
        await until(pilot, lambda: log.is_vertical_scroll_end)
        log.show([*lines, "reflex 3: g5"])
        await until(pilot, lambda: log.scroll_y > there + 10 and log.is_vertical_scroll_end)
        log.turn_pages(-1)
        log.turn_pages(-2)
        await until(pilot, lambda: log.scroll_y == log.max_scroll_y - 3 * log.scrollable_content_region.height)
        log.follow()
        log.show(lines[:30])
        await until(pilot, lambda: log.is_vertical_scroll_end)
        log.show(lines[:40])
        await until(pilot, lambda: log.scroll_y > 0 and log.is_vertical_scroll_end)


async def test_full_log_pages_are_not_rendered_again(monkeypatch: Any):
    app = LogApp()
    async with app.run_test() as pilot:
        log = app.query_one(Log)
        lines = [f"random {number}: w" for number in range(1000)]
        log.show(lines)
        await pilot.pause()
        painted: list[str] = []
        monkeypatch.setattr(
            log, "_card_style", SimpleNamespace(line_with_names=lambda text: painted.append(text) or Content(text))
        )
        log.show([*lines, "one more"])
        assert painted == ["one more"]
