"""Key bar: it is laid out again only when its keys change."""

import pytest
from textual.app import App, ComposeResult
from textual.widgets import Button
from textual.widgets._footer import FooterKey

from cardgames.tui.widgets.key_bar import KeyBar


class ButtonWithKey(Button):
    """Button with a key that works while it has the focus."""

    BINDINGS = [("o", "app.bell", "Own")]


class FooterApp(App[None]):
    BINDINGS = [("r", "ring", "Ring")]
    able = True

    def compose(self) -> ComposeResult:
        yield Button("1", id="first")
        yield Button("2", id="second")
        yield ButtonWithKey("3", id="third")
        yield KeyBar()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return True if action != "ring" or self.able else None

    def action_ring(self) -> None:
        """Do nothing."""

    def keys(self) -> list[tuple[str, bool]]:
        return [(str(key.description), not key.has_class("-disabled")) for key in self.query(FooterKey)]


async def test_footer_is_laid_out_again_only_if_keys_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    laid_out, before = 0, KeyBar.compose

    def counted(self: KeyBar) -> ComposeResult:
        nonlocal laid_out
        laid_out += 1
        yield from before(self)

    monkeypatch.setattr(KeyBar, "compose", counted)
    async with FooterApp().run_test() as pilot:
        app = pilot.app
        assert isinstance(app, FooterApp)
        app.query_one("#first").focus()
        await pilot.pause()
        assert app.keys() == [("Ring", True)]
        shown = laid_out
        for _ in range(3):
            for name in ("#second", "#first"):
                app.query_one(name).focus()
                await pilot.pause()
        assert laid_out == shown
        app.query_one("#third").focus()
        await pilot.pause()
        assert sorted(app.keys()) == [("Own", True), ("Ring", True)]
        app.able = False
        app.refresh_bindings()
        await pilot.pause()
        await pilot.pause()
        assert sorted(app.keys()) == [("Own", True), ("Ring", False)]
