"""Parsing and checking of single lines of a record. `docs/reference/records.md` describes the format."""

import json
import math
import pathlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from cardgames.core.events import EventRow
from cardgames.core.game import Game
from cardgames.core.game_registry import game_class, make
from cardgames.core.state import State
from cardgames.kernels.rng import check_seed
from cardgames.support.errors import InvalidInput, error_context, is_integer

FORMAT = 1
"""Version of the format: the value of the key `cardgames` in headers."""
_CONTROL_CHARACTERS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


@dataclass(frozen=True)
class Step:
    """One recorded action."""

    line: int
    """Number of its line (from 1)."""
    seat: int
    action: str
    """The action as text."""
    events: tuple[EventRow, ...]
    """Events that it caused, beginning with the action itself."""
    value: float | None
    """Value estimate of the agent, in [0, 1]."""
    visits: dict[str, int]
    """Action as text -> visit count of the agent's search."""


@dataclass
class Round:
    """One round of a record as it was read; only a replay shows whether its actions and events are correct."""

    path: pathlib.Path
    line: int
    """Number of the header's line (from 1)."""
    header: dict[str, Any]
    game: Game
    names: list[str]
    """Names of the players by seat."""
    steps: list[Step]
    returns: list[float] | None = None
    """Payoff of each seat; None if the record ends before the round does."""
    last_line: int = 0
    """Number of the round's last line (from 1)."""

    def start(self) -> State:
        """Return the first state of the round. Raises `InvalidInput` if the header is inconsistent."""
        with line_context(self.path, self.line):
            state = self.game.from_dict(self.header["start"])
            if self.game.deck_of(state) != self.header["deck"]:
                raise InvalidInput("deck and start contradict each other")
        return state


@contextmanager
def line_context(path: pathlib.Path, line: int) -> Iterator[None]:
    """Convert exceptions from a damaged line into an `InvalidInput` that names the line."""
    with error_context(f"{path} line {line}"):
        try:
            yield
        except KeyError as error:
            raise InvalidInput(f"{error.args[0]} is missing") from None


def _field(data: dict[str, Any], name: str, *kinds: type) -> Any:
    value = data[name]
    if not isinstance(value, kinds) or isinstance(value, bool):
        raise _invalid_value(name, value)
    return value


def is_printable_text(text: str) -> bool:
    """Return whether a text is safe to print in a terminal.

    It may have no control characters, line breaks or marks that change the writing direction.
    """
    return not _CONTROL_CHARACTERS.search(text)


def _text_field(data: dict[str, Any], name: str) -> str:
    text: str = _field(data, name, str)
    if not is_printable_text(text):
        raise _invalid_value(name, text)
    return text


def _invalid_value(name: str, value: Any) -> InvalidInput:
    return InvalidInput(f"{name} cannot be {json.dumps(value)[:40]}")


def _number_list(values: Any, count: int, kinds: tuple[type, ...], what: str) -> list[Any]:
    if not isinstance(values, list) or len(values) != count or not all(type(value) in kinds for value in values):
        raise InvalidInput(f"{what} is not a list of {count} numbers")
    return values


def _refuse_constant(name: str) -> None:
    """Raise `ValueError` for NaN and infinities, which Python accepts but JSON does not."""
    raise ValueError(name)


def _finite(text: str) -> float:
    """Return the number; raise `ValueError` if it is too large, such as 1e999, which Python reads as infinity."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


def parse(line: bytes, unfinished: bool) -> dict[str, Any]:
    """Return the JSON object in a line.

    Args:
        line: The line.
        unfinished: Whether the line may be incomplete: it is the last one, not the first, and has no line break.

    Raises:
        InvalidInput: If it is not a JSON object.
    """
    try:
        data = json.loads(line.decode("utf-8"), parse_constant=_refuse_constant, parse_float=_finite)
    except (ValueError, RecursionError):
        cut_off = "the file was cut off within this line: delete it to keep the record up to there"
        raise InvalidInput(cut_off if unfinished else "not valid JSON: damaged, or not a record of cardgames") from None
    if not isinstance(data, dict):
        raise InvalidInput("not a record of cardgames")
    return data


def _game(header: dict[str, Any]) -> Game:
    if _field(header, "cardgames", int) != FORMAT:
        raise InvalidInput(f"the record has format {header['cardgames']}, but this program reads format {FORMAT}")
    _text_field(header, "version")
    name = _field(header, "game", str)
    rules = game_class(name).rule_book.from_dict(_field(header, "rules", dict), _text_field(header, "rules_name"))
    if rules.hash != _text_field(header, "rules_hash"):
        raise InvalidInput(f"rules_hash is {header['rules_hash']}, but these rules have {rules.hash}")
    return make(name, _field(header, "num_players", int), rules)


def _read_header(path: pathlib.Path, line: int, header: dict[str, Any]) -> Round:
    game = _game(header)
    players = _field(header, "players", list)
    if not all(isinstance(player, dict) for player in players) or len(players) != game.num_players:
        raise InvalidInput(f"players is not a list of {game.num_players} players")
    names = [_text_field(player, "name") for player in players]
    if [_field(player, "seat", int) for player in players] != list(range(len(players))):
        raise InvalidInput("players are not in the order of their seats")
    check_seed(header["seed"])
    for field, kind in (("deck", list), ("start", dict)):
        _field(header, field, kind)
    return Round(path, line, header, game, names, [], last_line=line)


def _read_step(line: int, data: dict[str, Any]) -> Step:
    value = _field(data, "value", int, float) if "value" in data else None
    if value is not None and not 0 <= value <= 1:
        raise _invalid_value("value", value)
    visits = _field(data, "visits", dict) if "visits" in data else {}
    if not all(is_integer(count) and count >= 0 for count in visits.values()):
        raise _invalid_value("visits", visits)
    rows = [tuple(_number_list(row, 4, (int,), "an event")) for row in _field(data, "events", list)]
    texts = _field(data, "text", list)
    if not all(isinstance(text, str) for text in texts):
        raise _invalid_value("text", texts)
    return Step(line, _field(data, "seat", int), _field(data, "action", str), tuple(rows), value, visits)


def read_line(path: pathlib.Path, line: int, data: dict[str, Any], rounds: list[Round]) -> None:
    """Add the contents of a line to the last of `rounds`; a header starts a new round.

    Raises:
        InvalidInput: If a value is wrong, or the line is out of order.
        KeyError: If a key is missing.
    """
    if "cardgames" in data:
        rounds.append(_read_header(path, line, data))
        return
    if not rounds:
        raise InvalidInput("not a record of cardgames: it does not begin with a header")
    current = rounds[-1]
    if current.returns is not None:
        raise InvalidInput("the round was over after the line before")
    if "action" in data:
        current.steps.append(_read_step(line, data))
    elif "returns" in data:
        current.returns = _number_list(data["returns"], current.game.num_players, (int, float), "returns")
    else:
        raise InvalidInput("the line is neither a header, nor an action, nor a result")
    current.last_line = line
