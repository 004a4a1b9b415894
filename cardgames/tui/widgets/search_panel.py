"""Panel with an agent's search report: visits or probability, and estimated win rate, of each action; live."""

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from cardgames.search.report import ActionStatistics, SearchReport
from cardgames.tui.screen_parts import ScreenParts
from cardgames.tui.session import Session
from cardgames.tui.shared_wording import effort, progress, rounded_percent, short_value

_NAME, _BAR = 9, 4
"""Minimum width, in columns, of an action's name and of its bar."""
_WEIGHT, _VALUE, _PRIOR = 6, 6, 7
"""Width, in columns, of an action's visits (or probability), value, and prior, which is shown if there is room."""
_LIKELY = 4
"""Number of cards shown for each opponent: those it most likely holds."""


class SearchPanel(VerticalScroll, can_focus=False):
    """Panel beside the table with the report of an agent's search, finished or running."""

    def __init__(self, session: Session, screen_parts: ScreenParts) -> None:
        super().__init__(id="search")
        self._session, self._screen_parts = session, screen_parts
        self.border_title = "Search"

    def compose(self) -> ComposeResult:
        """Lay out the text field of the report."""
        yield Static("", id="report")

    def say(self, title: str, text: str = "") -> None:
        """Show a title and a plain text in the panel, in place of a report."""
        self.border_title = Content(title)
        self.query_one("#report", Static).update(Content(text))

    def progress(self, report: SearchReport) -> None:
        """Show that an opponent is thinking and its number of simulations; its report would reveal its cards."""
        done = f"\n{progress(report)}" if report.simulations else ""
        self.say("Search", f"{self._session.name(report.player)} is thinking{done}")

    def show(self, title: str, report: SearchReport) -> None:
        """Show a title and a whole search report: all actions, the effort and the likely cards of opponents."""
        self.border_title = Content(title)
        names = [self._screen_parts.short_name(action.text) for action in report.actions]
        lines = _lines(report, names, self.scrollable_content_region.width - 1)
        lines += [Content(""), Content.styled(effort(report), "$foreground-muted"), *self._beliefs(report)]
        self.query_one("#report", Static).update(Content("\n").join(lines))

    def _beliefs(self, report: SearchReport) -> list[Content]:
        """Return a line of text for each opponent with the cards it most likely holds, by the search's belief."""
        lines = []
        for seat, expected in sorted(report.belief.items()):
            ranked = sorted(zip(expected, report.card_kinds, strict=True), reverse=True)[:_LIKELY]
            cards = ", ".join(self._screen_parts.action_name(kind) for _, kind in ranked)
            lines.append(Content.styled(f"{self._session.name(seat)} likely holds: {cards}", "$foreground-muted"))
        return lines


def _lines(report: SearchReport, names: list[str], columns: int) -> list[Content]:
    """Return a line of text for each action of a report: name, bar, visits, value and, if there is room, prior."""
    most = max((action.visits for action in report.actions), default=0)
    numbers = _WEIGHT + _VALUE
    longest = max([_NAME, *map(len, names)])
    priors = bool(most) and report.has_priors and columns >= longest + _BAR + numbers + _PRIOR
    room = columns - numbers - _PRIOR * priors
    width = max(_NAME, min(longest, room - _BAR))
    bar = max(_BAR, room - width)
    unit = "win" if report.unit == "win" else "pts"
    head = f"{'':{width + 1 + bar}}{'visits':>{_WEIGHT}}{unit:>{_VALUE}}{'prior':>{_PRIOR}}"
    lines = [Content.styled(head, "$foreground-muted")] if priors else []
    for name, action in zip(names, report.actions, strict=True):
        prior = [Content(f"{_share(action.prior):>{_PRIOR}}")] if priors else []
        lines.append(Content.assemble(f"{name[:width]:<{width}} ", *_bar(action, report.unit, most, bar), *prior))
    return lines


def _bar(action: ActionStatistics, unit: str, most: int, width: int) -> list[Content]:
    """Return the bar and the numbers of an action.

    The bar is full at `most` visits, the highest number of any action. If no action has visits (`most` is 0), its length is
    the prior or, for an agent without probabilities, the value if it is a probability of winning.
    """
    visited = action.visits / most if most else None
    won = action.value if unit == "win" else None
    value = "" if action.value is None else short_value(action.value, unit)
    value = action.proven or value  # a proof says more than a number
    length = next((share for share in (visited, action.prior, won) if share is not None), 0.0)
    filled = round(width * min(1.0, max(0.0, length)))
    weight = _short(action.visits) if most else _share(action.prior)
    return [
        Content.styled("━" * filled, "$primary"),
        Content.styled("─" * (width - filled), "$panel-lighten-2"),
        Content(f"{weight:>{_WEIGHT}}{value:>{_VALUE}}"),
    ]


def _share(number: float | None) -> str:
    return "" if number is None else rounded_percent(number)


def _short(count: int) -> str:
    return str(count) if count < 100_000 else f"{count // 1000}k"
