"""Records of games, read back and replayed. `docs/records.md` has the format."""

import json
import math
import os
import pathlib
import re
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any

from cardgames.core.errors import InvalidInput, check_kind, is_whole, whole
from cardgames.core.events import Row
from cardgames.core.game import Game
from cardgames.core.games import game_class, make
from cardgames.core.replacing import file_failure
from cardgames.core.rng import seed_of
from cardgames.core.state import State

FORMAT = 1
"""The version of the format, the value of `cardgames` in a header."""
PERSON = "you"
"""What a record calls the person among the players."""
_HARMFUL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


@dataclass(frozen=True)
class Step:
    """One action of a record."""

    line: int
    seat: int
    action: str
    events: tuple[Row, ...]
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
        with _naming(self.path, self.line):
            state = self.game.from_dict(self.header["start"])
            if self.game.deck_of(state) != self.header["deck"]:
                raise InvalidInput("deck and start contradict each other")
        return state


@contextmanager
def _naming(path: pathlib.Path, line: int) -> Iterator[None]:
    """Turn whatever a damaged line leads to into an `InvalidInput` that names it."""
    try:
        yield
    except InvalidInput as error:
        raise InvalidInput(f"{path} line {line}: {error}") from None
    except KeyError as error:
        raise InvalidInput(f"{path} line {line}: {error.args[0]} is missing") from None


def _typed(data: dict[str, Any], name: str, *kinds: type) -> Any:
    value = data[name]
    if not isinstance(value, kinds) or isinstance(value, bool):
        raise _impossible(name, value)
    return value


def is_harmless(text: str) -> bool:
    """Return whether a text does nothing in a terminal but show: no controls, ends of lines or turns of direction."""
    return not _HARMFUL.search(text)


def _words(data: dict[str, Any], name: str) -> str:
    text: str = _typed(data, name, str)
    if not is_harmless(text):
        raise _impossible(name, text)
    return text


def _impossible(name: str, value: Any) -> InvalidInput:
    return InvalidInput(f"{name} cannot be {json.dumps(value)[:40]}")


def _numbers(values: Any, count: int, kinds: tuple[type, ...], what: str) -> list[Any]:
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


def _parse(line: bytes, unfinished: bool) -> dict[str, Any]:
    """Return what a line says; `unfinished`: it is a further one, and no other comes after it."""
    try:
        data = json.loads(line.decode("utf-8"), parse_constant=_refuse_constant, parse_float=_finite)
    except (ValueError, RecursionError):
        cut = "cut off within this line: delete it, and the record is whole up to there"
        raise InvalidInput(cut if unfinished else "not valid JSON: damaged, or not a record of cardgames") from None
    if not isinstance(data, dict):
        raise InvalidInput("not a record of cardgames")
    return data


def _game(header: dict[str, Any]) -> Game:
    if _typed(header, "cardgames", int) != FORMAT:
        raise InvalidInput(f"written in format {header['cardgames']}, this program reads format {FORMAT}")
    _words(header, "version")
    name = _typed(header, "game", str)
    rules = game_class(name).book.from_dict(_typed(header, "rules", dict), _words(header, "rules_name"))
    if rules.hash != _words(header, "rules_hash"):
        raise InvalidInput(f"rules_hash is {header['rules_hash']}, but these rules have {rules.hash}")
    return make(name, _typed(header, "num_players", int), rules)


def _read_header(path: pathlib.Path, line: int, header: dict[str, Any]) -> Round:
    game = _game(header)
    players = _typed(header, "players", list)
    if not all(isinstance(player, dict) for player in players) or len(players) != game.num_players:
        raise InvalidInput(f"players is not a list of {game.num_players} players")
    names = [_words(player, "name") for player in players]
    if [_typed(player, "seat", int) for player in players] != list(range(len(players))):
        raise InvalidInput("players are not in the order of their seats")
    seed_of(header["seed"])
    for field, kind in (("deck", list), ("start", dict)):
        _typed(header, field, kind)
    return Round(path, line, header, game, names, [], last_line=line)


def _read_step(line: int, data: dict[str, Any]) -> Step:
    value = _typed(data, "value", int, float) if "value" in data else None
    visits = _typed(data, "visits", dict) if "visits" in data else {}
    if not all(is_whole(count) and count >= 0 for count in visits.values()):
        raise _impossible("visits", visits)
    rows = [tuple(_numbers(row, 4, (int,), "an event")) for row in _typed(data, "events", list)]
    words = _typed(data, "text", list)
    if not all(isinstance(sentence, str) for sentence in words):
        raise _impossible("text", words)
    return Step(line, _typed(data, "seat", int), _typed(data, "action", str), tuple(rows), value, visits)


def _read_line(path: pathlib.Path, line: int, data: dict[str, Any], rounds: list[Round]) -> None:
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
        current.returns = _numbers(data["returns"], current.game.num_players, (int, float), "returns")
    else:
        raise InvalidInput("neither a header, nor an action, nor a result")
    current.last_line = line


def record_file(path: str | pathlib.Path) -> pathlib.Path:
    """Return the path of a record. Raises `InvalidInput` for an empty name, which would be that of the working folder."""
    if not str(path):
        raise InvalidInput("the record has no file: its name is empty")
    return pathlib.Path(path)


def _bytes_of(path: pathlib.Path) -> bytes:
    try:
        return path.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: no system has such a name
        raise InvalidInput(f"cannot read {path}: {file_failure(path, error)}") from None


def _cut_off(written: bytes) -> bytes:
    """Return what there is of a last line that was cut off within, as when the power fails; nothing if it is whole."""
    _, end, last = written.rpartition(b"\n")
    if not end or not last.startswith((b"{", b"\0")):
        return b""
    try:
        _parse(last, unfinished=True)
    except InvalidInput:
        return last
    return b""


def drop_cut_line(path: str | pathlib.Path) -> int:
    """Take a last line that was cut off within off a record; return that line's number, 0 if there is none such.

    Raises `InvalidInput` if the file cannot be read or written.
    """
    path = record_file(path)
    written = _bytes_of(path)
    cut = _cut_off(written)
    if not cut:
        return 0
    try:
        os.truncate(path, len(written) - len(cut))
    except OSError as error:
        raise InvalidInput(f"cannot write {path}: {file_failure(path, error)}") from None
    return written.count(b"\n") + 1


def read(path: str | pathlib.Path, *, cut: bool = False) -> list[Round]:
    """Return the rounds of a record, unfinished ones too; `cut` passes over a last line that was cut off within.

    Raises `InvalidInput` naming the line if the file is no record, damaged or else cut off within a line.
    """
    path = record_file(path)
    written = _bytes_of(path)
    written = written.removesuffix(_cut_off(written) if cut else b"").removeprefix(BOM_UTF8)
    if not written.strip():
        raise InvalidInput(f"{path} is empty, which no record is")
    rounds: list[Round] = []
    lines = written.rstrip().split(b"\n")
    for number, line in enumerate(lines, 1):
        with _naming(path, number):
            last = number == len(lines) > 1 and not written.endswith(b"\n")
            _read_line(path, number, _parse(line, last), rounds)
    return rounds


def read_round(path: str | pathlib.Path, number: int = 0) -> Round:
    """Return round `number` (from 0) of a record. Raises `InvalidInput` as `read` does, and if it has no such round."""
    rounds = read(path)
    if not 0 <= number < len(rounds):
        raise InvalidInput(f"{path} has no round {number}: choose from 0 to {len(rounds) - 1}")
    return rounds[number]


def _redo(state: State, step: Step, known: int) -> None:
    """Play a step after so many events, and compare what happens."""
    if step.seat != state.current_player():
        raise InvalidInput(f"seat {step.seat} acts, but seat {state.current_player()} is to move")
    action = state.game.parse_action(step.action)
    written = state.game.action_to_string(action, state)
    if written != step.action:
        raise InvalidInput(f"{step.action!r} would be {written!r} here")
    state.apply_action(action)
    happened = tuple(state.history(known))
    if happened != step.events:
        raise InvalidInput(f"{step.action} leads to other events: {[list(row) for row in happened]}")


def follow(played: Round) -> Iterator[State]:
    """Yield one state again and again: as the round began, then after each of its actions.

    Raises `InvalidInput` naming the line where what happens differs from the record.
    """
    state = played.start()
    known = len(state.history())
    yield state
    for step in played.steps:
        with _naming(played.path, step.line):
            _redo(state, step, known)
        known += len(step.events)
        yield state


def replay(played: Round, on_step: Callable[[Step, State], None] | None = None) -> State:
    """Play a round again, compare all that happens with the record, and return the last state.

    `on_step` is called after every action. Raises `InvalidInput` naming the line where they differ.
    """
    check_kind("what is replayed", played, "a round as read returns it", isinstance(played, Round))
    states = follow(played)
    state = next(states)
    for step, state in zip(played.steps, states, strict=True):
        if on_step:
            on_step(step, state)
    with _naming(played.path, played.last_line):
        if played.returns is not None and not state.is_terminal():
            raise InvalidInput("a result, but the round is not over")
        if played.returns is not None and played.returns != state.returns():
            raise InvalidInput(f"the result is {state.returns()}, not {played.returns}")
    return state


def state_at(path: str | pathlib.Path, ply: int, number: int = 0) -> State:
    """Return the state after `ply` decisions of round `number` (from 0) of a record. Raises `InvalidInput`."""
    played = read_round(path, whole("a round's number", number))
    if not 0 <= whole("a ply", ply) <= len(played.steps):
        raise InvalidInput(f"{path} has no ply {ply}: choose from 0 to {len(played.steps)}")
    return next(islice(follow(played), ply, None))
