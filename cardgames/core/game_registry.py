"""Registry of games by name: the built-in ones and those of other packages; `make` creates a game."""

from collections.abc import Callable, Iterable
from importlib import import_module
from importlib.metadata import entry_points
from operator import attrgetter
from typing import Any

from cardgames.core.game import Game
from cardgames.core.rules import RuleSet
from cardgames.support.errors import InvalidInput, unknown_name

BUILT_IN = {"uno": "cardgames.uno.game:Uno", "doudizhu": "cardgames.doudizhu.game:DouDiZhu"}
"""Name -> `module:class` of each built-in game. Other packages add games by the entry-point group `cardgames.games`."""


def load(target: str) -> Any:
    """Import a module and return one of its attributes; `target` is written `module:attribute`.

    Raises `InvalidInput` if that fails.
    """
    module, _, attribute = target.partition(":")
    try:
        return attrgetter(attribute)(import_module(module))
    except KeyboardInterrupt:
        raise
    except (Exception, SystemExit) as error:  # a module of another package may raise anything when it is imported
        raise InvalidInput(f"cannot load {target}: {error}") from None


def game_class(name: str) -> type[Game]:
    """Return the class of a game by its registered name. Raises `InvalidInput` if it is unknown or cannot be imported."""
    if not isinstance(name, str):
        raise InvalidInput(f"the name of a game is a text, not {name!r}")
    if name in BUILT_IN:
        built_in: type[Game] = load(BUILT_IN[name])
        return built_in
    plugins = {point.name: point for point in entry_points(group="cardgames.games")}
    if name not in plugins:
        raise unknown_name("game", name, [*BUILT_IN, *plugins])
    loaded: type[Game] = load(f"{plugins[name].module}:{plugins[name].attr}")
    return loaded


def make(
    name: str, players: int | None = None, rules: str | RuleSet | None = None, overrides: Iterable[str] = ()
) -> Game:
    """Make a game: `make("uno", players=4, rules="official")`.

    Args:
        name: Name of a built-in game (`uno`, `doudizhu`) or of one that another package registers.
        players: Number of players; None for the default of the game.
        rules: Name of a preset, path of a TOML file, or a rule set; None for the default rules of the game.
        overrides: Rules to change, as texts `axis=value`.

    Raises:
        InvalidInput: If the game is unknown, or does not allow these players or rules.
    """
    cls: Callable[..., Game] = game_class(name)
    return cls(players, rules, overrides) if players is not None else cls(rules=rules, overrides=overrides)
