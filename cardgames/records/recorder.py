"""Records of games, written as they happen: JSON Lines. `docs/reference/records.md` has the format."""

import json
import os
import pathlib
import stat
from collections.abc import Sequence
from types import TracebackType
from typing import Any

import cardgames
from cardgames.agents.agent import Decision
from cardgames.core import ops
from cardgames.core.events import ACTION
from cardgames.core.game import Game
from cardgames.core.state import State
from cardgames.kernels.rng import check_seed
from cardgames.records.record import read, record_file, replay
from cardgames.records.record_lines import FORMAT, is_printable_text
from cardgames.support.atomic_write import describe_file_error
from cardgames.support.errors import InvalidInput, check_value

_OUT_OF_ORDER = "a record is written as it happens: begin, then every action once it is played, then the end"


class Recorder:
    """Writes rounds to a file, each line at once, so that an interrupted game leaves a legal record.

    Raises `InvalidInput` if the file cannot be written, or holds something already and is not to be gone on with.
    """

    def __init__(self, path: str | pathlib.Path, game: Game, names: Sequence[str], seed: int, *, resume: bool = False):
        """Open the file; `names` are the players by seat, `seed` is what the session began with; `resume` writes behind what
        the file holds. Raises `InvalidInput`.
        """
        check_value("names", names, "a list of texts that do nothing in a terminal", _are_names(names))
        rules_name = game.rules.name
        check_value(
            "the name of the rules", rules_name, "a text that does nothing in a terminal", is_printable_text(rules_name)
        )
        if len(names) != game.num_players:
            raise InvalidInput(f"{game!r} has other players than {len(names)}: {', '.join(names)}")
        self.path = record_file(path)
        self.game = game
        self.names = list(names)
        """The players, by seat."""
        self.seed = check_seed(seed)
        self._last_record: Any = None
        """The record that the lines of the round under way lead to."""
        self._rows_written = 0
        """Rows of its history that they hold."""
        self._ends_with_newline = not resume
        """Whether the file, if it holds anything, ends with the end of a line."""
        try:
            self._file = self.path.open("a", encoding="utf-8", newline="\n")
        except (OSError, ValueError) as error:  # ValueError: no system has such a name
            raise self._unwritable(error) from None
        self._size = self._length()
        """Of the file, as this recorder left it."""
        if self._size and not resume:
            self._file.close()
            raise InvalidInput(f"{self.path} holds something already: name another file for the record, or delete it")

    def _length(self) -> int:
        found = os.fstat(self._file.fileno())
        return found.st_size if stat.S_ISREG(found.st_mode) else 0

    def _end_last_line(self) -> None:
        """Leave one end of line where somebody's editor left none, or empty lines."""
        with self.path.open("rb+") as file:
            content = file.read().rstrip()
            file.truncate(file.seek(len(content)))
            file.write(b"\n" if content else b"")
        self._ends_with_newline = True

    def _unwritable(self, error: Exception) -> InvalidInput:
        return InvalidInput(f"cannot write {self.path}: {describe_file_error(self.path, error)}")

    def _check_not_modified(self) -> None:
        if self._length() != self._size:
            raise InvalidInput(f"{self.path} has been written to by another program: nothing more is recorded there")

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
        """Write the header of a round that starts at `state`. Raises `InvalidInput`."""
        if not self.game.is_same_game(state.game):
            raise InvalidInput(f"a record of {self.game!r} holds no round of {state.game!r}")
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
        """Go on with the last round of the file, which is unfinished and whose lines lead to `state`. Raises `InvalidInput`
        otherwise.
        """
        self._check_not_modified()
        last = read(self.path)[-1]
        if last.returns is not None:
            raise InvalidInput(f"the last round in {self.path} is over")
        reached = replay(last)
        same = reached.to_dict() == state.to_dict() and reached.history() == state.history()
        if not (same and self.game.is_same_game(last.game)):
            raise InvalidInput(f"the last round in {self.path} is another, or has not come to this position")
        self._last_record, self._rows_written = state.record.copy(), len(state.history())

    def step(self, state: State, action: int, decision: Decision | None = None) -> None:
        """Write the `action` that has just led to `state`, and what the player thought of it. Raises `InvalidInput` if that
        is not what has happened since the last line.
        """
        self._check_in_progress(state)
        rows, rules, reached = state.history(self._rows_written), self.game.kernel_rules, self._last_record.copy()
        if [row[2] for row in rows if row[0] == ACTION] != [action] or not ops.is_legal(rules, reached, int(action)):
            raise InvalidInput(_OUT_OF_ORDER)
        ops.apply_action(rules, reached, int(action))
        _check_same_record(reached, state)
        self._last_record, self._rows_written = reached, self._rows_written + len(rows)
        line: dict[str, Any] = {"seat": rows[0][1], "action": state.action_to_string(action)}
        if decision is not None:
            line |= _decision_fields(decision)
        line["events"] = rows
        line["text"] = [self.game.event_to_string(row) for row in rows[1:]]
        self._write(line)

    def end(self, state: State) -> None:
        """Write the result, if the round is over. Raises `InvalidInput` for another round than that under way."""
        self._check_in_progress(state)
        _check_same_record(self._last_record, state)
        if state.is_terminal():
            self._last_record = None
            self._write({"returns": state.returns()})

    def _check_in_progress(self, state: State) -> None:
        """Raise `InvalidInput` unless a round is under way, of the state's game."""
        if self._last_record is None or not self.game.is_same_game(state.game):
            raise InvalidInput(_OUT_OF_ORDER)

    def close(self) -> None:
        """Close the file; what was written is a legal record in any case. Raises `InvalidInput` if the disk is full."""
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
        """Close the file."""
        self.close()


def _check_same_record(reached: Any, state: State) -> None:
    """Raise `InvalidInput` unless a record is that of the state."""
    if reached.tobytes() != state.record.tobytes():
        raise InvalidInput(_OUT_OF_ORDER)


def _are_names(names: object) -> bool:
    listed = isinstance(names, Sequence) and not isinstance(names, str | bytes)
    return listed and all(isinstance(name, str) and is_printable_text(name) for name in names)  # type: ignore[attr-defined]


def _decision_fields(decision: Decision) -> dict[str, Any]:
    """Return the value and visits of a decision, as far as there are any; a value is a share."""
    thoughts: dict[str, Any] = {}
    if decision.value is not None and 0 <= decision.value <= 1:
        thoughts["value"] = float(decision.value)
    visits = {entry.text: int(entry.visits) for entry in getattr(decision.report, "actions", ())}
    return thoughts | {"visits": visits} if any(visits.values()) else thoughts
