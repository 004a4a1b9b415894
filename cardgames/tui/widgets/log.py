"""Widget with the log of a round, one sentence per line, the newest at the bottom."""

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from cardgames.tui.screen_parts import CardStyle

_PAGE = 200
"""Number of log lines in a page, the unit of rendering.

Full pages are not rendered again, so that a move late in a long round takes no longer.
"""


class Log(VerticalScroll, can_focus=False):
    """Scrollable log of the events of a round."""

    BORDER_TITLE = "Log"

    def __init__(self, card_style: CardStyle) -> None:
        super().__init__(id="log")
        self._card_style = card_style
        self._papers = [Static("")]
        self._pages: list[list[str]] = [[]]
        """Log lines in each page widget of `_papers`."""
        self._follows = True
        """True if the log scrolls to each new line; False while the user reads further up."""

    def compose(self) -> ComposeResult:
        """Lay out the first, empty page of the log."""
        yield from self._papers

    def on_mount(self) -> None:
        """Begin to watch the scroll position of the log."""
        self.watch(self, "scroll_y", self._scrolled, init=False)

    def _scrolled(self, before: float, now: float) -> None:
        at_end = now >= self.max_scroll_y
        if at_end or now < before:  # while scrolling down, new lines may have moved the end further
            self._follows = at_end

    def show(self, lines: list[str]) -> None:
        """Show `lines` as the whole log, scrolled to the last line unless the user reads further up."""
        pages = [lines[first : first + _PAGE] for first in range(0, len(lines), _PAGE)] or [[]]
        for paper in self._papers[len(pages) :]:
            paper.remove()
        for number, page in enumerate(pages[: len(self._papers)]):
            if page != self._pages[number]:
                self._papers[number].update(self._painted(page))
        new = [Static(self._painted(page)) for page in pages[len(self._papers) :]]
        self.mount_all(new)
        self._papers, self._pages = self._papers[: len(pages)] + new, pages
        self.call_after_refresh(self._follow)

    def follow(self) -> None:
        """Scroll to the last line of the log, and to each new line from now on."""
        self._follows = True
        self.call_after_refresh(self._follow)

    def on_resize(self) -> None:
        """Keep the last line of the log visible in the new size."""
        self.call_after_refresh(self._follow)

    def _follow(self) -> None:
        if self._follows:
            self.scroll_end(animate=False, immediate=True)

    def turn_pages(self, number: int) -> None:
        """Scroll down by `number` screens of the log, up if negative."""
        pages = number * self.scrollable_content_region.height
        self.scroll_to(y=self.scroll_target_y + pages, animate=False, immediate=True)

    def _painted(self, page: list[str]) -> Content:
        return Content("\n").join([self._card_style.line_with_names(line) for line in page])
