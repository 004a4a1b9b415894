"""What happened, a sentence a line, the newest at the bottom."""

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from cardgames.tui.look import Paint

_PAGE = 200
"""Lines that are painted together; what is full is not painted again, so that a move in a long round takes no longer."""


class Log(VerticalScroll, can_focus=False):
    """The round so far."""

    BORDER_TITLE = "Log"

    def __init__(self, paint: Paint) -> None:
        super().__init__(id="log")
        self._paint = paint
        self._papers = [Static("")]
        self._pages: list[list[str]] = [[]]
        """What stands on each paper."""

    def compose(self) -> ComposeResult:
        """Make room for the first lines."""
        yield from self._papers

    def show(self, lines: list[str]) -> None:
        """Show these lines, scrolled to the last."""
        pages = [lines[first : first + _PAGE] for first in range(0, len(lines), _PAGE)] or [[]]
        for paper in self._papers[len(pages) :]:
            paper.remove()
        for number, page in enumerate(pages[: len(self._papers)]):
            if page != self._pages[number]:
                self._papers[number].update(self._painted(page))
        new = [Static(self._painted(page)) for page in pages[len(self._papers) :]]
        self.mount_all(new)
        self._papers, self._pages = self._papers[: len(pages)] + new, pages
        self.scroll_end(animate=False)

    def _painted(self, page: list[str]) -> Content:
        return Content("\n").join([self._paint.line(line) for line in page])
