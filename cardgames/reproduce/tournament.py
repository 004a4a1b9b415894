"""A published table of win rates, and playing its cells again."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from cardgames.core.arena import play_match
from cardgames.core.game import make
from cardgames.core.intervals import difference
from cardgames.core.results import MatchResult

GAMES = 1000


@dataclass(frozen=True)
class Cell:
    """A published figure: the share of rounds the first of `agents` wins."""

    agents: tuple[str, ...]
    published: float | None = None
    """None where the paper shows it in a picture alone."""
    role: str | None = None
    """The role in which that is counted, in a game that has roles; None for all of them."""


@dataclass(frozen=True)
class Reading:
    """One way to read a paper's rules."""

    name: str
    rules: str
    overrides: tuple[str, ...] = ()
    replaced: dict[str, str] = field(default_factory=dict)
    """Agents of the table that this reading plays differently: name -> agent."""

    def match(self, game: str, cell: Cell) -> "_Match":
        """Return what is to be played for a cell."""
        return _Match(game, self.rules, self.overrides, tuple(self.replaced.get(name, name) for name in cell.agents))


class _Match(NamedTuple):
    game: str
    rules: str
    overrides: tuple[str, ...]
    agents: tuple[str, ...]


def _play(match: _Match, games: int, seed: int, jobs: int, progress: Callable[[str], None]) -> MatchResult:
    label = f"{match.rules} {' '.join(match.overrides)}: {', '.join(match.agents)}"
    game = make(match.game, len(match.agents), match.rules, match.overrides)
    return play_match(
        game,
        match.agents,
        games,
        seed,
        jobs,
        progress=lambda part: progress(f"{label}: {part.games} of {games} games"),
    )


@dataclass(frozen=True)
class Tournament:
    """A table, and the readings under which it is played."""

    words: str
    cells: tuple[Cell, ...]
    readings: tuple[Reading, ...]
    rounds: int
    """So many the paper played in each cell."""
    game: str = "uno"
    games: int = GAMES
    """Games of a match unless told."""

    def run(self, games: int | None, seed: int, jobs: int, progress: Callable[[str], None]) -> Iterator[dict[str, Any]]:
        """Play every cell under every reading and yield the outcomes as they come; a match that two readings share is
        played once.
        """
        played: dict[_Match, MatchResult] = {}
        for reading in self.readings:
            for cell in self.cells:
                match = reading.match(self.game, cell)
                if match not in played:
                    played[match] = _play(match, games or self.games, seed, jobs, progress)
                yield self._outcome(reading, cell, match.agents, played[match])

    def _outcome(self, reading: Reading, cell: Cell, agents: tuple[str, ...], result: MatchResult) -> dict[str, Any]:
        entry = result.agents[0]
        first = next((role for role in entry.roles if role.name == cell.role), entry)
        low, high = first.ci95
        return {
            "reading": reading.name,
            "agents": list(agents),
            "role": cell.role,
            "published": cell.published,
            "win_rate": first.win_rate,
            "ci95": [low, high],
            "games": first.games,
            "voids": result.voids,
            "agrees": self._agrees(first.wins, first.games, cell.published),
        }

    def _agrees(self, wins: int, games: int, published: float | None) -> bool | None:
        """Return whether the two shares differ by no more than chance allows at 95 %, both being samples; None where
        nothing was published to compare.
        """
        if published is None:
            return None
        low, high = difference((wins, round(published * self.rounds)), (games, self.rounds))
        return low <= 0 <= high
