"""What goes on, beside a bar."""

import time

from rich.progress import ProgressColumn, Task
from rich.text import Text

_STALL_SECONDS = 3.0


class ActivityColumn(ProgressColumn):
    """A task's description and, if nothing was heard of the task for some seconds, for how long."""

    def __init__(self) -> None:
        super().__init__()
        self._last_activity = time.monotonic()

    def reset_timer(self) -> None:
        """Note that the task is going on."""
        self._last_activity = time.monotonic()

    def render(self, task: Task) -> Text:
        """Return the words."""
        silent = time.monotonic() - self._last_activity
        if silent < _STALL_SECONDS:
            return Text(task.description)
        return Text(f"{silent:.0f} s for this step: {task.description}")
