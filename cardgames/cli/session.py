"""Setup of a session to play or watch: a new one, or one to resume from a record."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from cardgames.cli.terminal import check_terminal
from cardgames.support.errors import InvalidInput

if TYPE_CHECKING:
    from cardgames.agents.agent import Agent
    from cardgames.core.game import Game
    from cardgames.records.record_lines import Round
    from cardgames.records.recorder import Recorder
    from cardgames.tui.session import Session


@dataclass(frozen=True)
class SessionSetup:
    """Game, seats, seed and record file of a session."""

    game: "Game"
    names: Sequence[str | None]
    """[players] agent name of each seat, None for the person."""
    seed: int
    record: str | None
    """Record file to write, None for none."""
    resume: bool = False
    """True if the record file already holds the first part of the session."""

    def open(self, plain: bool) -> "Session":
        """Create the agents, open the record, print the seed and return the session.

        Args:
            plain: Print line by line; otherwise a terminal is required.

        Raises:
            InvalidInput: An agent cannot be created, the terminal is unsuitable, or the record cannot be read or written.
        """
        from cardgames.tui.session import Session

        agents = [None if name is None else self.agent(name, seat) for seat, name in enumerate(self.names)]
        if not plain:
            check_terminal()
        recorder, played = self._open_record()
        print(f"seed {self.seed}", flush=True)
        return Session(self.game, agents, seed=self.seed, recorder=recorder, played=played)

    def agent(self, name: str, seat: int) -> "Agent":
        """Return the agent of this name for a seat; its seed follows from the session's. Raises `InvalidInput`."""
        from cardgames.agents.agent_factory import agent, agent_seed

        return agent(name, self.game, agent_seed(self.seed, seat))

    def _open_record(self) -> "tuple[Recorder | None, list[Round]]":
        """Return the recorder, None without a record file, and the rounds that are already recorded."""
        from cardgames.records.record import HUMAN_NAME, read, truncate_partial_line
        from cardgames.records.recorder import Recorder

        if self.record is None:
            return None, []
        if self.resume and (dropped := truncate_partial_line(self.record)):
            print(f"{self.record} line {dropped}: incomplete, removed", flush=True)
        recorder = Recorder(
            self.record, self.game, [name or HUMAN_NAME for name in self.names], self.seed, resume=self.resume
        )
        try:
            # read only now: the recorder is open and notices what another program appends from here on
            return recorder, read(self.record) if self.resume else []
        except InvalidInput:
            recorder.close()
            raise


def session_from_record(game: str, path: str) -> SessionSetup:
    """Return the session of one person that the record at `path` holds.

    Raises:
        InvalidInput: The record cannot be read, is of another game, has no person or several, or holds two sessions.
    """
    from cardgames.records.record import HUMAN_NAME, read

    rounds = read(path, allow_partial=True)
    first = rounds[0]
    if first.game.name != game:
        raise InvalidInput(f"{path} is a record of {first.game.name}, not of {game}")
    if first.names.count(HUMAN_NAME) != 1:
        raise InvalidInput(f"{path} has {first.names.count(HUMAN_NAME)} human players: --resume needs exactly one")
    for earlier, later in pairwise(rounds):
        if earlier.returns is None or _session_key(later) != _session_key(first):
            raise InvalidInput(f"{path} line {later.line}: another session begins here: --resume needs a single one")
    names = [None if name == HUMAN_NAME else name for name in first.names]
    return SessionSetup(first.game, names, first.header["seed"], path, resume=True)


def _session_key(played: "Round") -> tuple[object, ...]:
    return played.names, played.game.rules.hash, played.header["seed"]
