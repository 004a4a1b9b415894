"""Reading and replaying of game records (JSON Lines files). `docs/reference/records.md` describes the format."""

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
"""Name of the human player in records."""


def record_file(path: str | pathlib.Path) -> pathlib.Path:
    """Return the path of a record file as a `Path`.

    Raises:
        InvalidInput: If `path` is empty, which would mean the working folder.
    """
    if not str(path):
        raise InvalidInput("the name of the record's file is empty")
    return pathlib.Path(path)


def _bytes_of(path: pathlib.Path) -> bytes:
    try:
        return path.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: the name is not allowed on any system
        raise InvalidInput(f"cannot read {path}: {describe_file_error(path, error)}") from None


def _partial_last_line(data: bytes) -> bytes:
    """Return the last line of a record's bytes if it is incomplete, as after a power failure; otherwise empty bytes."""
    _, newline, last = data.rpartition(b"\n")
    if not newline or not last.startswith((b"{", b"\0")):
        return b""
    try:
        parse(last, unfinished=True)
    except InvalidInput:
        return last
    return b""


def truncate_partial_line(path: str | pathlib.Path) -> int:
    """Remove an incomplete last line from a record.

    Returns:
        The line number (from 1) of the removed line, 0 if the last line is complete.

    Raises:
        InvalidInput: If the file cannot be read or written.
    """
    path = record_file(path)
    data = _bytes_of(path)
    partial_line = _partial_last_line(data)
    if not partial_line:
        return 0
    try:
        os.truncate(path, len(data) - len(partial_line))
    except OSError as error:
        raise InvalidInput(f"cannot write {path}: {describe_file_error(path, error)}") from None
    return data.count(b"\n") + 1


def read(path: str | pathlib.Path, *, allow_partial: bool = False) -> list[Round]:
    """Read all rounds of a record, including unfinished ones.

    Args:
        path: File of the record.
        allow_partial: Whether to ignore an incomplete last line instead of raising an error.

    Raises:
        InvalidInput: If the file is not a record, or a line is damaged or incomplete; the message names the line.
    """
    path = record_file(path)
    data = _bytes_of(path)
    data = data.removesuffix(_partial_last_line(data) if allow_partial else b"").removeprefix(BOM_UTF8)
    if not data.strip():
        raise InvalidInput(f"{path} is empty: it is not a record")
    rounds: list[Round] = []
    lines = data.rstrip().split(b"\n")
    for number, line in enumerate(lines, 1):
        with line_context(path, number):
            last = number == len(lines) > 1 and not data.endswith(b"\n")
            read_line(path, number, parse(line, last), rounds)
    return rounds


def read_round(path: str | pathlib.Path, number: int = 0) -> Round:
    """Return the round with index `number` (from 0) of a record.

    Raises:
        InvalidInput: If there is no such round, the file is not a record, or a line is damaged or incomplete.
    """
    rounds = read(path)
    if not 0 <= number < len(rounds):
        raise InvalidInput(f"{path} has no round {number}: choose from 0 to {len(rounds) - 1}")
    return rounds[number]


def _replay_step(state: State, step: Step, num_events: int) -> None:
    """Apply a recorded action to `state` and check that it is legal and causes the recorded events.

    `num_events` is the number of events in the history of `state` before the action.

    Raises:
        InvalidInput: If the seat, the action or the events differ from the record.
    """
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
    """Yield the state of a recorded round at its start and after each action, as one `State` object that is changed.

    Raises:
        InvalidInput: If the replay differs from the record; the message names the line.
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
    """Replay a recorded round and compare all events and the result with the record.

    Args:
        recorded: Round, as `read` returns it.
        on_step: Called after every action with the recorded step and the state after the action.

    Returns:
        The state after the last recorded action.

    Raises:
        InvalidInput: If the replay differs from the record; the message names the line.
    """
    check_value("the argument of replay", recorded, "a round from read", isinstance(recorded, Round))
    states = replay_states(recorded)
    state = next(states)
    for step, state in zip(recorded.steps, states, strict=True):
        if on_step:
            on_step(step, state)
    with line_context(recorded.path, recorded.last_line):
        if recorded.returns is not None and not state.is_terminal():
            raise InvalidInput("there is a result, but the round is not over")
        if recorded.returns is not None and recorded.returns != state.returns():
            raise InvalidInput(f"the result is {state.returns()}, not {recorded.returns}")
    return state


def state_at(path: str | pathlib.Path, ply: int, number: int = 0) -> State:
    """Return the state after `ply` decisions of the round with index `number` (from 0) of a record.

    Raises:
        InvalidInput: If there is no such round, it has fewer than `ply` decisions, or the record is damaged.
    """
    recorded = read_round(path, check_integer("a round's number", number))
    if not 0 <= check_integer("a ply", ply) <= len(recorded.steps):
        raise InvalidInput(f"{path} has no ply {ply}: choose from 0 to {len(recorded.steps)}")
    return next(islice(replay_states(recorded), ply, None))
