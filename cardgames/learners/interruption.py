"""Being asked to stop, and stopping where nothing is lost."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """Give a function that tells whether Ctrl-C was pressed or the process asked to end (SIGTERM); a second time does as
    usual.

    In another thread than the main one, which alone is told, it always says no.
    """
    asked = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield asked.is_set
        return

    def ask(number: int, frame: Any) -> None:
        asked.set()
        restore()

    def restore() -> None:
        for number, handler in before.items():
            # None: one that is not Python's
            signal.signal(number, signal.SIG_DFL if handler is None else handler)

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield asked.is_set
    finally:
        restore()
