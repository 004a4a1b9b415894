"""Progress-bar column with the current activity."""

import time

from rich.progress import ProgressColumn, Task
from rich.text import Text

_STALL_SECONDS = 3.0


class ActivityColumn(ProgressColumn):
    """Column that shows the description of a task, preceded by the time since its last update if that is over 3 seconds."""

    def __init__(self) -> None:
        super().__init__()
        self._last_activity = time.monotonic()

    def reset_timer(self) -> None:
        """Record that the task has just made progress, so that the time without an update counts from now."""
        self._last_activity = time.monotonic()

    def render(self, task: Task) -> Text:
        """Return the task's description, preceded by the time since the last update if it is over `_STALL_SECONDS`."""
        idle_seconds = time.monotonic() - self._last_activity
        if idle_seconds < _STALL_SECONDS:
            return Text(task.description)
        return Text(f"no update for {idle_seconds:.0f} s: {task.description}")
