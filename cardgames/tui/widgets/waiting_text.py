"""Line of text for a wait, with its duration once it takes long."""

import time

from textual.content import Content
from textual.widgets import Static

_PATIENCE = 3.0
"""Seconds of waiting before the duration is shown."""


class WaitingText(Static):
    """Line that shows a text, or what is waited for and for how long."""

    def __init__(self, id: str | None = None, classes: str | None = None) -> None:
        super().__init__("", id=id, classes=classes)
        self._words, self._begun = "", 0.0

    def on_mount(self) -> None:
        """Start counting the seconds."""
        self.set_interval(1.0, self._tick)

    def say(self, words: str) -> None:
        """Show a text that is not about a wait."""
        self._words = ""
        self.update(Content(words))

    def wait(self, words: str) -> None:
        """Show what is waited for from now on; do nothing if it is shown already."""
        if words == self._words:
            return
        self.say(words)
        self._words, self._begun = words, time.monotonic()

    def _tick(self) -> None:
        seconds = time.monotonic() - self._begun
        if self._words and seconds > _PATIENCE:
            self.update(Content(f"{self._words} {seconds:.0f} s"))
