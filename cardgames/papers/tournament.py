"""Published tables of win rates between agents: play their cells again and compare."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from cardgames.arena.match import play_match
from cardgames.arena.results import AgentResult, MatchResult
from cardgames.core.game_registry import make
from cardgames.learners.runs.run import WEIGHTS_FILE
from cardgames.papers.request import Request
from cardgames.papers.training import Training
from cardgames.support.errors import InvalidInput, unknown_name
from cardgames.support.intervals import Interval, are_consistent, training_interval, wilson

GAMES, QUICK_GAMES = 1000, 10


@dataclass(frozen=True)
class Cell:
    """A published win rate of the first of `agents`."""

    agents: tuple[str, ...]
    published: float | None = None
    """Published win rate; None if the paper only draws it."""
    role: str | None = None
    """Role in which wins are counted, in a game with roles; None for all roles."""


@dataclass(frozen=True)
class Reading:
    """One interpretation of a paper's rules."""

    name: str
    rules: str
    """Name of a preset."""
    overrides: tuple[str, ...] = ()
    """Changes of single rules, as texts `name=value`."""
    replaced: dict[str, str] = field(default_factory=dict)
    """Agents that this interpretation changes: name in the table -> agent to play."""

    def match(self, game: str, cell: Cell) -> "_Match":
        """Return the match to play for a cell."""
        return _Match(game, self.rules, self.overrides, tuple(self.replaced.get(name, name) for name in cell.agents))


class _Match(NamedTuple):
    game: str
    rules: str
    overrides: tuple[str, ...]
    agents: tuple[str, ...]


@dataclass(frozen=True)
class Tournament:
    """A published table, and the readings of the rules under which it is played."""

    cells: tuple[Cell, ...]
    readings: tuple[Reading, ...]
    rounds: int
    """Number of rounds that the paper played in each cell."""
    game: str = "uno"
    games: int = GAMES
    """Default number of games of a match."""

    trained: Mapping[str, Training] = field(default_factory=dict)
    """Agents of the table that are trained first, under the rules of each reading: name -> training."""

    def run(self, request: Request) -> Iterator[dict[str, Any]]:
        """Play every cell under every reading, and yield the comparisons as they are computed.

        A match that two readings share is played once. A match with a trained agent is played once for each of its seeds.
        Raises `InvalidInput`.
        """
        if self.trained and "," in request.out:
            raise InvalidInput(f"the name of a folder with trained agents must have no comma: {request.out}")
        cells = self._cells(request.only)
        played: dict[_Match, list[MatchResult]] = {}
        for reading in self.readings:
            for cell in cells:
                match = reading.match(self.game, cell)
                if match not in played:
                    ready = enumerate(self._with_trained_agents(match, request), request.seed)
                    played[match] = [self._play(agents, seed, request) for seed, agents in ready]
                yield self._outcome(reading, cell, match.agents, played[match])

    def _play(self, match: _Match, seed: int, request: Request) -> MatchResult:
        games = request.number(self.games, QUICK_GAMES)
        label = f"{match.rules} {' '.join(match.overrides)}: {', '.join(match.agents)}"
        return play_match(
            make(match.game, len(match.agents), match.rules, match.overrides),
            match.agents,
            games,
            seed,
            request.jobs,
            progress=lambda part: request.report_progress(f"{label}: {part.games} of {games} games"),
        )

    def _cells(self, only: str | None) -> list[Cell]:
        """Return the cells with an agent, or all for None. Raises `InvalidInput` if no cell has the agent."""
        cells = [cell for cell in self.cells if only is None or only in cell.agents]
        if not cells:
            raise unknown_name(
                "player of the table", only, sorted({agent for cell in self.cells for agent in cell.agents})
            )
        return cells

    def _with_trained_agents(self, match: _Match, request: Request) -> Iterator[_Match]:
        """Yield the match; if it has agents to train, once for each seed, with the trained agents."""
        if not any(agent in self.trained for agent in match.agents):
            yield match
            return
        for seed in request.seeds:
            yield match._replace(agents=tuple(self._agent(agent, match, request, seed) for agent in match.agents))

    def _agent(self, agent: str, match: _Match, request: Request, seed: int) -> str:
        """Return the name of an agent; if it is to be trained, train it and name its weights."""
        if agent not in self.trained:
            return agent
        training = self.trained[agent].with_rules(match.rules, match.overrides)
        return f"{agent}:weights={training.trained(request, seed).folder / WEIGHTS_FILE}"

    def _outcome(
        self, reading: Reading, cell: Cell, agents: tuple[str, ...], results: list[MatchResult]
    ) -> dict[str, Any]:
        entries = [self._first_result(cell, result.agents[0]) for result in results]
        first, by_seed = AgentResult.total(entries), [entry.win_rate for entry in entries]
        ci95 = training_interval(by_seed, first.ci95, (0.0, 1.0))
        return {
            "reading": reading.name,
            "agents": list(agents),
            "role": cell.role,
            "published": cell.published,
            "win_rate": first.win_rate,
            "ci95": list(ci95),
            "games": first.games,
            "voids": sum(result.voids for result in results),
            "seeds": by_seed,
            "agrees": self._agrees(first.win_rate, ci95, cell.published),
        }

    def _first_result(self, cell: Cell, result: AgentResult) -> AgentResult:
        """Return the first agent's result, in the cell's role if the cell has one."""
        return result if cell.role is None else next(role for role in result.roles if role.name == cell.role)

    def _agrees(self, win_rate: float, ci95: Interval, published: float | None) -> bool | None:
        """Return whether the reproduced and the published win rate are consistent at 95 %; None if none is published.

        Both are treated as samples.
        """
        if published is None:
            return None
        return are_consistent(win_rate, ci95, published, wilson(round(published * self.rounds), self.rounds))
