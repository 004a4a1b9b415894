"""Records of games, written as they happen: JSON Lines. `docs/records.md` has the format."""

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
from cardgames.kernels.rng import seed_of
from cardgames.records.record import read, record_file, replay
from cardgames.records.record_lines import FORMAT, is_harmless
from cardgames.support.atomic_write import file_failure
from cardgames.support.errors import InvalidInput, check_kind

_AS_IT_HAPPENS = "a record is written as it happens: begin, then every action once it is played, then the end"


class Recorder:
    """Writes rounds to a file, each line at once, so that an interrupted game leaves a legal record.

    Raises `InvalidInput` if the file cannot be written, or holds something already and is not to be gone on with.
    """

    def __init__(self, path: str | pathlib.Path, game: Game, names: Sequence[str], seed: int, *, resume: bool = False):
        """Open the file; `names` are the players by seat, `seed` is what the session began with; `resume` writes behind what
        the file holds. Raises `InvalidInput`.
        """
        check_kind("names", names, "a list of texts that do nothing in a terminal", _are_names(names))
        named = game.rules.name
        check_kind("the name of the rules", named, "a text that does nothing in a terminal", is_harmless(named))
        if len(names) != game.num_players:
            raise InvalidInput(f"{game!r} has other players than {len(names)}: {', '.join(names)}")
        self.path = record_file(path)
        self.game = game
        self.names = list(names)
        """The players, by seat."""
        self.seed = seed_of(seed)
        self._reached: Any = None
        """The record that the lines of the round under way lead to."""
        self._written = 0
        """Rows of its history that they hold."""
        self._ended = not resume
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
            kept = file.read().rstrip()
            file.truncate(file.seek(len(kept)))
            file.write(b"\n" if kept else b"")
        self._ended = True

    def _unwritable(self, error: Exception) -> InvalidInput:
        return InvalidInput(f"cannot write {self.path}: {file_failure(self.path, error)}")

    def _check_alone(self) -> None:
        if self._length() != self._size:
            raise InvalidInput(f"{self.path} has been written to by another program: nothing more is recorded there")

    def _write(self, data: dict[str, Any]) -> None:
        self._check_alone()
        try:
            if not self._ended:
                self._end_last_line()
            self._file.write(json.dumps(data) + "\n")
            self._file.flush()
        except OSError as error:
            raise self._unwritable(error) from None
        finally:
            self._size = self._length()

    def begin(self, state: State) -> None:
        """Write the header of a round that starts at `state`. Raises `InvalidInput`."""
        if not self.game.is_like(state.game):
            raise InvalidInput(f"a record of {self.game!r} holds no round of {state.game!r}")
        rules = self.game.rules
        self._reached, self._written = state.record.copy(), len(state.history())
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

    def take_up(self, state: State) -> None:
        """Go on with the last round of the file, which is unfinished and whose lines lead to `state`. Raises `InvalidInput`
        otherwise.
        """
        self._check_alone()
        last = read(self.path)[-1]
        if last.returns is not None:
            raise InvalidInput(f"the last round in {self.path} is over")
        reached = replay(last)
        same = reached.to_dict() == state.to_dict() and reached.history() == state.history()
        if not (same and self.game.is_like(last.game)):
            raise InvalidInput(f"the last round in {self.path} is another, or has not come to this position")
        self._reached, self._written = state.record.copy(), len(state.history())

    def step(self, state: State, action: int, decision: Decision | None = None) -> None:
        """Write the `action` that has just led to `state`, and what the player thought of it. Raises `InvalidInput` if that
        is not what has happened since the last line.
        """
        self._check_under_way(state)
        rows, rules, reached = state.history(self._written), self.game.kernel_rules, self._reached.copy()
        if [row[2] for row in rows if row[0] == ACTION] != [action] or not ops.is_legal(rules, reached, int(action)):
            raise InvalidInput(_AS_IT_HAPPENS)
        ops.apply_action(rules, reached, int(action))
        _check_reached(reached, state)
        self._reached, self._written = reached, self._written + len(rows)
        line: dict[str, Any] = {"seat": rows[0][1], "action": state.action_to_string(action)}
        if decision is not None:
            line |= _thoughts(decision)
        line["events"] = rows
        line["text"] = [self.game.event_to_string(row) for row in rows[1:]]
        self._write(line)

    def end(self, state: State) -> None:
        """Write the result, if the round is over. Raises `InvalidInput` for another round than that under way."""
        self._check_under_way(state)
        _check_reached(self._reached, state)
        if state.is_terminal():
            self._reached = None
            self._write({"returns": state.returns()})

    def _check_under_way(self, state: State) -> None:
        """Raise `InvalidInput` unless a round is under way, of the state's game."""
        if self._reached is None or not self.game.is_like(state.game):
            raise InvalidInput(_AS_IT_HAPPENS)

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


def _check_reached(reached: Any, state: State) -> None:
    """Raise `InvalidInput` unless a record is that of the state."""
    if reached.tobytes() != state.record.tobytes():
        raise InvalidInput(_AS_IT_HAPPENS)


def _are_names(names: object) -> bool:
    listed = isinstance(names, Sequence) and not isinstance(names, str | bytes)
    return listed and all(isinstance(name, str) and is_harmless(name) for name in names)  # type: ignore[attr-defined]


def _thoughts(decision: Decision) -> dict[str, Any]:
    """Return the value and visits of a decision, as far as there are any; a value is a share."""
    thoughts: dict[str, Any] = {}
    if decision.value is not None and 0 <= decision.value <= 1:
        thoughts["value"] = float(decision.value)
    visits = {entry.text: int(entry.visits) for entry in getattr(decision.report, "actions", ())}
    return thoughts | {"visits": visits} if any(visits.values()) else thoughts
