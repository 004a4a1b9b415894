"""What a terminal shows while something takes long."""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_PATIENCE = 2.0
"""Seconds before anything is shown."""
_WIDTH = 110


@contextmanager
def waiting(words: Callable[[], str]) -> Iterator[None]:
    """Show `words()` and the time in one line of standard error, if that is a terminal, while the block runs."""
    if not sys.stderr.isatty():
        yield
        return
    done = threading.Event()
    ticker = threading.Thread(target=_tick, args=(words, done), daemon=True)
    ticker.start()
    try:
        yield
    finally:
        done.set()
        ticker.join()
        _show("")


def _tick(words: Callable[[], str], done: threading.Event) -> None:
    start = time.monotonic()
    while not done.wait(0.25):
        elapsed = time.monotonic() - start
        if elapsed > _PATIENCE:
            _show(f"{words()}, {elapsed:.0f} s"[:_WIDTH])


def _show(text: str) -> None:
    print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
