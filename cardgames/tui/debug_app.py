"""App of `search-debug`: the decisions and searches of agents, position by position."""

import asyncio
from collections.abc import Sequence

from cardgames.tui.base_app import BaseApp
from cardgames.tui.position_history import PositionHistory
from cardgames.tui.screens.debug_screen import DebugScreen

PICTURE_SIZE = (130, 40)
"""Columns and rows of a screen that is rendered without a terminal."""


class DebugApp(BaseApp):
    """App that shows one round and the analyses of its positions by one or two agents."""

    def __init__(
        self, position_history: PositionHistory, ply: int, names: Sequence[str], seed: int, depth: int
    ) -> None:
        self.debug_screen = DebugScreen(position_history, ply, names, seed, depth)
        super().__init__(self.debug_screen)


def run_debug_app(position_history: PositionHistory, ply: int, names: Sequence[str], seed: int, depth: int) -> None:
    """Show the analyses of the agents called `names` until the user leaves. Raises the exception of an agent that failed."""
    DebugApp(position_history, ply, names, seed, depth).run_to_end()


def render_debug_app(position_history: PositionHistory, ply: int, names: Sequence[str], seed: int, depth: int) -> str:
    """Return the screen as SVG, once every agent has decided. Raises the exception of an agent that failed."""
    app = DebugApp(position_history, ply, names, seed, depth)

    async def draw() -> str:
        async with app.run_test(size=PICTURE_SIZE) as pilot:
            while app.is_running and not app.debug_screen.settled:
                await asyncio.sleep(0.02)
            await pilot.pause()
            return app.export_screenshot() if app.failure is None else ""

    picture = asyncio.run(draw())
    app.raise_failure()
    return picture
