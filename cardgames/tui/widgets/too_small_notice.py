"""A notice that hides everything while the terminal is too small to play in."""

from textual import events
from textual.widgets import Static

MIN_SIZE = (80, 24)
"""Columns and rows a terminal must have."""


def fits(columns: int, rows: int) -> bool:
    """Return whether a terminal of this size is large enough."""
    return columns >= MIN_SIZE[0] and rows >= MIN_SIZE[1]


class TooSmallNotice(Static):
    """Says which size is needed and which there is; the style sheet shows it when it is due."""

    def __init__(self) -> None:
        super().__init__("", id="too-small")

    def on_resize(self, event: events.Resize) -> None:
        """Name the sizes."""
        wide, high = MIN_SIZE
        self.update(
            f"This terminal is too small.\nneeded: {wide} x {high}\n"
            f"here: {event.size.width} x {event.size.height}\nctrl+c quits; --plain needs no size"
        )
