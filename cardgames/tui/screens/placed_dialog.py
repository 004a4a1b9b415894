"""Dialogs that find a place for their box where it hides nothing of the table."""

from collections.abc import Callable
from typing import Any, NamedTuple

from textual.geometry import Region
from textual.screen import Screen

from cardgames.tui.screens.dialog import Dialog, Result


class _Placement(NamedTuple):
    """What the place of a dialog's box depends on, besides its height."""

    table: Region
    used_to: int
    """The row at which that ends which lies on the table."""
    log_height: int
    wide: bool
    very_wide: bool


class PlacedDialog(Dialog[Result]):
    """A dialog about what lies on the table."""

    def __init__(self, hint: Callable[[], object]) -> None:
        super().__init__(hint)
        self._ground: _Placement | None = None
        self._measuring = False

    def suggest(self, action: int) -> None:
        """Go to the answer that a hint names, if it is one."""
        raise NotImplementedError

    def on_mount(self) -> None:
        """Have the box find its place whenever the dialog, or the table below, has been laid out."""
        for screen in (self, self._table_screen()):
            if screen is not None:
                screen.screen_layout_refresh_signal.subscribe(self, self._laid_out)

    def _laid_out(self, _: Screen[Any]) -> None:
        self.find_place()

    def find_place(self) -> None:
        """Put the box below what lies on the table; what has no room there is `-beside` it, over the log, and `-brief` where
        it is longer than that: without its text, which the line below the table says.
        """
        ground = self._found_ground()
        if ground is None or self._measuring:
            return
        if ground != self._ground:
            self._begin_on(ground)
        elif self.has_class("-beside"):
            if self._height > ground.log_height:
                self.add_class("-brief")
        else:
            room = ground.table.bottom - 1 - ground.used_to
            self._place(ground, low=self._height <= room)

    def _begin_on(self, ground: _Placement) -> None:
        """Have the box laid out as if it had no place yet, and find one by its height then."""
        self._ground, self._measuring = ground, True
        self.remove_class("-low", "-beside", "-brief")
        self.query_one(".box").styles.max_width = ground.table.width
        self.call_after_refresh(self._measured)

    def _measured(self) -> None:
        self._measuring = False
        self.find_place()

    def _place(self, ground: _Placement, *, low: bool) -> None:
        self.set_class(low, "-low")
        self.set_class(not low, "-beside")
        below = self.app.size.height - ground.table.bottom if low else 0
        self.query_one(".box").styles.margin = (1, 0, below, 0)

    @property
    def _height(self) -> int:
        return self.query_one(".box").outer_size.height

    def _found_ground(self) -> _Placement | None:
        """Return what the place depends on now; None if there is no table, or a key that came with the first ones has closed
        the dialog.
        """
        screen = self._table_screen()
        if screen is None:
            return None
        table, log = screen.query_one("#table"), screen.query_one("#log")
        used_to = max(part.region.bottom for part in table.children)
        return _Placement(
            table.region, used_to, log.outer_size.height, self.has_class("-wide"), self.has_class("-very-wide")
        )

    def _table_screen(self) -> Screen[Any] | None:
        screens = self.app.screen_stack
        lower = screens[: screens.index(self)] if self in screens else []
        return next((screen for screen in reversed(lower) if screen.query("#table")), None)
