"""Notice that covers the screen while the terminal is smaller than 80 x 24."""

from textual import events
from textual.widgets import Static

MIN_SIZE = (80, 24)
"""Minimum size of the terminal, in columns and rows."""


def fits(columns: int, rows: int) -> bool:
    """Return whether a terminal of `columns` x `rows` is at least `MIN_SIZE`."""
    return columns >= MIN_SIZE[0] and rows >= MIN_SIZE[1]


class TooSmallNotice(Static):
    """Notice with the required and the current size of the terminal; style sheets show it if the terminal is too small."""

    def __init__(self) -> None:
        super().__init__("", id="too-small")

    def on_resize(self, event: events.Resize) -> None:
        """Show the required and the new size of the terminal."""
        wide, high = MIN_SIZE
        self.update(
            f"This terminal is too small.\nneeded: {wide} x {high}\n"
            f"here: {event.size.width} x {event.size.height}\nctrl+c: quit; --plain works at any size"
        )
