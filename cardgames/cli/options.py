"""The options several commands share, and what is made of them."""

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
        help="The rules: a preset (`cardgames rules GAME` lists them; official, classic) or a file.",
    ),
]
Rule = Annotated[
    list[str] | None, typer.Option("--rule", metavar="AXIS=VALUE", help="Change one rule; may be given several times.")
]
Seed = Annotated[
    int | None, typer.Option("--seed", help="Fixes all chance; a random one, which is printed, by default.")
]
Plain = Annotated[bool, typer.Option("--plain", help="Line by line instead of on a full screen; needs no terminal.")]
Record = Annotated[
    str | None,
    typer.Option("--record", metavar="FILE", help="Write the game to a new file as it happens."),
]
Agents = Annotated[
    str,
    typer.Option(
        "--agents", metavar="A,B,...", help="One agent a seat: name, name:option=value,option=value, or module:factory."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


def make_game(name: str, players: int | None, rules: "str | RuleSet | None", changes: list[str] | None) -> "Game":
    """Return the game the options describe. Raises `InvalidInput`."""
    from cardgames.core.game_registry import make

    return make(name, players, rules, changes or ())


def numbers_of_players(game: str, text: str | None) -> list[int]:
    """Return the numbers of players in `3` or `2-4`; the game's smallest by default. Raises `InvalidInput`."""
    from cardgames.core.game_registry import game_class

    if text is None:
        return [game_class(game).min_players]
    low, dash, high = text.partition("-")
    try:
        first, last = int(low), int(high if dash else low)
    except ValueError:
        first, last = 1, 0
    if first > last:
        raise InvalidInput(f"--players is a number, or two like 2-4, not {text!r}")
    first_invalid = max(first, game_class(game).max_players + 1)  # which is refused like all after it
    return list(range(first, min(last, first_invalid) + 1))


def choose_seed(seed: int | None) -> int:
    """Return the seed given, or a random one."""
    return secrets.randbelow(2**32) if seed is None else seed


def refuse_options(options: Mapping[str, object], why: str) -> None:
    """Raise `InvalidInput` for the first of some options that was given, which is no option here: `why`."""
    for name, value in options.items():
        if value is not None and value is not False and value != []:
            raise InvalidInput(f"{name} {why}")
