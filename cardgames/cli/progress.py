"""Status line on standard error during long work."""

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from cardgames.cli.terminal import columns

_DELAY_SECONDS = 2.0
"""In a terminal: seconds before the status is shown."""
_REFRESH_SECONDS = 0.25
"""In a terminal: seconds between updates."""
_FIRST_LOG_SECONDS = 60.0
"""Without a terminal: seconds before the first line. Every pause is twice as long as the one before."""
_MAX_LOG_SECONDS = 600.0
"""Without a terminal: longest pause between lines, in seconds."""
_WIDTH = 110

Row = dict[str, Any]


@contextmanager
def show_status(status: Callable[[], str]) -> Iterator[None]:
    """Show `status()` and the elapsed time on standard error while the block runs.

    In a terminal one line is updated. Elsewhere a line is printed after 1, 3, 7 and 15 minutes, then every ten minutes.
    Output that the block prints is redirected to standard error.
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
    """Yield the rows; while each is computed, show `status()` as `show_status` does."""
    while True:
        with show_status(status):
            row = next(rows, None)
        if row is None:
            return
        yield row


@contextmanager
def _stdout_to_stderr() -> Iterator[None]:
    """Redirect standard output to standard error, including that of processes started in the block.

    Programs parse what a command prints, and a user's agent that prints would corrupt it.
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
            # one column less than the terminal: a full line would wrap
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
