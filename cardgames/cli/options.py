"""Command-line options that several commands share (game, rules, seed, agents ...), and functions that interpret them."""

import secrets
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from cardgames.support.errors import InvalidInput

if TYPE_CHECKING:
    from cardgames.core.game import Game
    from cardgames.core.rules import RuleSet

GameName = Annotated[str, typer.Argument(metavar="GAME", help="The game: uno or doudizhu.")]
Rules = Annotated[
    str | None,
    typer.Option(
        "--rules",
        metavar="PRESET|FILE.toml",
        help="Rules of the game: a preset (`cardgames rules GAME` lists them) or a TOML file. "
        "[default: official for Uno, classic for Dou Di Zhu]",
    ),
]
Rule = Annotated[
    list[str] | None,
    typer.Option("--rule", metavar="NAME=VALUE", help="Change one rule, e.g. hand-size=5. Can be repeated."),
]
Seed = Annotated[
    int | None, typer.Option("--seed", metavar="N", help="Seed of all random numbers. [default: random, and printed]")
]
Plain = Annotated[
    bool, typer.Option("--plain", help="Print line by line instead of drawing a full screen; works without a terminal.")
]
Record = Annotated[
    str | None,
    typer.Option("--record", metavar="FILE", help="Record the rounds to this new file while they are played."),
]
Agents = Annotated[
    str,
    typer.Option(
        "--agents",
        metavar="AGENT,AGENT,...",
        help="One agent per seat: NAME, NAME:OPTION=VALUE,OPTION=VALUE, or MODULE:FACTORY. `cardgames agents` lists them.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


def make_game(name: str, players: int | None, rules: "str | RuleSet | None", changes: list[str] | None) -> "Game":
    """Return the game that the options describe; `changes` are rules to change (--rule), as texts NAME=VALUE.

    Raises:
        InvalidInput: The game, the number of players or a rule does not exist, or the rules contradict each other.
    """
    from cardgames.core.game_registry import make

    return make(name, players, rules, changes or ())


def number_of_seats(game: str, agents: int) -> int:
    """Return the number of players of a game in which `agents` agents play each other.

    It is `agents`, except in a game for a fixed number of players, which checks itself how many agents it can seat.

    Raises:
        InvalidInput: The game does not exist.
    """
    from cardgames.core.game_registry import game_class

    cls = game_class(game)
    return cls.min_players if cls.min_players == cls.max_players else agents


def numbers_of_players(game: str, text: str | None) -> list[int]:
    """Parse the option --players, such as `3` or `2-4`, and return the numbers of players in the range, ascending.

    For None return only the smallest number of players that the game allows.

    Raises:
        InvalidInput: The game is unknown or the text is malformed.
    """
    from cardgames.core.game_registry import game_class

    if text is None:
        return [game_class(game).min_players]
    low, dash, high = text.partition("-")
    try:
        first, last = int(low), int(high if dash else low)
    except ValueError:
        first, last = 1, 0
    if first > last:
        raise InvalidInput(f"--players is a number or a range such as 2-4, not {text!r}")
    first_invalid = max(first, game_class(game).max_players + 1)  # enough for an error message; keeps the list short
    return list(range(first, min(last, first_invalid) + 1))


def choose_seed(seed: int | None) -> int:
    """Return `seed`, or a random seed below 2**32 if it is None."""
    return secrets.randbelow(2**32) if seed is None else seed


def refuse_options(options: Mapping[str, object], reason: str) -> None:
    """Raise an error if any of `options` is set.

    Args:
        options: Option name -> value; None, False and an empty list mean that the option is not set.
        reason: End of the error message, after the option's name, such as `needs a table`.

    Raises:
        InvalidInput: One of the options is set.
    """
    for name, value in options.items():
        if value is not None and value is not False and value != []:
            raise InvalidInput(f"{name} {reason}")
