"""Progress-bar column with the current activity."""

import time

from rich.progress import ProgressColumn, Task
from rich.text import Text

_STALL_SECONDS = 3.0


class ActivityColumn(ProgressColumn):
    """Description of the task; after some seconds without an update, also the time since the last one."""

    def __init__(self) -> None:
        super().__init__()
        self._last_activity = time.monotonic()

    def reset_timer(self) -> None:
        """Note that the task has made progress."""
        self._last_activity = time.monotonic()

    def render(self, task: Task) -> Text:
        """Return the text of the column."""
        idle_seconds = time.monotonic() - self._last_activity
        if idle_seconds < _STALL_SECONDS:
            return Text(task.description)
        return Text(f"no update for {idle_seconds:.0f} s: {task.description}")
