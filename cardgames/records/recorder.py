"""Writing of game records while rounds are played, as JSON Lines. `docs/reference/records.md` describes the format."""

import json
import os
import pathlib
import stat
from collections.abc import Sequence
from types import TracebackType
from typing import Any

import cardgames
from cardgames.agents.agent import Decision, is_value
from cardgames.core import ops
from cardgames.core.events import ACTION
from cardgames.core.game import Game
from cardgames.core.state import State
from cardgames.kernels.rng import check_seed
from cardgames.records.record import read, record_file, replay
from cardgames.records.record_lines import FORMAT, is_printable_text
from cardgames.support.atomic_write import describe_file_error
from cardgames.support.errors import InvalidInput, check_value

_OUT_OF_ORDER = "a record is written during play: call begin, then step after each action, then end"


class Recorder:
    """Writer of a record file for one session; it writes each line at once, so an interrupted game leaves a valid record.

    Call `begin` at the start of a round, `step` after each action, and `end` after the round.
    """

    def __init__(self, path: str | pathlib.Path, game: Game, names: Sequence[str], seed: int, *, resume: bool = False):
        """Open the record file for writing.

        Args:
            path: File of the record.
            game: Game to be played.
            names: Names of the players by seat.
            seed: Seed of the session.
            resume: Whether to append to an existing record.

        Raises:
            InvalidInput: If a name is not printable, there is not one name per player, the file cannot be written, or it is
                not empty and `resume` is False.
        """
        check_value("names", names, "a list of printable texts", _are_names(names))
        rules_name = game.rules.name
        check_value("the name of the rules", rules_name, "a printable text", is_printable_text(rules_name))
        if len(names) != game.num_players:
            raise InvalidInput(
                f"{game!r} has {game.num_players} players, but there are {len(names)}: {', '.join(names)}"
            )
        self.path = record_file(path)
        self.game = game
        self.names = list(names)
        """Names of the players by seat."""
        self.seed = check_seed(seed)
        self._last_record: Any = None
        """State of the current round after the last written line, as a state record; None between rounds."""
        self._rows_written = 0
        """Number of events of the current round written so far."""
        self._ends_with_newline = not resume
        """Whether the file is known to be empty or to end with a line break."""
        try:
            self._file = self.path.open("a", encoding="utf-8", newline="\n")
        except (OSError, ValueError) as error:  # ValueError: the name is not allowed on any system
            raise self._unwritable(error) from None
        self._size = self._length()
        """Size of the file in bytes after this recorder's last line; another size means that something else wrote to it."""
        if self._size and not resume:
            self._file.close()
            raise InvalidInput(f"{self.path} is not empty: choose another file for the record, or delete it")

    def _length(self) -> int:
        status = os.fstat(self._file.fileno())
        return status.st_size if stat.S_ISREG(status.st_mode) else 0

    def _end_last_line(self) -> None:
        """Make the file end with exactly one line break, unless it is empty; editors may leave none, or several."""
        with self.path.open("rb+") as file:
            content = file.read().rstrip()
            file.truncate(file.seek(len(content)))
            file.write(b"\n" if content else b"")
        self._ends_with_newline = True

    def _unwritable(self, error: Exception) -> InvalidInput:
        return InvalidInput(f"cannot write {self.path}: {describe_file_error(self.path, error)}")

    def _check_not_modified(self) -> None:
        if self._length() != self._size:
            raise InvalidInput(f"another program has changed {self.path}: nothing more is recorded there")

    def _write(self, data: dict[str, Any]) -> None:
        self._check_not_modified()
        try:
            if not self._ends_with_newline:
                self._end_last_line()
            self._file.write(json.dumps(data) + "\n")
            self._file.flush()
        except OSError as error:
            raise self._unwritable(error) from None
        finally:
            self._size = self._length()

    def begin(self, state: State) -> None:
        """Write the header of a round that starts at `state`.

        Raises:
            InvalidInput: If `state` is of another game than the record, or the file cannot be written.
        """
        if not self.game.is_same_game(state.game):
            raise InvalidInput(f"a record of {self.game!r} cannot hold a round of {state.game!r}")
        rules = self.game.rules
        self._last_record, self._rows_written = state.record.copy(), len(state.history())
        self._write(
            {
                "cardgames": FORMAT,
                "version": cardgames.__version__,
                "game": self.game.name,
                "num_players": self.game.num_players,
                "players": [{"seat": seat, "name": name} for seat, name in enumerate(self.names)],
                "rules_name": rules.name,
                "rules_hash": rules.hash,
                "rules": rules.to_dict(),
                "seed": self.seed,
                "deck": self.game.deck_of(state),
                "start": state.to_dict(),
            }
        )

    def resume_round(self, state: State) -> None:
        """Continue the unfinished last round of the file, which must lead to `state`.

        Raises:
            InvalidInput: If the last round is over, or replaying it does not lead to `state`.
        """
        self._check_not_modified()
        last = read(self.path)[-1]
        if last.returns is not None:
            raise InvalidInput(f"the last round in {self.path} is over")
        replayed = replay(last)
        same = replayed.to_dict() == state.to_dict() and replayed.history() == state.history()
        if not (same and self.game.is_same_game(last.game)):
            raise InvalidInput(f"the last round in {self.path} is a different one, or is in another position")
        self._last_record, self._rows_written = state.record.copy(), len(state.history())

    def step(self, state: State, action: int, decision: Decision | None = None) -> None:
        """Write the line of one action, with the events that it caused.

        Args:
            state: State after the action.
            action: Id of the action.
            decision: Decision of the agent, whose value and visit counts are recorded.

        Raises:
            InvalidInput: If the last written line and `action` do not lead to `state`, or the file cannot be written.
        """
        self._check_in_progress(state)
        rows, rules, record = state.history(self._rows_written), self.game.kernel_rules, self._last_record.copy()
        if [row[2] for row in rows if row[0] == ACTION] != [action] or not ops.is_legal(rules, record, int(action)):
            raise InvalidInput(_OUT_OF_ORDER)
        ops.apply_action(rules, record, int(action))
        _check_same_record(record, state)
        self._last_record, self._rows_written = record, self._rows_written + len(rows)
        line: dict[str, Any] = {"seat": rows[0][1], "action": state.action_to_string(action)}
        if decision is not None:
            line |= _decision_fields(decision)
        line["events"] = rows
        line["text"] = [self.game.event_to_string(row) for row in rows[1:]]
        self._write(line)

    def end(self, state: State) -> None:
        """Write the payoffs if the round is over in `state`; otherwise write nothing.

        Raises:
            InvalidInput: If `state` is not the state after the last written line, or the file cannot be written.
        """
        self._check_in_progress(state)
        _check_same_record(self._last_record, state)
        if state.is_terminal():
            self._last_record = None
            self._write({"returns": state.returns()})

    def _check_in_progress(self, state: State) -> None:
        """Raise `InvalidInput` unless a round has begun and `state` is of the same game."""
        if self._last_record is None or not self.game.is_same_game(state.game):
            raise InvalidInput(_OUT_OF_ORDER)

    def close(self) -> None:
        """Close the record file; its lines are a valid record even if the round is not over.

        Raises:
            InvalidInput: If the file cannot be written, for example because the disk is full.
        """
        try:
            self._file.close()
        except OSError as error:
            raise self._unwritable(error) from None

    def __enter__(self) -> "Recorder":
        """Return the recorder itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the record file."""
        self.close()


def _check_same_record(record: Any, state: State) -> None:
    """Raise `InvalidInput` unless `record` (a state record) has the same bytes as the record of `state`."""
    if record.tobytes() != state.record.tobytes():
        raise InvalidInput(_OUT_OF_ORDER)


def _are_names(names: object) -> bool:
    is_list = isinstance(names, Sequence) and not isinstance(names, str | bytes)
    return is_list and all(isinstance(name, str) and is_printable_text(name) for name in names)  # type: ignore[attr-defined]


def _decision_fields(decision: Decision) -> dict[str, Any]:
    """Return the fields `value`, `unit` and `visits` (action text -> count) of a record line, as far as known.

    `unit` is left out if it is `win`, the probability of winning.
    """
    fields: dict[str, Any] = {}
    if decision.value is not None and is_value(decision.value, decision.unit):
        fields["value"] = float(decision.value)
        if decision.unit != "win":
            fields["unit"] = decision.unit
    visits = {entry.text: int(entry.visits) for entry in getattr(decision.report, "actions", ())}
    return fields | {"visits": visits} if any(visits.values()) else fields
