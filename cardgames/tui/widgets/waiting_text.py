"""Line of text that says what the program waits for, with the seconds once the wait is long."""

import time

from textual.content import Content
from textual.widgets import Static

_PATIENCE = 3.0
"""Seconds of waiting before the duration is shown."""


class WaitingText(Static):
    """Line that shows a plain text, or what the program waits for and for how many seconds."""

    def __init__(self, id: str | None = None, classes: str | None = None) -> None:
        super().__init__("", id=id, classes=classes)
        self._words, self._begun = "", 0.0

    def on_mount(self) -> None:
        """Start the timer that updates the seconds."""
        self.set_interval(1.0, self._tick)

    def say(self, words: str) -> None:
        """Show a plain text, without seconds."""
        self._words = ""
        self.update(Content(words))

    def wait(self, words: str) -> None:
        """Show `words`, what the program waits for from now on; do nothing if they are shown already."""
        if words == self._words:
            return
        self.say(words)
        self._words, self._begun = words, time.monotonic()

    def _tick(self) -> None:
        seconds = time.monotonic() - self._begun
        if self._words and seconds > _PATIENCE:
            self.update(Content(f"{self._words} {seconds:.0f} s"))
