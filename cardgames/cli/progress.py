"""What is shown while something takes long."""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_PATIENCE = 2.0
"""Seconds before anything is shown on a terminal."""
_PACE = 0.25
"""Seconds from one sight of it to the next there."""
_SELDOM = 600.0
"""Seconds from one line to the next where there is no terminal but, it may be, a log."""
_WIDTH = 110


@contextmanager
def waiting(words: Callable[[], str]) -> Iterator[None]:
    """Show `words()` and the time on standard error while the block runs: on a terminal in one line, else in a line every
    ten minutes.
    """
    done = threading.Event()
    tick = _tick if sys.stderr.isatty() else _log
    ticker = threading.Thread(target=tick, args=(words, done), daemon=True)
    ticker.start()
    try:
        yield
    finally:
        done.set()
        ticker.join()


def _tick(words: Callable[[], str], done: threading.Event) -> None:
    start = time.monotonic()
    while not done.wait(_PACE):
        elapsed = time.monotonic() - start
        if elapsed > _PATIENCE:
            _show(f"{words()}, {elapsed:.0f} s"[:_WIDTH])
    _show("")


def _log(words: Callable[[], str], done: threading.Event) -> None:
    start = time.monotonic()
    while not done.wait(_SELDOM):
        print(f"{words()}, {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)


def _show(text: str) -> None:
    print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
