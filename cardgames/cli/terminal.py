"""Checks of the terminal: its presence, its size, and its standard streams."""

import os
import shutil
import sys

from cardgames.support.errors import InvalidInput


def open_closed_streams() -> None:
    """Replace closed standard streams (None in `sys`, as after `2>&-`) by the null device, so that all code can use them."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))


def columns() -> int:
    """Return the width of the terminal: `$COLUMNS` if set, 80 if there is no terminal."""
    return shutil.get_terminal_size().columns


def has_terminal() -> bool:
    """Return whether standard input and standard output are both connected to a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def check_terminal() -> None:
    """Raise an error unless the full-screen interface can be shown in this terminal.

    Raises:
        InvalidInput: There is no terminal, it cannot move the cursor, it is too small, or standard error is redirected.
    """
    if not has_terminal():
        raise InvalidInput("there is no terminal: use --plain to play line by line")
    if os.environ.get("TERM") == "dumb":
        raise InvalidInput("this terminal cannot move the cursor (TERM=dumb): use --plain to play line by line")
    from cardgames.tui.widgets.too_small_notice import MIN_SIZE, fits

    width, lines = shutil.get_terminal_size()
    if not fits(width, lines):
        raise InvalidInput(
            f"the terminal has {width} columns and {lines} lines, but {MIN_SIZE[0]} and {MIN_SIZE[1]} are needed: "
            "enlarge it, or use --plain"
        )
    if not sys.stderr.isatty():
        raise InvalidInput(
            "standard error is redirected, but the screen is drawn on it: do not redirect it, or use --plain"
        )
