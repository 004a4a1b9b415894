"""Results of matches: wins and payoffs with 95 % confidence intervals, as objects, plain data and tables."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from cardgames.support.intervals import UNBOUNDED, mean_interval, student_variance, wilson
from cardgames.support.text_table import text_table


@dataclass(frozen=True)
class AgentResult:
    """Result of one participant of a match, in all its games or in one role."""

    name: str
    """Name of the agent, or of the role if these are the results in one role."""
    games: int
    """Number of games; in a role, number of seats played in that role."""
    wins: int
    mean_return: float
    """Mean payoff per game, summed over the participant's seats and, in a match over several rounds, over the rounds."""
    mean_square: float = 0.0
    """Mean of the squared payoff per game."""
    deals: int = 0
    """Number of deals, each of which is played in several games; 0 if each game had its own deal."""
    win_variance: float = 0.0
    """Variance of the win rate, estimated over deals because games on the same deal are correlated; 0 after one deal."""
    return_variance: float = 0.0
    """Variance of the mean return, estimated over deals because games on the same deal are correlated; 0 after one deal."""
    degrees_of_freedom: int = 0
    """Degrees of freedom of `win_variance` and `return_variance`: number of deals minus 1.

    In a sum of results it is the total over the added results.
    """
    effective_games: int = 0
    """In a sum of results, number of games, with a result of only one deal counted as one game. Otherwise 0."""
    roles: tuple["AgentResult", ...] = ()
    """Results in each role (such as landlord), empty if the game has no roles."""
    timed_decisions: int = field(default=0, compare=False)
    """Number of decisions with several legal actions that were timed.

    The first deal that a process plays is not timed, since it includes compiling. The number is 0 in the results of roles,
    and if a kernel plays the whole match.
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

        The interval is wider if games on the same deal are correlated, especially with few deals. After a single deal it is
        the interval of one game.
        """
        if self.deals == 1:
            return wilson(self.win_rate, 1)
        if self.wins in (0, self.games) and self.effective_games:  # the variance is 0 and shows no correlation
            return wilson(self.win_rate * self.effective_games, self.effective_games)
        return wilson(self.wins, self.games, student_variance(self.win_variance, self.degrees_of_freedom))

    def _variances(self, win_variance: float, return_variance: float) -> tuple[float, float]:
        """Return the variances of win rate and mean return for use in a sum of results.

        They are at least as large as for independent games. After a single deal, which shows no variance between deals, they
        are `win_variance` and `return_variance`, those of one game.
        """
        if self.deals == 1:
            return win_variance, return_variance
        games = max(1, self.games)
        won, paid = self.win_rate * (1 - self.win_rate), self.mean_square - self.mean_return**2
        return max(self.win_variance, won / games), max(self.return_variance, paid / games)

    @property
    def return_ci95(self) -> tuple[float, float]:
        """95 % interval of the mean return: normal, or Student's over deals if games on the same deal are correlated.

        It is unbounded after a single deal, and if all games paid the same, since the variance is then unknown.
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
        """Return the participant's result as JSON-serializable data.

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
        """Add up the results of one agent from several matches.

        For variances and intervals a result of a single deal counts as one game, since its variance is unknown.
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
    """Wall-clock time of the match, in seconds."""
    steps: int
    """Number of decisions of all players."""
    voids: int
    """Number of games without a winner."""
    agents: list[AgentResult]
    """Result of each participant, in the order in which they were given, over all seats that they had."""
    pairs: list["MatchResult"] = field(default_factory=list)
    """Results of the single matches if this is the sum over a round robin; otherwise empty."""
    deal_scores: tuple[int, ...] = ()
    """Number of deals by the score of the first of two participants, in half points, from 0 to twice the games of a deal.

    A game won scores 2 half points and a void game 1; see `kernel_matches.count_game`. Empty unless two participants play.
    """

    def to_dict(self) -> dict[str, Any]:
        """Return the match result as JSON-serializable data; `pairs` is included only for a round robin.

        `deal_scores` is left out.
        """
        data = vars(self) | {"agents": [entry.to_dict() for entry in self.agents]}
        del data["pairs"], data["deal_scores"]
        return data | {"pairs": [pair.to_dict() for pair in self.pairs]} if self.pairs else data

    def __str__(self) -> str:
        """Return the result as a text table of unlimited width (`table()`)."""
        return self.table()

    def table(self, width: int | None = None) -> str:
        """Return the result as a text table with a line for each agent, followed by a line for each of its roles.

        Args:
            width: Largest width in characters, None for no limit. A name that does not fit beside the figures gets a line
                of its own.
        """
        timed = any(entry.timed_decisions for entry in self.agents)
        rows = [_HEAD, *((name, *_cells(entry)) for name, entry in self._rows())]
        rows = [row if timed else row[:-1] for row in rows]
        return text_table(rows, width)

    def _rows(self) -> Iterator[tuple[str, AgentResult]]:
        for entry in self.agents:
            yield entry.name, entry
            for role in entry.roles:
                yield f"  {role.name}", role


_HEAD = "agent", "games", "wins", "win rate", "95 % interval", "mean return", "ms/decision"


def _cells(entry: AgentResult) -> tuple[str, ...]:
    """Return the cells of a participant's table row, in the order of `_HEAD` without the name; unknown values are empty."""
    if not entry.games:
        return str(entry.games), str(entry.wins), "-", "", "", ""
    low, high = entry.ci95
    paid = entry.return_ci95
    error = "" if paid == UNBOUNDED else f" ± {paid[1] - entry.mean_return:.3f}"
    milliseconds = "" if entry.ms_per_decision is None else f"{entry.ms_per_decision:.2f}"
    interval, mean = f"{low:.2%} - {high:.2%}", f"{entry.mean_return:.3f}{error}"
    return str(entry.games), str(entry.wins), f"{entry.win_rate:.2%}", interval, mean, milliseconds
