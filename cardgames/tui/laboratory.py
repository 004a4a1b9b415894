"""The app of `search-debug`: looking inside agents, position by position."""

import asyncio
from collections.abc import Sequence

from textual.app import App
from textual.binding import Binding

from cardgames.tui.screens.debug import DebugScreen
from cardgames.tui.theme import THEMES, card_colors
from cardgames.tui.walk import Walk
from cardgames.tui.widgets.too_small import MIN_SIZE

PICTURE_SIZE = (130, 40)
"""Columns and rows of a screen drawn without a terminal."""


class Laboratory(App[None]):
    """One round and the agents that think about its positions."""

    CSS_PATH = "cardgames.tcss"
    TITLE = "cardgames"
    HORIZONTAL_BREAKPOINTS = [(0, "-too-narrow"), (MIN_SIZE[0], "-narrow"), (110, "-wide"), (150, "-very-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-too-short"), (MIN_SIZE[1], "-short"), (36, "-tall")]
    BINDINGS = [Binding("ctrl+c", "quit", "quit", show=False, priority=True)]

    def __init__(self, walk: Walk, ply: int, names: Sequence[str], seed: int, depth: int) -> None:
        super().__init__()
        self.failure: Exception | None = None
        """What ended the app, if it was not the person."""
        self.looking = DebugScreen(walk, ply, names, seed, depth)
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = THEMES[0].name

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Give every theme the colours of the cards."""
        return card_colors(dark=self.current_theme.dark)

    def on_mount(self) -> None:
        """Show the position."""
        self.push_screen(self.looking)

    def fail(self, error: Exception) -> None:
        """End the app because of `error`, which whoever runs it will meet."""
        self.failure = error
        self.exit()

    def on_unmount(self) -> None:
        """Stop the searches, however the app ends."""
        self.looking.leave()


def run_laboratory(walk: Walk, ply: int, names: Sequence[str], seed: int, depth: int) -> None:
    """Look into the agents called `names` until the person leaves. Raises what an agent failed with."""
    app = Laboratory(walk, ply, names, seed, depth)
    app.run()
    if app.failure is not None:
        raise app.failure


def draw_laboratory(walk: Walk, ply: int, names: Sequence[str], seed: int, depth: int) -> str:
    """Return the screen as SVG, once all agents have thought. Raises what an agent failed with."""
    app = Laboratory(walk, ply, names, seed, depth)

    async def draw() -> str:
        async with app.run_test(size=PICTURE_SIZE) as pilot:
            while app.is_running and not app.looking.settled:
                await asyncio.sleep(0.02)
            await pilot.pause()
            return app.export_screenshot() if app.failure is None else ""

    picture = asyncio.run(draw())
    if app.failure is not None:
        raise app.failure
    return picture
