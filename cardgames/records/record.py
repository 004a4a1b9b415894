"""Records of games, read back and replayed. `docs/reference/records.md` has the format."""

import os
import pathlib
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from itertools import islice

from cardgames.core.state import State
from cardgames.records.record_lines import Round, Step, line_context, parse, read_line
from cardgames.support.atomic_write import describe_file_error
from cardgames.support.errors import InvalidInput, check_integer, check_value

HUMAN_NAME = "you"
"""What a record calls the person among the players."""


def record_file(path: str | pathlib.Path) -> pathlib.Path:
    """Return the path of a record. Raises `InvalidInput` for an empty name, which would be that of the working folder."""
    if not str(path):
        raise InvalidInput("the record has no file: its name is empty")
    return pathlib.Path(path)


def _bytes_of(path: pathlib.Path) -> bytes:
    try:
        return path.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: no system has such a name
        raise InvalidInput(f"cannot read {path}: {describe_file_error(path, error)}") from None


def _partial_last_line(data: bytes) -> bytes:
    """Return what there is of a last line that was cut off within, as when the power fails; nothing if it is whole."""
    _, end, last = data.rpartition(b"\n")
    if not end or not last.startswith((b"{", b"\0")):
        return b""
    try:
        parse(last, unfinished=True)
    except InvalidInput:
        return last
    return b""


def truncate_partial_line(path: str | pathlib.Path) -> int:
    """Take a last line that was cut off within off a record; return that line's number, 0 if there is none such.

    Raises `InvalidInput` if the file cannot be read or written.
    """
    path = record_file(path)
    written = _bytes_of(path)
    cut = _partial_last_line(written)
    if not cut:
        return 0
    try:
        os.truncate(path, len(written) - len(cut))
    except OSError as error:
        raise InvalidInput(f"cannot write {path}: {describe_file_error(path, error)}") from None
    return written.count(b"\n") + 1


def read(path: str | pathlib.Path, *, allow_partial: bool = False) -> list[Round]:
    """Return the rounds of a record, unfinished ones too; `allow_partial` passes over a last line that was cut off within.

    Raises `InvalidInput` naming the line if the file is no record, damaged or else cut off within a line.
    """
    path = record_file(path)
    data = _bytes_of(path)
    data = data.removesuffix(_partial_last_line(data) if allow_partial else b"").removeprefix(BOM_UTF8)
    if not data.strip():
        raise InvalidInput(f"{path} is empty, which no record is")
    rounds: list[Round] = []
    lines = data.rstrip().split(b"\n")
    for number, line in enumerate(lines, 1):
        with line_context(path, number):
            last = number == len(lines) > 1 and not data.endswith(b"\n")
            read_line(path, number, parse(line, last), rounds)
    return rounds


def read_round(path: str | pathlib.Path, number: int = 0) -> Round:
    """Return round `number` (from 0) of a record. Raises `InvalidInput` as `read` does, and if it has no such round."""
    rounds = read(path)
    if not 0 <= number < len(rounds):
        raise InvalidInput(f"{path} has no round {number}: choose from 0 to {len(rounds) - 1}")
    return rounds[number]


def _replay_step(state: State, step: Step, num_events: int) -> None:
    """Play a step after so many events, and compare what happens."""
    if step.seat != state.current_player():
        raise InvalidInput(f"seat {step.seat} acts, but seat {state.current_player()} is to move")
    action = state.game.parse_action(step.action)
    canonical_text = state.game.action_to_string(action, state)
    if canonical_text != step.action:
        raise InvalidInput(f"{step.action!r} would be {canonical_text!r} here")
    state.apply_action(action)
    happened = tuple(state.history(num_events))
    if happened != step.events:
        raise InvalidInput(f"{step.action} leads to other events: {[list(row) for row in happened]}")


def replay_states(recorded: Round) -> Iterator[State]:
    """Yield one state again and again: as the round began, then after each of its actions.

    Raises `InvalidInput` naming the line where what happens differs from the record.
    """
    state = recorded.start()
    num_events = len(state.history())
    yield state
    for step in recorded.steps:
        with line_context(recorded.path, step.line):
            _replay_step(state, step, num_events)
        num_events += len(step.events)
        yield state


def replay(recorded: Round, on_step: Callable[[Step, State], None] | None = None) -> State:
    """Play a round again, compare all that happens with the record, and return the last state.

    `on_step` is called after every action. Raises `InvalidInput` naming the line where they differ.
    """
    check_value("what is replayed", recorded, "a round as read returns it", isinstance(recorded, Round))
    states = replay_states(recorded)
    state = next(states)
    for step, state in zip(recorded.steps, states, strict=True):
        if on_step:
            on_step(step, state)
    with line_context(recorded.path, recorded.last_line):
        if recorded.returns is not None and not state.is_terminal():
            raise InvalidInput("a result, but the round is not over")
        if recorded.returns is not None and recorded.returns != state.returns():
            raise InvalidInput(f"the result is {state.returns()}, not {recorded.returns}")
    return state


def state_at(path: str | pathlib.Path, ply: int, number: int = 0) -> State:
    """Return the state after `ply` decisions of round `number` (from 0) of a record. Raises `InvalidInput`."""
    recorded = read_round(path, check_integer("a round's number", number))
    if not 0 <= check_integer("a ply", ply) <= len(recorded.steps):
        raise InvalidInput(f"{path} has no ply {ply}: choose from 0 to {len(recorded.steps)}")
    return next(islice(replay_states(recorded), ply, None))
