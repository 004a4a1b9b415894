"""Reproduction of published tables of win rates between agents: each cell is played again as a match and compared."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from cardgames.arena.match import play_match
from cardgames.arena.results import AgentResult, MatchResult
from cardgames.core.game_registry import make
from cardgames.learners.runs.run import WEIGHTS_FILE
from cardgames.papers.request import Request
from cardgames.papers.trained_player import Training
from cardgames.support.errors import InvalidInput, unknown_name
from cardgames.support.intervals import Interval, are_consistent, training_interval, wilson

GAMES, QUICK_GAMES = 1000, 10


@dataclass(frozen=True)
class Cell:
    """A cell of a published table: the win rate of the first agent in `agents` against the others."""

    agents: tuple[str, ...]
    published: float | None = None
    """Published win rate, in [0, 1]; None if the paper shows it only in a figure, without a number."""
    role: str | None = None
    """Role in which wins are counted, in a game with roles; None for all roles."""


@dataclass(frozen=True)
class Reading:
    """One interpretation of a paper's rules, where the paper leaves them open."""

    name: str
    rules: str
    """Name of a preset of rules."""
    overrides: tuple[str, ...] = ()
    """Rules that differ from the preset, each as a text `name=value`."""
    replaced: dict[str, str] = field(default_factory=dict)
    """Agents that this interpretation replaces: name in the published table -> specification of the agent that plays."""

    def match(self, game: str, cell: Cell) -> "_Match":
        """Return the match that plays a cell under this interpretation: game, rules and agents."""
        return _Match(game, self.rules, self.overrides, tuple(self.replaced.get(name, name) for name in cell.agents))


class _Match(NamedTuple):
    """Game, preset, rule overrides and agents of a match; matches that are equal are played once."""

    game: str
    rules: str
    overrides: tuple[str, ...]
    agents: tuple[str, ...]


@dataclass(frozen=True)
class Tournament:
    """A published table of win rates, and the interpretations of the rules under which its cells are played."""

    cells: tuple[Cell, ...]
    readings: tuple[Reading, ...]
    rounds: int
    """Number of rounds that the paper played for each cell; it gives the interval of the published win rate."""
    game: str = "uno"
    games: int = GAMES
    """Number of games that each match of this reproduction has by default."""

    trained: Mapping[str, Training] = field(default_factory=dict)
    """Agents of the table that must be trained before they play: name -> training.

    They are trained again under the rules of each reading.
    """

    def run(self, request: Request) -> Iterator[dict[str, Any]]:
        """Play every requested cell under every reading; yield a row that compares its win rate with the published one.

        A match that two readings share is played once. A match with an agent that is trained is played once for each
        training seed. Raises `InvalidInput`.
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
        """Play the games of a match and return its result."""
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
        """Return the cells in which the agent `only` plays, or all for None. Raises `InvalidInput` if there are none."""
        cells = [cell for cell in self.cells if only is None or only in cell.agents]
        if not cells:
            raise unknown_name(
                "player of the table", only, sorted({agent for cell in self.cells for agent in cell.agents})
            )
        return cells

    def _with_trained_agents(self, match: _Match, request: Request) -> Iterator[_Match]:
        """Yield a match with each agent of `trained` replaced by its trained version, once for each training seed.

        A match without such agents is yielded once, unchanged.
        """
        if not any(agent in self.trained for agent in match.agents):
            yield match
            return
        for seed in request.seeds:
            yield match._replace(agents=tuple(self._agent(agent, match, request, seed) for agent in match.agents))

    def _agent(self, agent: str, match: _Match, request: Request, seed: int) -> str:
        """Return the specification of an agent for `play_match`.

        An agent of `trained` is trained first, under the rules of the match; its specification names the file of its
        weights.
        """
        if agent not in self.trained:
            return agent
        training = self.trained[agent].with_rules(match.rules, match.overrides)
        return f"{agent}:weights={training.trained(request, seed).folder / WEIGHTS_FILE}"

    def _outcome(
        self, reading: Reading, cell: Cell, agents: tuple[str, ...], results: list[MatchResult]
    ) -> dict[str, Any]:
        """Return the row that compares the win rate of the first agent in all `results` with the published one."""
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
        """Return an agent's result in all its games or, if the cell has a role, only in its games in that role."""
        return result if cell.role is None else next(role for role in result.roles if role.name == cell.role)

    def _agrees(self, win_rate: float, ci95: Interval, published: float | None) -> bool | None:
        """Return whether the reproduced win rate and the published one are consistent at 95 %; None if none is published.

        Both win rates are treated as samples, the published one of `rounds` rounds.
        """
        if published is None:
            return None
        return are_consistent(win_rate, ci95, published, wilson(round(published * self.rounds), self.rounds))
