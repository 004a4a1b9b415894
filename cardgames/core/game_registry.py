"""Which games there are, and how one is made by its name."""

from collections.abc import Callable, Iterable
from importlib import import_module
from importlib.metadata import entry_points
from operator import attrgetter
from typing import Any

from cardgames.core.game import Game
from cardgames.core.rules import RuleSet
from cardgames.support.errors import InvalidInput, unknown_name

BUILT_IN = {"uno": "cardgames.uno.game:Uno", "doudizhu": "cardgames.doudizhu.game:DouDiZhu"}
"""Name -> where the game's class is; others come from the entry-point group `cardgames.games`."""


def load(target: str) -> Any:
    """Return the object named `module:attribute`. Raises `InvalidInput` if it cannot be imported."""
    module, _, attribute = target.partition(":")
    try:
        return attrgetter(attribute)(import_module(module))
    except KeyboardInterrupt:
        raise
    except (Exception, SystemExit) as error:  # whatever a stranger's module does when it is imported
        raise InvalidInput(f"cannot load {target}: {error}") from None


def game_class(name: str) -> type[Game]:
    """Return the class of the game called `name`. Raises `InvalidInput`."""
    if not isinstance(name, str):
        raise InvalidInput(f"a game is named by a text, not by {name!r}")
    if name in BUILT_IN:
        found: type[Game] = load(BUILT_IN[name])
        return found
    plugins = {point.name: point for point in entry_points(group="cardgames.games")}
    if name not in plugins:
        raise unknown_name("game", name, [*BUILT_IN, *plugins])
    loaded: type[Game] = load(f"{plugins[name].module}:{plugins[name].attr}")
    return loaded


def make(
    name: str, players: int | None = None, rules: str | RuleSet | None = None, overrides: Iterable[str] = ()
) -> Game:
    """Make a game: `make("uno", players=4, rules="official")`.

    `rules` is a preset's name, a TOML file or a rule set; `overrides` are texts `axis=value`. Raises `InvalidInput`.
    """
    cls: Callable[..., Game] = game_class(name)
    return cls(players, rules, overrides) if players is not None else cls(rules=rules, overrides=overrides)
