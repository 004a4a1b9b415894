"""Whether there is a terminal here, whether it is large enough, and what stands in for streams that are closed."""

import os
import shutil
import sys

from cardgames.support.errors import InvalidInput


def open_closed_streams() -> None:
    """Give a command whose standard streams are closed (`2>&-`) empty ones, so that nobody else has to ask."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))


def columns() -> int:
    """Return how wide the terminal is, 80 where there is none; `$COLUMNS` has the say."""
    return shutil.get_terminal_size().columns


def has_terminal() -> bool:
    """Return whether somebody sits before this program."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def check_terminal() -> None:
    """Refuse to start the full-screen interface where it cannot be shown. Raises `InvalidInput`."""
    if not has_terminal():
        raise InvalidInput("there is no terminal here: use --plain to play line by line")
    if os.environ.get("TERM") == "dumb":
        raise InvalidInput("this terminal cannot place what it shows (TERM=dumb): use --plain to play line by line")
    from cardgames.tui.widgets.too_small_notice import MIN_SIZE, fits

    width, lines = shutil.get_terminal_size()
    if not fits(width, lines):
        raise InvalidInput(
            f"the terminal has {width} columns and {lines} lines, {MIN_SIZE[0]} and {MIN_SIZE[1]} are needed: "
            "enlarge it, or use --plain"
        )
    if not sys.stderr.isatty():
        raise InvalidInput("the screen is drawn on standard error, no terminal here: leave it alone, or use --plain")
