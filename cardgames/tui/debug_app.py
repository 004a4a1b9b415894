"""App of the command `search-debug`: decisions and search statistics of agents, position by position of one round."""

import asyncio
from collections.abc import Sequence

from cardgames.tui.base_app import BaseApp
from cardgames.tui.position_history import PositionHistory
from cardgames.tui.screens.debug_screen import DebugScreen

PICTURE_SIZE = (130, 40)
"""Columns and rows of the screen when it is rendered as a picture, without a terminal."""


class DebugApp(BaseApp):
    """App that steps through the positions of one round and shows how one or two agents analyze each position."""

    def __init__(
        self, position_history: PositionHistory, ply: int, names: Sequence[str], seed: int, depth: int
    ) -> None:
        """Create the app.

        Args:
            position_history: Positions of the round.
            ply: Number of decisions before the first position shown.
            names: Specifications of one or two agents.
            seed: Seed of the agents.
            depth: Depth to which exported analyses include search trees.
        """
        self.debug_screen = DebugScreen(position_history, ply, names, seed, depth)
        super().__init__(self.debug_screen)


def run_debug_app(position_history: PositionHistory, ply: int, names: Sequence[str], seed: int, depth: int) -> None:
    """Run `DebugApp` with these arguments until the user leaves. Raises the exception of an agent that failed."""
    DebugApp(position_history, ply, names, seed, depth).run_to_end()


def render_debug_app(position_history: PositionHistory, ply: int, names: Sequence[str], seed: int, depth: int) -> str:
    """Run `DebugApp` without a terminal until every agent has decided; return its screen as SVG.

    Raises the exception of an agent that failed.
    """
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
