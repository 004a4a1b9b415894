"""What is shown while something takes long."""

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from cardgames.cli.terminal import columns

_DELAY_SECONDS = 2.0
"""Seconds before anything is shown on a terminal."""
_REFRESH_SECONDS = 0.25
"""Seconds from one sight of it to the next there."""
_FIRST_LOG_SECONDS = 60.0
"""Seconds before the first line where there is no terminal but, it may be, a log."""
_MAX_LOG_SECONDS = 600.0
"""Seconds from one line to the next there, once they have grown, each pause being twice the one before."""
_WIDTH = 110

Row = dict[str, Any]


@contextmanager
def show_status(status: Callable[[], str]) -> Iterator[None]:
    """Show `status()` and the time on standard error while the block runs: on a terminal in one line, else in a line after a
    minute, after three, seven and fifteen, and every ten minutes from then on.

    What the block prints goes to standard error too.
    """
    done = threading.Event()
    refresh = _refresh_terminal if sys.stderr.isatty() else _write_log
    ticker = threading.Thread(target=refresh, args=(status, done), daemon=True)
    ticker.start()
    try:
        with _stdout_to_stderr():
            yield
    finally:
        done.set()
        ticker.join()


def iterate_with_status(rows: Iterator[Row], status: Callable[[], str]) -> Iterator[Row]:
    """Yield what `rows` yields; until each is there, show `status()` as `show_status` does."""
    while True:
        with show_status(status):
            row = next(rows, None)
        if row is None:
            return
        yield row


@contextmanager
def _stdout_to_stderr() -> Iterator[None]:
    """Lead standard output to standard error, also that of processes begun meanwhile: others read what a command prints, and
    an agent of somebody's own that prints would spoil it.
    """
    sys.stdout.flush()
    saved_stdout = os.dup(1)
    os.dup2(2, 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(saved_stdout, 1)
        os.close(saved_stdout)


def _refresh_terminal(status: Callable[[], str], done: threading.Event) -> None:
    start = time.monotonic()
    while not done.wait(_REFRESH_SECONDS):
        elapsed = time.monotonic() - start
        if elapsed > _DELAY_SECONDS:
            # one column less: a full line would be wrapped
            _rewrite_line(f"{status()}, {elapsed:.0f} s"[: min(_WIDTH, columns() - 1)])
    _rewrite_line("")


def _write_log(status: Callable[[], str], done: threading.Event) -> None:
    start = time.monotonic()
    pause = _FIRST_LOG_SECONDS
    while not done.wait(pause):
        print(f"{status()}, {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)
        pause = min(2 * pause, _MAX_LOG_SECONDS)


def _rewrite_line(text: str) -> None:
    print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
