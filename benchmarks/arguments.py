"""What the scripts beside this one share: arguments that are checked, and one line for what cannot be."""

import pathlib
import sys
from argparse import ArgumentTypeError
from collections.abc import Callable

from cardgames.core.errors import InvalidInput


def count(text: str) -> int:
    """Return a whole number from 1, for argparse."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise ArgumentTypeError(f"a whole number from 1, not {text!r}")
    return number


def share(text: str) -> float:
    """Return a number between 0 and 1, for argparse."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < 1:
        raise ArgumentTypeError(f"a number between 0 and 1, not {text!r}")
    return number


def run(main: Callable[[], None]) -> None:
    """Run a script. What cannot be is told in one line on standard error, with exit code 2."""
    try:
        main()
    except InvalidInput as error:
        print(f"{pathlib.Path(sys.argv[0]).name}: {error}", file=sys.stderr)
        sys.exit(2)
