"""What an agent says of itself: visits, or how likely it is, and win estimate for each action; live while it thinks."""

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from cardgames.search.report import ActionStatistics, SearchReport
from cardgames.tui.screen_theme import ScreenTheme
from cardgames.tui.session import Session
from cardgames.tui.wording import effort, progress

_NAME, _BAR = 9, 4
"""The least columns of a name and of a bar."""
_WEIGHT, _VALUE, _PRIOR = 6, 5, 6
"""Columns of a line beside these; the prior's, which searches may have, where there is room."""
_LIKELY = 4
"""So many cards of an opponent's hand are guessed."""


class SearchPanel(VerticalScroll, can_focus=False):
    """A report, finished or growing."""

    def __init__(self, table: Session, screen_theme: ScreenTheme) -> None:
        super().__init__(id="search")
        self._table, self._look = table, screen_theme
        self.border_title = "Search"

    def compose(self) -> ComposeResult:
        """Make room for the report."""
        yield Static("", id="report")

    def say(self, title: str, text: str = "") -> None:
        """Show plain words."""
        self.border_title = Content(title)
        self.query_one("#report", Static).update(Content(text))

    def progress(self, report: SearchReport) -> None:
        """Show how far an opponent's search is, and no more: the rest would tell what he holds."""
        self.say("Search", f"an opponent thinks\n{progress(report)}")

    def show(self, title: str, report: SearchReport) -> None:
        """Show all of a report."""
        self.border_title = Content(title)
        names = [self._look.brief(action.text) for action in report.actions]
        lines = _lines(report, names, self.scrollable_content_region.width - 1)
        lines += [Content(""), Content.styled(effort(report), "$foreground-muted"), *self._beliefs(report)]
        self.query_one("#report", Static).update(Content("\n").join(lines))

    def _beliefs(self, report: SearchReport) -> list[Content]:
        """Return how well the particles fit and, for each opponent, the cards he is most likely to hold."""
        lines = []
        if report.effective_sample_size is not None:
            sizes = f"effective sample {report.effective_sample_size:.0f} of {report.particles}"
            lines.append(Content.styled(sizes, "$foreground-muted"))
        for seat, expected in sorted(report.belief.items()):
            ranked = sorted(zip(expected, report.card_kinds, strict=True), reverse=True)[:_LIKELY]
            held = ", ".join(f"{self._look.move(kind)} {number:.2f}" for number, kind in ranked)
            lines.append(Content.styled(f"{self._table.name(seat)} may hold {held}", "$foreground-muted"))
        return lines


def _lines(report: SearchReport, names: list[str], columns: int) -> list[Content]:
    """Return a line for each action; above them what the numbers are, where the prior is one."""
    most = max((action.visits for action in report.actions), default=0)
    numbers = _WEIGHT + _VALUE
    longest = max([_NAME, *map(len, names)])
    priors = bool(most) and report.has_priors and columns >= longest + _BAR + numbers + _PRIOR
    room = columns - numbers - _PRIOR * priors
    width = max(_NAME, min(longest, room - _BAR))
    bar = max(_BAR, room - width)
    head = f"{'':{width + 1 + bar}}{'visits':>{_WEIGHT}}{'win':>{_VALUE}}{'prior':>{_PRIOR}}"
    lines = [Content.styled(head, "$foreground-muted")] if priors else []
    for name, action in zip(names, report.actions, strict=True):
        prior = [Content(f"{_share(action.prior):>{_PRIOR}}")] if priors else []
        lines.append(Content.assemble(f"{name[:width]:<{width}} ", *_bar(action, most, bar), *prior))
    return lines


def _bar(action: ActionStatistics, most: int, width: int) -> list[Content]:
    """Return an action's bar and its numbers. The bar is full for `most` visits; where nothing was visited it is as long as
    the action is likely or, of an agent that tells no probabilities, good.
    """
    visited = action.visits / most if most else None
    length = next((share for share in (visited, action.prior, action.value) if share is not None), 0.0)
    filled = round(width * min(1.0, max(0.0, length)))
    weight = _short(action.visits) if most else _share(action.prior)
    return [
        Content.styled("━" * filled, "$primary"),
        Content.styled("─" * (width - filled), "$panel-lighten-2"),
        Content(f"{weight:>{_WEIGHT}}{_share(action.value):>{_VALUE}}"),
    ]


def _share(number: float | None) -> str:
    return "" if number is None else f"{number:z.0%}"


def _short(count: int) -> str:
    return str(count) if count < 100_000 else f"{count // 1000}k"
