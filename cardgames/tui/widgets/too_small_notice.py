"""Notice that hides the screen while the terminal is too small."""

from textual import events
from textual.widgets import Static

MIN_SIZE = (80, 24)
"""Minimum columns and rows of a terminal."""


def fits(columns: int, rows: int) -> bool:
    """Return whether a terminal of this size is large enough."""
    return columns >= MIN_SIZE[0] and rows >= MIN_SIZE[1]


class TooSmallNotice(Static):
    """Names the required and the current size; the style sheet shows it if the terminal is too small."""

    def __init__(self) -> None:
        super().__init__("", id="too-small")

    def on_resize(self, event: events.Resize) -> None:
        """Update the sizes."""
        wide, high = MIN_SIZE
        self.update(
            f"This terminal is too small.\nneeded: {wide} x {high}\n"
            f"here: {event.size.width} x {event.size.height}\nctrl+c: quit; --plain works at any size"
        )
