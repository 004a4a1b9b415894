"""Parsing and checking of single lines of a game record. `docs/reference/records.md` describes the format."""

import json
import math
import pathlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from cardgames.agents.agent import UNITS, is_value
from cardgames.core.events import EventRow
from cardgames.core.game import Game
from cardgames.core.game_registry import game_class, make
from cardgames.core.state import State
from cardgames.kernels.rng import check_seed
from cardgames.support.errors import InvalidInput, error_context, is_integer

FORMAT = 1
"""Version of the record format, which is the value of the key `cardgames` in the header line of each round."""
_CONTROL_CHARACTERS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


@dataclass(frozen=True)
class Step:
    """One recorded action, with the events that it caused and figures from the agent's search."""

    line: int
    """Line number of the action in the record (from 1)."""
    seat: int
    action: str
    """The action as text."""
    events: tuple[EventRow, ...]
    """Events that the action caused, beginning with the action itself."""
    value: float | None
    """Agent's estimate of its value when it chose the action, in `unit`; None if it was not recorded."""
    visits: dict[str, int]
    """Legal action as text -> visit count in the agent's search; empty if none were recorded."""
    unit: str = "win"
    """Unit of `value`: `win`, the probability of winning, or `points`, the mean payoff of the round."""


@dataclass
class Round:
    """One round of a record as it was read; only a replay shows whether its actions and events are correct."""

    path: pathlib.Path
    line: int
    """Line number of the round's header in the record (from 1)."""
    header: dict[str, Any]
    game: Game
    names: list[str]
    """Names of the players by seat."""
    steps: list[Step]
    returns: list[float] | None = None
    """Payoff of each seat; None if the record ends before the round does."""
    last_line: int = 0
    """Line number of the round's last line in the record (from 1)."""

    def start(self) -> State:
        """Return the first state of the round.

        Raises:
            InvalidInput: If the header is inconsistent: its `deck` is not that of its `start`.
        """
        with line_context(self.path, self.line):
            state = self.game.from_dict(self.header["start"])
            if self.game.deck_of(state) != self.header["deck"]:
                raise InvalidInput("deck and start contradict each other")
        return state


@contextmanager
def line_context(path: pathlib.Path, line: int) -> Iterator[None]:
    """Convert errors inside the `with` block, caused by a damaged line, into an `InvalidInput` that names file and line."""
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

    Control characters, line breaks and marks that change the writing direction are not safe.
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
    """Raise `ValueError`; the JSON parser calls this for NaN and infinities, which Python accepts but JSON does not."""
    raise ValueError(name)


def _finite(text: str) -> float:
    """Return the number that `text` represents.

    Raises:
        ValueError: If the number is too large, such as 1e999, which Python reads as infinity.
    """
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


def parse(line: bytes, unfinished: bool) -> dict[str, Any]:
    """Return the JSON object in one line of a record.

    Args:
        line: Bytes of the line.
        unfinished: Whether the line may be incomplete (the file's last line, not its only one, without a line break); this
            only changes the error message.

    Raises:
        InvalidInput: If the line is not a JSON object.
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
    unit = _field(data, "unit", str) if "unit" in data else "win"
    if unit not in UNITS:
        raise _invalid_value("unit", unit)
    if value is not None and not is_value(value, unit):
        raise _invalid_value("value", value)
    visits = _field(data, "visits", dict) if "visits" in data else {}
    if not all(is_integer(count) and count >= 0 for count in visits.values()):
        raise _invalid_value("visits", visits)
    rows = [tuple(_number_list(row, 4, (int,), "an event")) for row in _field(data, "events", list)]
    texts = _field(data, "text", list)
    if not all(isinstance(text, str) for text in texts):
        raise _invalid_value("text", texts)
    return Step(line, _field(data, "seat", int), _field(data, "action", str), tuple(rows), value, visits, unit)


def read_line(path: pathlib.Path, line: int, data: dict[str, Any], rounds: list[Round]) -> None:
    """Add the contents of a record line to `rounds`: a header appends a new round, other lines extend the last round.

    Raises:
        InvalidInput: If a value is wrong, or the line is out of order.
        KeyError: If a key is missing in the line.
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
