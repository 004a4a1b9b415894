"""Setup of a session (successive rounds of the same players) to play or watch: new, or resumed from a record."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from cardgames.cli.terminal import check_terminal
from cardgames.support.errors import InvalidInput

if TYPE_CHECKING:
    from cardgames.agents.agent import Agent
    from cardgames.core.game import Game
    from cardgames.core.state import State
    from cardgames.records.record_lines import Round
    from cardgames.records.recorder import Recorder
    from cardgames.tui.session import Session


@dataclass(frozen=True)
class SessionSetup:
    """Game, players by seat, seed and record file of a session (successive rounds of the same players)."""

    game: "Game"
    names: Sequence[str | None]
    """Agent name of each seat, None for the seat of the person."""
    seed: int
    record: str | None
    """Path of the record file to write; None if the session is not recorded."""
    resume: bool = False
    """True if the record file already holds the first part of the session."""
    start: "State | None" = None
    """Position at which every round begins; None to deal."""
    open_hands: bool = False
    """True if all hands are shown to the person."""

    def open(self, plain: bool) -> "Session":
        """Create the agents, open the record, print the seed and return the session.

        Args:
            plain: Whether the session is printed line by line; if not, a terminal is required.

        Raises:
            InvalidInput: An agent cannot be created, the terminal is unsuitable, or the record cannot be read or written.
        """
        from cardgames.tui.session import Session

        agents = [None if name is None else self.agent(name, seat) for seat, name in enumerate(self.names)]
        if not plain:
            check_terminal()
        recorder, played = self._open_record()
        print(f"seed {self.seed}", flush=True)
        return Session(
            self.game,
            agents,
            seed=self.seed,
            recorder=recorder,
            played=played,
            start=self.start,
            open_hands=self.open_hands,
        )

    def agent(self, name: str, seat: int) -> "Agent":
        """Create the agent `name` for a seat, with a seed derived from the session's seed and the seat.

        Raises:
            InvalidInput: There is no such agent, or an option is wrong.
        """
        from cardgames.agents.agent_factory import agent, agent_seed

        return agent(name, self.game, agent_seed(self.seed, seat))

    def _open_record(self) -> "tuple[Recorder | None, list[Round]]":
        """Open the record file and return its recorder and the rounds that it already holds.

        Without a record file the recorder is None. For a session to resume, an incomplete last line is removed first.
        """
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
    """Return the setup that resumes the session recorded in the file `path`.

    Raises:
        InvalidInput: The record cannot be read, is of another game, does not have exactly one human player, or holds more
            than one session.
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
