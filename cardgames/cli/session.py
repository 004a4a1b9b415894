"""Who sits down to what: a new session, or one that a record holds."""

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
    """What a table is opened for."""

    game: "Game"
    names: Sequence[str | None]
    """The agents by seat, None for the person."""
    seed: int
    record: str | None
    """The file to write to."""
    resume: bool = False
    """Whether it holds some of the session already."""

    def open(self, plain: bool) -> "Session":
        """Seat everybody, and say the seed; unless it is `plain`, a terminal is needed. Raises `InvalidInput`."""
        from cardgames.tui.session import Session

        agents = [None if name is None else self.agent(name, seat) for seat, name in enumerate(self.names)]
        if not plain:
            check_terminal()
        recorder, played = self._open_record()
        print(f"seed {self.seed}", flush=True)
        return Session(self.game, agents, seed=self.seed, recorder=recorder, played=played)

    def agent(self, name: str, seat: int) -> "Agent":
        """Return the agent of this name for a seat. Raises `InvalidInput`."""
        from cardgames.agents.agent_factory import agent, agent_seed

        return agent(name, self.game, agent_seed(self.seed, seat))

    def _open_record(self) -> "tuple[Recorder | None, list[Round]]":
        """Return what writes the session down, if that is asked for, and the rounds that were played before."""
        from cardgames.records.record import HUMAN_NAME, read, truncate_partial_line
        from cardgames.records.recorder import Recorder

        if self.record is None:
            return None, []
        if self.resume and (dropped := truncate_partial_line(self.record)):
            print(f"{self.record} line {dropped}: cut off within, and dropped", flush=True)
        recorder = Recorder(
            self.record, self.game, [name or HUMAN_NAME for name in self.names], self.seed, resume=self.resume
        )
        try:
            # once it is open: what another program adds from now on is noticed
            return recorder, read(self.record) if self.resume else []
        except InvalidInput:
            recorder.close()
            raise


def session_from_record(game: str, path: str) -> SessionSetup:
    """Return the session, a person's, that the record at `path` holds. Raises `InvalidInput`."""
    from cardgames.records.record import HUMAN_NAME, read

    rounds = read(path, allow_partial=True)
    first = rounds[0]
    if first.game.name != game:
        raise InvalidInput(f"{path} is a record of {first.game.name}, not of {game}")
    if first.names.count(HUMAN_NAME) != 1:
        raise InvalidInput(f"{path} has {first.names.count(HUMAN_NAME)} seats of a person; one can go on")
    for earlier, later in pairwise(rounds):
        if earlier.returns is None or _session_key(later) != _session_key(first):
            raise InvalidInput(f"{path} line {later.line}: another session begins here, and --resume goes on with one")
    names = [None if name == HUMAN_NAME else name for name in first.names]
    return SessionSetup(first.game, names, first.header["seed"], path, resume=True)


def _session_key(played: "Round") -> tuple[object, ...]:
    return played.names, played.game.rules.hash, played.header["seed"]
