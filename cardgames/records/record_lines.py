"""What the lines of a record say, checked one by one. `docs/reference/records.md` has the format."""

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
"""The version of the format, the value of `cardgames` in a header."""
_CONTROL_CHARACTERS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


@dataclass(frozen=True)
class Step:
    """One action of a record."""

    line: int
    seat: int
    action: str
    events: tuple[EventRow, ...]
    value: float | None
    visits: dict[str, int]


@dataclass
class Round:
    """One round of a record, as it was read: replaying tells whether it is true."""

    path: pathlib.Path
    line: int
    """Of the header."""
    header: dict[str, Any]
    game: Game
    names: list[str]
    """The players, by seat."""
    steps: list[Step]
    returns: list[float] | None = None
    """Each seat's pay-off; None if the record ends before the round does."""
    last_line: int = 0

    def start(self) -> State:
        """Return the state the round began with. Raises `InvalidInput`."""
        with line_context(self.path, self.line):
            state = self.game.from_dict(self.header["start"])
            if self.game.deck_of(state) != self.header["deck"]:
                raise InvalidInput("deck and start contradict each other")
        return state


@contextmanager
def line_context(path: pathlib.Path, line: int) -> Iterator[None]:
    """Turn whatever a damaged line leads to into an `InvalidInput` that names it."""
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
    """Return whether a text does nothing in a terminal but show: no controls, ends of lines or turns of direction."""
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
    """Refuse what Python takes for JSON and nobody else does: NaN and infinities."""
    raise ValueError(name)


def _finite(text: str) -> float:
    """Refuse what Python takes for infinity: 1e999."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


def parse(line: bytes, unfinished: bool) -> dict[str, Any]:
    """Return what a line says; `unfinished`: it is a further one, and no other comes after it.

    Raises `InvalidInput`.
    """
    try:
        data = json.loads(line.decode("utf-8"), parse_constant=_refuse_constant, parse_float=_finite)
    except (ValueError, RecursionError):
        cut = "cut off within this line: delete it, and the record is whole up to there"
        raise InvalidInput(cut if unfinished else "not valid JSON: damaged, or not a record of cardgames") from None
    if not isinstance(data, dict):
        raise InvalidInput("not a record of cardgames")
    return data


def _game(header: dict[str, Any]) -> Game:
    if _field(header, "cardgames", int) != FORMAT:
        raise InvalidInput(f"written in format {header['cardgames']}, this program reads format {FORMAT}")
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
    words = _field(data, "text", list)
    if not all(isinstance(sentence, str) for sentence in words):
        raise _invalid_value("text", words)
    return Step(line, _field(data, "seat", int), _field(data, "action", str), tuple(rows), value, visits)


def read_line(path: pathlib.Path, line: int, data: dict[str, Any], rounds: list[Round]) -> None:
    """Add what a line says to the last of `rounds`, a header as a new one. Raises `InvalidInput`, `KeyError` for what is
    missing.
    """
    if "cardgames" in data:
        rounds.append(_read_header(path, line, data))
        return
    if not rounds:
        raise InvalidInput("not a record of cardgames: it does not begin with a header")
    current = rounds[-1]
    if current.returns is not None:
        raise InvalidInput("the round was over on the line before")
    if "action" in data:
        current.steps.append(_read_step(line, data))
    elif "returns" in data:
        current.returns = _number_list(data["returns"], current.game.num_players, (int, float), "returns")
    else:
        raise InvalidInput("neither a header, nor an action, nor a result")
    current.last_line = line
