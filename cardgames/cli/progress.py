"""What is shown while something takes long."""

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from cardgames.cli.terminal import columns

_PATIENCE = 2.0
"""Seconds before anything is shown on a terminal."""
_PACE = 0.25
"""Seconds from one sight of it to the next there."""
_FIRST = 60.0
"""Seconds before the first line where there is no terminal but, it may be, a log."""
_SELDOM = 600.0
"""Seconds from one line to the next there, once they have grown, each pause being twice the one before."""
_WIDTH = 110

Row = dict[str, Any]


@contextmanager
def waiting(words: Callable[[], str]) -> Iterator[None]:
    """Show `words()` and the time on standard error while the block runs: on a terminal in one line, else in a line after a
    minute, after three, seven and fifteen, and every ten minutes from then on.

    What the block prints goes to standard error too.
    """
    done = threading.Event()
    tick = _tick if sys.stderr.isatty() else _log
    ticker = threading.Thread(target=tick, args=(words, done), daemon=True)
    ticker.start()
    try:
        with _aside():
            yield
    finally:
        done.set()
        ticker.join()


def awaited(rows: Iterator[Row], words: Callable[[], str]) -> Iterator[Row]:
    """Yield what `rows` yields; until each is there, show `words()` as `waiting` does."""
    while True:
        with waiting(words):
            row = next(rows, None)
        if row is None:
            return
        yield row


@contextmanager
def _aside() -> Iterator[None]:
    """Lead standard output to standard error, also that of processes begun meanwhile: others read what a command prints, and
    an agent of somebody's own that prints would spoil it.
    """
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(kept)


def _tick(words: Callable[[], str], done: threading.Event) -> None:
    start = time.monotonic()
    while not done.wait(_PACE):
        elapsed = time.monotonic() - start
        if elapsed > _PATIENCE:
            # one column less: a full line would be wrapped
            _show(f"{words()}, {elapsed:.0f} s"[: min(_WIDTH, columns() - 1)])
    _show("")


def _log(words: Callable[[], str], done: threading.Event) -> None:
    start = time.monotonic()
    pause = _FIRST
    while not done.wait(pause):
        print(f"{words()}, {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)
        pause = min(2 * pause, _SELDOM)


def _show(text: str) -> None:
    print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
