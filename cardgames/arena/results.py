"""Results of matches: wins and payoffs with 95 % confidence intervals, as objects, plain data and tables."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from cardgames.support.intervals import UNBOUNDED, mean_interval, student_variance, wilson


@dataclass(frozen=True)
class AgentResult:
    """Result of one participant of a match, in all its games or in one role."""

    name: str
    """Name of the agent or of the role."""
    games: int
    """Number of games; in a role, number of seats played in that role."""
    wins: int
    mean_return: float
    """Mean payoff per game, summed over the participant's seats and, in a match over several rounds, over the rounds."""
    mean_square: float = 0.0
    """Mean of the squared payoff per game."""
    deals: int = 0
    """Number of deals; 0 if each game had its own deal."""
    win_variance: float = 0.0
    """Variance of the win rate, estimated over deals because games on the same deal are correlated; 0 after one deal."""
    return_variance: float = 0.0
    """Variance of the mean return, estimated in the same way."""
    degrees_of_freedom: int = 0
    """Degrees of freedom of the two variances: number of deals minus 1; in a sum of results, the total over the parts."""
    effective_games: int = 0
    """In a sum of results: number of games, where all games of a single deal count as one. Otherwise 0."""
    roles: tuple["AgentResult", ...] = ()
    """Results in each role, if the game has roles."""
    timed_decisions: int = field(default=0, compare=False)
    """Number of decisions with several legal actions that were timed.

    The first deal that a process plays is not timed, since it includes compiling. There are none in the results of roles,
    and none if a kernel plays the whole match.
    """
    decision_seconds: float = field(default=0.0, compare=False)
    """Processor time of the timed decisions, over all threads of the process, in seconds; waiting is not included."""

    @property
    def win_rate(self) -> float:
        """Wins divided by games; void games count as games."""
        return self.wins / self.games if self.games else 0.0

    @property
    def ci95(self) -> tuple[float, float]:
        """95 % interval of the win rate (Wilson).

        It is wider if games on the same deal are correlated, the more so if there are few deals. All games of a single deal
        count as one game.
        """
        if self.deals == 1:
            return wilson(self.win_rate, 1)
        if self.wins in (0, self.games) and self.effective_games:  # the variance is 0 and shows no correlation
            return wilson(self.win_rate * self.effective_games, self.effective_games)
        return wilson(self.wins, self.games, student_variance(self.win_variance, self.degrees_of_freedom))

    def _variances(self, win_variance: float, return_variance: float) -> tuple[float, float]:
        """Return the variances of win rate and mean return for use in a sum of results.

        They are at least those of independent games. After a single deal they are those of a single game, which the
        arguments give.
        """
        if self.deals == 1:
            return win_variance, return_variance
        games = max(1, self.games)
        won, paid = self.win_rate * (1 - self.win_rate), self.mean_square - self.mean_return**2
        return max(self.win_variance, won / games), max(self.return_variance, paid / games)

    @property
    def return_ci95(self) -> tuple[float, float]:
        """95 % interval of the mean return: normal, or Student's over deals if games on the same deal are correlated.

        It is infinite if it is unknown: after a single deal, and if all games paid the same.
        """
        if self.deals == 1:
            return UNBOUNDED
        variance = student_variance(self.return_variance, self.degrees_of_freedom)
        return mean_interval(self.mean_return, self.mean_square, self.games, variance)

    @property
    def ms_per_decision(self) -> float | None:
        """Milliseconds of processor time per decision with several legal actions; None if none was timed."""
        return 1e3 * self.decision_seconds / self.timed_decisions if self.timed_decisions else None

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain data.

        `roles` is included only if there are any, `timed_decisions` and `ms_per_decision` only if decisions were timed.
        """
        data: dict[str, Any] = {
            "name": self.name,
            "games": self.games,
            "wins": self.wins,
            "win_rate": self.win_rate,
            "ci95": list(self.ci95),
            "mean_return": self.mean_return,
            "return_ci95": None if self.return_ci95 == UNBOUNDED else list(self.return_ci95),
        }
        if self.timed_decisions:
            data |= {"timed_decisions": self.timed_decisions, "ms_per_decision": self.ms_per_decision}
        return data | {"roles": [role.to_dict() for role in self.roles]} if self.roles else data

    @classmethod
    def total(cls, results: Iterable["AgentResult"]) -> "AgentResult":
        """Return the sum of the results of one agent.

        All games of a single deal, whose variance is unknown, count as one game.
        """
        results = list(results)
        games, wins = sum(r.games for r in results), sum(r.wins for r in results)
        paid = sum(r.mean_return * r.games for r in results) / max(1, games)
        squares = sum(r.mean_square * r.games for r in results) / max(1, games)
        win_rate = wins / max(1, games)
        variances = [r._variances(win_rate * (1 - win_rate), squares - paid**2) for r in results]
        win_variance, return_variance = (
            sum(variance * (r.games / max(1, games)) ** 2 for variance, r in zip(column, results, strict=True))
            for column in zip(*variances, strict=True)
        )
        return cls(
            results[0].name,
            games,
            wins,
            paid,
            squares,
            deals=sum(r.deals for r in results),
            win_variance=win_variance,
            return_variance=return_variance,
            degrees_of_freedom=sum(r.degrees_of_freedom for r in results),
            effective_games=sum(1 if r.deals == 1 else r.effective_games or r.games for r in results),
            roles=tuple(cls.total(column) for column in zip(*(r.roles for r in results), strict=True)),
            timed_decisions=sum(r.timed_decisions for r in results),
            decision_seconds=sum(r.decision_seconds for r in results),
        )


@dataclass(frozen=True)
class MatchResult:
    """Result of a match, or of the part played so far."""

    game: str
    rules: dict[str, str]
    """Name and hash of the rules."""
    seed: int
    games: int
    seconds: float
    """Wall-clock time."""
    steps: int
    """Number of decisions of all players."""
    voids: int
    """Number of games without a winner."""
    agents: list[AgentResult]
    """Results in the order of the participants, independent of the seats they had."""
    pairs: list["MatchResult"] = field(default_factory=list)
    """For a round robin: the results of its matches, whose sum this is."""

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain data; `pairs` is included only for a round robin."""
        data = vars(self) | {"agents": [entry.to_dict() for entry in self.agents]}
        del data["pairs"]
        return data | {"pairs": [pair.to_dict() for pair in self.pairs]} if self.pairs else data

    def __str__(self) -> str:
        """Return `table()`, of unlimited width."""
        return self.table()

    def table(self, width: int | None = None) -> str:
        """Return the result as a table with a line for each agent, and below it one for each of its roles.

        Args:
            width: Largest width in characters. A name that does not fit beside the figures gets a line of its own.
        """
        timed = any(entry.timed_decisions for entry in self.agents)
        rows = [_HEAD, *((name, *_cells(entry)) for name, entry in self._rows())]
        rows = [row if timed else row[:-1] for row in rows]
        name_width, *cell_widths = (max(map(len, column)) for column in zip(*rows, strict=True))
        name_column = name_width
        if width is not None:
            name_column = min(name_column, max(len(_HEAD[0]), width - sum(len(_GAP) + size for size in cell_widths)))
        lines = []
        for name, *cells in rows:
            figures = "".join(f"{_GAP}{cell:>{size}}" for cell, size in zip(cells, cell_widths, strict=True)).rstrip()
            lines += (
                [f"{name:<{name_column}}{figures}"] if len(name) <= name_column else [name, " " * name_column + figures]
            )
        return "\n".join(lines)

    def _rows(self) -> Iterator[tuple[str, AgentResult]]:
        for entry in self.agents:
            yield entry.name, entry
            for role in entry.roles:
                yield f"  {role.name}", role


_GAP = "  "
_HEAD = "agent", "games", "wins", "win rate", "95 % interval", "mean return", "ms/decision"


def _cells(entry: AgentResult) -> tuple[str, ...]:
    """Return the cells of a table row after the name; unknown values are empty."""
    if not entry.games:
        return str(entry.games), str(entry.wins), "-", "", "", ""
    low, high = entry.ci95
    paid = entry.return_ci95
    error = "" if paid == UNBOUNDED else f" ± {paid[1] - entry.mean_return:.3f}"
    milliseconds = "" if entry.ms_per_decision is None else f"{entry.ms_per_decision:.2f}"
    interval, mean = f"{low:.2%} - {high:.2%}", f"{entry.mean_return:.3f}{error}"
    return str(entry.games), str(entry.wins), f"{entry.win_rate:.2%}", interval, mean, milliseconds
