"""Screen of a spectator: agents only, all cards shown."""

import asyncio
from contextlib import suppress

from textual.binding import Binding

from cardgames.agents.agent import Decision
from cardgames.search.report import SearchReport
from cardgames.tui.screens.base_table_screen import BaseTableScreen
from cardgames.tui.widgets.search_panel import SearchPanel

_SLOWEST, _FASTEST = 1 / 16, 64
_REST = 6.0
"""Seconds for which the result of a round in a match is shown at speed 1."""


class WatchScreen(BaseTableScreen):
    """Screen on which a spectator watches agents play, with pause, single steps and adjustable speed."""

    KEYS = """\
space           pause, continue   s   one move
+ -             faster, slower    n   next round
pgup, pgdn      scroll the log    F2  light or dark
? or F1         this help         q   quit
ctrl+z          suspend; `fg` in the shell resumes"""
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
    """Number of moves still to be shown although the game is paused."""

    def on_mount(self) -> None:
        """Create the event that wakes up `hold`."""
        self._wake = asyncio.Event()

    async def hold(self) -> None:
        """Wait until the next move may be shown: by the speed or, while paused, until the spectator steps."""
        while not self._steps and (self._paused or self.due() > 0):
            self._wake.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), None if self._paused else self.due())
        self._steps = max(0, self._steps - 1)

    async def _deal(self) -> None:
        self._steps = 0
        await super()._deal()

    def auto_next_delay(self) -> float | None:
        """Return the seconds until the next round begins by itself; None if paused, or if no match is in progress."""
        one_more = self.session.match_score is not None and not self.session.match_over
        return _REST / self.speed if one_more and not self._paused else None

    def action_pause(self) -> None:
        """Pause, also if single steps are pending; if paused already, continue."""
        self._paused, self._steps = not self._paused or self._steps > 0, 0
        self._wake.set()
        self.say("Paused. space: continue, s: one move" if self._paused else "Playing")

    def action_step(self) -> None:
        """Show one more move, then pause."""
        self._paused = True
        self._steps += 1
        self._wake.set()

    def action_speed(self, factor: float) -> None:
        """Multiply the speed by `factor`, within bounds that include the initial speed."""
        bounds = min(_SLOWEST, self.speed), max(_FASTEST, self.speed)
        self.speed = min(max(self.speed * factor, bounds[0]), bounds[1])
        self._wake.set()
        self.say(f"Speed {self.speed:g}")

    def opponent_thinks(self, report: SearchReport) -> None:
        """Show the whole running search: a spectator sees all cards anyway."""
        self._show_report(report)

    def opponent_decided(self, decision: Decision) -> None:
        """Show the report of an agent's finished search."""
        if isinstance(decision.report, SearchReport):
            self._show_report(decision.report)

    def _show_report(self, report: SearchReport) -> None:
        self.query_one(SearchPanel).show(f"Search: {self.session.name(report.player)}", report)
