"""What happened, a sentence a line, the newest at the bottom."""

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from cardgames.tui.look import Paint


class Log(VerticalScroll, can_focus=False):
    """The round so far."""

    BORDER_TITLE = "Log"

    def __init__(self, paint: Paint) -> None:
        super().__init__(id="log")
        self._paint = paint

    def compose(self) -> ComposeResult:
        """Make room for the lines."""
        yield Static("", id="lines")

    def show(self, lines: list[str]) -> None:
        """Show these lines, scrolled to the last."""
        self.query_one("#lines", Static).update(Content("\n").join([self._paint.line(line) for line in lines]))
        self.scroll_end(animate=False)
