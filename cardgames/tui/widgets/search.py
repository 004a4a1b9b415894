"""What a search says of itself: visits and win estimate for each action, live while it thinks."""

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from cardgames.search.report import ActionStatistics, SearchReport
from cardgames.tui.look import Look
from cardgames.tui.table import Table

_VISITS, _VALUE = 6, 5
"""Columns of a line beside its name and its bar."""
_LIKELY = 4
"""So many cards of an opponent's hand are guessed."""


class SearchPanel(VerticalScroll, can_focus=False):
    """A report, finished or growing."""

    def __init__(self, table: Table, look: Look) -> None:
        super().__init__(id="search")
        self._table, self._look = table, look
        self.border_title = "Search"

    def compose(self) -> ComposeResult:
        """Make room for the report."""
        yield Static("", id="report")

    def say(self, title: str, text: str = "") -> None:
        """Show plain words."""
        self.border_title = title
        self.query_one("#report", Static).update(Content(text))

    def progress(self, report: SearchReport) -> None:
        """Show how far an opponent's search is, and no more: the rest would tell what he holds."""
        self.say("Search", f"an opponent thinks\n{_effort(report)}")

    def show(self, title: str, report: SearchReport) -> None:
        """Show all of a report."""
        self.border_title = title
        most = max((action.visits for action in report.actions), default=0) or 1
        room = max(4, self.scrollable_content_region.width - self._look.brief_width - 1 - _VISITS - _VALUE)
        lines = [self._bar(action, most, room) for action in report.actions]
        lines += [Content(""), Content.styled(_effort(report), "$foreground-muted"), *self._beliefs(report)]
        self.query_one("#report", Static).update(Content("\n").join(lines))

    def _bar(self, action: ActionStatistics, most: int, room: int) -> Content:
        """Return the line of an action that may have been visited as often as `most`, its bar `room` columns wide."""
        filled = round(room * action.visits / most)
        value = "" if action.value is None else f"{action.value:.0%}"
        width = self._look.brief_width
        return Content.assemble(
            f"{self._look.brief(action.text)[:width]:<{width}} ",
            Content.styled("━" * filled, "$primary"),
            Content.styled("─" * (room - filled), "$panel-lighten-2"),
            f"{_short(action.visits):>{_VISITS}}{value:>{_VALUE}}",
        )

    def _beliefs(self, report: SearchReport) -> list[Content]:
        """Return how well the particles fit and, for each opponent, the cards he is most likely to hold."""
        lines = []
        if report.effective_sample_size is not None:
            sizes = f"effective sample {report.effective_sample_size:.0f} of {report.particles}"
            lines.append(Content.styled(sizes, "$foreground-muted"))
        for seat, expected in sorted(report.belief.items()):
            ranked = sorted(zip(expected, report.kinds, strict=True), reverse=True)[:_LIKELY]
            held = "  ".join(f"{self._look.move(kind)} {number:.2f}" for number, kind in ranked)
            lines.append(Content.styled(f"{self._table.name(seat)} may hold {held}", "$foreground-muted"))
        return lines


def _short(count: int) -> str:
    return str(count) if count < 100_000 else f"{count // 1000}k"


def _effort(report: SearchReport) -> str:
    return f"{report.simulations:,} simulations, {report.seconds:.1f} s"
