"""The screen of a spectator: agents only, all cards shown."""

import asyncio
from contextlib import suppress

from textual.binding import Binding

from cardgames.agents.agent import Decision
from cardgames.search.report import SearchReport
from cardgames.tui.screens.table_screen import TableScreen
from cardgames.tui.widgets.search_panel import SearchPanel

_SLOWEST, _FASTEST = 1 / 16, 64
_REST = 6.0
"""Seconds for which the end of a round is shown at speed 1."""


class WatchScreen(TableScreen):
    """The whole table, with pause, single steps and speed."""

    KEYS = """\
space           pause, go on      s   one move
+ -             faster, slower    n   next round
pgup, pgdn      read in the log   F2  light or dark
? or F1         this help         q   quit
ctrl+z          suspend; `fg` in the shell goes on"""
    BINDINGS = [
        Binding("space", "pause", "pause"),
        Binding("s", "step", "one move"),
        Binding("plus,equals_sign", "speed(2.0)", "faster", key_display="+"),
        Binding("minus", "speed(0.5)", "slower", key_display="-"),
        Binding("n", "next", "next round"),
        Binding("question_mark,f1", "app.help", "help", key_display="?"),
        Binding("q", "app.quit", "quit", key_display="q"),
    ]

    _paused = False
    _steps = 0
    """Moves to be shown although it is paused."""

    def on_mount(self) -> None:
        """Be ready to be paused."""
        self._told = asyncio.Event()

    async def hold(self) -> None:
        """Wait for the pace or, while paused, for a step; a key changes either at once."""
        while not self._steps and (self._paused or self.due() > 0):
            self._told.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._told.wait(), None if self._paused else self.due())
        self._steps = max(0, self._steps - 1)

    async def _deal(self) -> None:
        self._steps = 0
        await super()._deal()

    def rest(self) -> float | None:
        """Go on from round to round until the match is decided."""
        one_more = self.table.match_score is not None and not self.table.match_over
        return _REST / self.speed if one_more and not self._paused else None

    def action_pause(self) -> None:
        """Pause, also where single moves are still to come, or go on."""
        self._paused, self._steps = not self._paused or self._steps > 0, 0
        self._told.set()
        self.say("Paused: space goes on, s shows one move" if self._paused else "Going on")

    def action_step(self) -> None:
        """Show one move more, and pause after it."""
        self._paused = True
        self._steps += 1
        self._told.set()

    def action_speed(self, factor: float) -> None:
        """Change the pace, within bounds, but for one that lay beyond them to begin with."""
        bounds = min(_SLOWEST, self.speed), max(_FASTEST, self.speed)
        self.speed = min(max(self.speed * factor, bounds[0]), bounds[1])
        self._told.set()
        self.say(f"Speed {self.speed:g}")

    def opponent_thinks(self, report: SearchReport) -> None:
        """Show the whole search: a spectator sees all cards anyway."""
        self._show_report(report)

    def opponent_decided(self, decision: Decision) -> None:
        """Show the finished search."""
        if isinstance(decision.report, SearchReport):
            self._show_report(decision.report)

    def _show_report(self, report: SearchReport) -> None:
        self.query_one(SearchPanel).show(f"Search: {self.table.name(report.player)}", report)
