"""Base class of dialogs about the table, placed where they hide nothing on it."""

from collections.abc import Callable
from typing import Any, NamedTuple

from textual.geometry import Region
from textual.screen import Screen

from cardgames.tui.screens.dialog import Dialog, Result


class _Placement(NamedTuple):
    """Rows and columns of the screen from which the place of a dialog's box follows, together with the height of the box."""

    table: Region
    content_bottom: int
    """Screen row at which the content of the table ends."""
    log_height: int
    wide: bool
    very_wide: bool


class PlacedDialog(Dialog[Result]):
    """Dialog about the cards on the table, whose box is placed where it hides nothing of the table."""

    def __init__(self, hint: Callable[[], object]) -> None:
        super().__init__(hint)
        self._placement: _Placement | None = None
        self._measuring = False

    def suggest(self, action: int) -> None:
        """Select the answer for `action`, which a hint recommends, if the dialog offers it."""
        raise NotImplementedError

    def on_mount(self) -> None:
        """Place the box again whenever the dialog or the table below is laid out."""
        for screen in (self, self._table_screen()):
            if screen is not None:
                screen.screen_layout_refresh_signal.subscribe(self, self._laid_out)

    def _laid_out(self, _: Screen[Any]) -> None:
        self.find_place()

    def find_place(self) -> None:
        """Place the box of the dialog in the lower part of the table if there is room, else over the log (`-beside`).

        A box that is taller than the log loses its text (`-brief`), which the status line shows as well.
        """
        placement = self._current_placement()
        if placement is None or self._measuring:
            return
        if placement != self._placement:
            self._measure(placement)
        elif self.has_class("-beside"):
            if self._height > placement.log_height:
                self.add_class("-brief")
        else:
            room = placement.table.bottom - 1 - placement.content_bottom
            self._place(placement, low=self._height <= room)

    def _measure(self, placement: _Placement) -> None:
        """Lay out the box of the dialog to learn its height, then place it."""
        self._placement, self._measuring = placement, True
        self.remove_class("-low", "-beside", "-brief")
        self.query_one(".box").styles.max_width = placement.table.width
        self.call_after_refresh(self._on_measured)

    def _on_measured(self) -> None:
        self._measuring = False
        self.find_place()

    def _place(self, placement: _Placement, *, low: bool) -> None:
        self.set_class(low, "-low")
        self.set_class(not low, "-beside")
        below = self.app.size.height - placement.table.bottom if low else 0
        self.query_one(".box").styles.margin = (1, 0, below, 0)

    @property
    def _height(self) -> int:
        return self.query_one(".box").outer_size.height

    def _current_placement(self) -> _Placement | None:
        """Return the current sizes; None if there is no table, or if an early key has already closed the dialog."""
        screen = self._table_screen()
        if screen is None:
            return None
        table, log = screen.query_one("#table"), screen.query_one("#log")
        content_bottom = max(part.region.bottom for part in table.children)
        return _Placement(
            table.region, content_bottom, log.outer_size.height, self.has_class("-wide"), self.has_class("-very-wide")
        )

    def _table_screen(self) -> Screen[Any] | None:
        screens = self.app.screen_stack
        lower = screens[: screens.index(self)] if self in screens else []
        return next((screen for screen in reversed(lower) if screen.query("#table")), None)
