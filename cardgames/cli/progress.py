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
"""Seconds of work before the status line appears in a terminal."""
_REFRESH_SECONDS = 0.25
"""Seconds between two updates of the status line in a terminal."""
_FIRST_LOG_SECONDS = 60.0
"""Seconds of work before the first status line is printed if there is no terminal; each further pause is twice as long."""
_MAX_LOG_SECONDS = 600.0
"""Longest pause between two status lines if there is no terminal, in seconds."""
_WIDTH = 110

Row = dict[str, Any]


@contextmanager
def show_status(status: Callable[[], str]) -> Iterator[None]:
    """Show the text `status()` and the elapsed time on standard error while the `with` block runs.

    In a terminal one line is updated. Otherwise a line is printed after 1, 3, 7 and 15 minutes, then every ten minutes.
    Standard output of the `with` block is redirected to standard error.
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
    """Yield the items of `rows`; while the next one is computed, show a status line (see `show_status`)."""
    while True:
        with show_status(status):
            row = next(rows, None)
        if row is None:
            return
        yield row


@contextmanager
def _stdout_to_stderr() -> Iterator[None]:
    """Redirect standard output to standard error inside the `with` block, also for processes started there.

    Other programs parse the output of commands, and a user's agent that prints something would corrupt it.
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
