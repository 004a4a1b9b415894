"""Command-line arguments of the experiment scripts: parsers with checks, and one-line error messages."""

import math
import pathlib
import sys
from argparse import ArgumentParser, ArgumentTypeError, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterator

from cardgames.core.game import Game
from cardgames.networks.network import Mlp
from cardgames.networks.network_file import load_network
from cardgames.support.errors import InvalidInput


def parser_of(document: str | None) -> ArgumentParser:
    """Return an argument parser whose description is `document`, the docstring of a script."""
    return ArgumentParser(description=document, formatter_class=RawDescriptionHelpFormatter)


def count(text: str) -> int:
    """Parse a whole number of 1 or more (type function for argparse)."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise ArgumentTypeError(f"a whole number from 1, not {text!r}")
    return number


def share(text: str) -> float:
    """Parse a number between 0 and 1, both excluded (type function for argparse)."""
    return _number(text, "a number between 0 and 1", lambda number: 0 < number < 1)


def seconds(text: str) -> float:
    """Parse a time in seconds above 0 and below an hour (type function for argparse)."""
    return _number(text, "seconds above 0, below 3600", lambda number: 0 < number < 3600)


def discount(text: str) -> float:
    """Parse a number above 0 and at most 1 (type function for argparse)."""
    return _number(text, "a number above 0, at most 1", lambda number: 0 < number <= 1)


def _number(text: str, words: str, allowed: Callable[[float], bool]) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not allowed(number):
        raise ArgumentTypeError(f"{words}, not {text!r}")
    return number


def of_networks(document: str | None) -> ArgumentParser:
    """Return an argument parser of a script that compares networks: network files, rules, number of players, seed.

    Its description is `document`, the docstring of the script.
    """
    parser = parser_of(document)
    parser.add_argument("networks", nargs="+", metavar="FILE")
    parser.add_argument("--rules", default="rlcard-2022")
    parser.add_argument("--players", type=count, default=2)
    parser.add_argument("--seed", type=int, default=0)
    return parser


def networks(paths: list[str], game: Game) -> Iterator[tuple[str, Mlp]]:
    """Load network files and yield (path, network).

    Raises:
        InvalidInput: If a file is not a network, or its network does not fit the game.
    """
    for path in paths:
        network = load_network(path)
        network.check(game)
        yield path, network


def run(main: Callable[[], None]) -> None:
    """Run the function `main` of a script; report `InvalidInput` in one line on standard error, with exit code 2."""
    try:
        main()
    except InvalidInput as error:
        print(f"{pathlib.Path(sys.argv[0]).name}: {error}", file=sys.stderr)
        sys.exit(2)
