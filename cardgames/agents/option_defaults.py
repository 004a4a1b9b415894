"""Defaults of agent options as text, read from the code that uses them.

Each default is written once: as a field of a settings class, in a mapping beside the agent, or in the signature of its
factory. `AgentSpec` says where; the help of the command line shows what this module finds there.
"""

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from cardgames.agents.agent_registry import AgentSpec
from cardgames.core.game import Game
from cardgames.core.game_registry import game_class, load


@dataclass(frozen=True)
class DerivedDefault:
    """Annotation of an option whose default depends on the game or on other options.

    Example: `opponents: Annotated[str, DerivedDefault("same as playout")] = ""`. The value in the
    code (here the empty text) then means that the option is not given.
    """

    text: str | Callable[[type[Game]], str]
    """Description of the default for users, or a function that returns it for the class of a game."""


def option_defaults(spec: AgentSpec, game: type[Game]) -> dict[str, Any]:
    """Return option name -> default for an agent: a value, or a text if the default depends on other things.

    Raises:
        KeyError: If an option has no default.
    """
    defaults = _signature_defaults(load(spec.factory), game)
    if spec.settings:
        defaults |= _field_defaults(load(spec.settings), game)
    if spec.defaults:
        defaults |= load(spec.defaults)
    return {option: defaults[option] for option in spec.options}


def default_texts(spec: AgentSpec, games: Iterable[str]) -> dict[str, str]:
    """Return option name -> default of an agent as text, for help texts.

    Where `games` differ, the text is, for example, `reflex for uno, frugal for doudizhu`.
    """
    by_game = {game: option_defaults(spec, game_class(game)) for game in games}
    texts = {}
    for option in spec.options:
        text_by_game = {game: _text(defaults[option]) for game, defaults in by_game.items()}
        if len(distinct := set(text_by_game.values())) == 1:
            texts[option] = distinct.pop()
        else:
            texts[option] = ", ".join(f"{text} for {game}" for game, text in text_by_game.items())
    return texts


def _signature_defaults(factory: Callable[..., Any], game: type[Game]) -> dict[str, Any]:
    """Return parameter name -> default for the parameters of an agent's factory that have one."""
    parameters = inspect.signature(factory).parameters.values()
    return {p.name: _value(p.annotation, p.default, game) for p in parameters if p.default is not p.empty}


def _field_defaults(settings: Any, game: type[Game]) -> Mapping[str, Any]:
    """Return field name -> default for the dataclass `settings`, whose fields are options of an agent."""
    return {field.name: _value(field.type, field.default, game) for field in fields(settings)}


def _value(annotation: Any, default: Any, game: type[Game]) -> Any:
    for mark in getattr(annotation, "__metadata__", ()):
        if isinstance(mark, DerivedDefault):
            return mark.text(game) if callable(mark.text) else mark.text
    return default


def _text(value: Any) -> str:
    """Return an option's default as a person writes it on the command line; `none` for None and an empty text."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:g}"
    return "none" if value is None or value == "" else str(value)
