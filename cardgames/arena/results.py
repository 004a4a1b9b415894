"""What came out of a match: wins and pay-offs with intervals, as objects, plain data and tables."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from cardgames.support.intervals import UNBOUNDED, mean_interval, student_variance, wilson


@dataclass(frozen=True)
class AgentResult:
    """What one entry of a match achieved, in all its games or in one role."""

    name: str
    """The agent's, or the role's."""
    games: int
    wins: int
    mean_return: float
    """Pay-off a game (summed over the seats it had there; in a match over rounds also over its rounds)."""
    mean_square: float = 0.0
    """The mean of its square."""
    deals: int = 0
    """How many the games were of; 0 where each was of its own."""
    win_variance: float = 0.0
    """Of the win rate, over deals: games of one deal hang together. 0 of one deal."""
    return_variance: float = 0.0
    """Of the mean return, likewise."""
    degrees_of_freedom: int = 0
    """The degrees of freedom of the two: deals less one, in a sum those of all parts."""
    effective_games: int = 0
    """Of a sum: its games, but one for those of a single deal; 0 elsewhere."""
    roles: tuple["AgentResult", ...] = ()
    """The same by role, for games with different ones."""
    timed_decisions: int = field(default=0, compare=False)
    """How many were timed of its decisions with more than one legal action: not those in the first deal that a process
    plays, which compiles and loads; none in a role, and where a kernel plays all.
    """
    decision_seconds: float = field(default=0.0, compare=False)
    """The processor time of these, of all threads of the arena's process: what an agent waits for elsewhere is not in it."""

    @property
    def win_rate(self) -> float:
        """Wins a game, void games included."""
        return self.wins / self.games if self.games else 0.0

    @property
    def ci95(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the win rate, wider where games of one deal resemble each other, the more so where few
        deals tell it; those of a single deal count as one game.
        """
        if self.deals == 1:
            return wilson(self.win_rate, 1)
        if self.wins in (0, self.games) and self.effective_games:  # then no variance tells how few games these come to
            return wilson(self.win_rate * self.effective_games, self.effective_games)
        return wilson(self.wins, self.games, student_variance(self.win_variance, self.degrees_of_freedom))

    def _variances(self, of_win: float, of_return: float) -> tuple[float, float]:
        """Return those of the win rate and of the mean return in a sum: after a single deal those of one of its games, which
        are given, else not less than independent games give them.
        """
        if self.deals == 1:
            return of_win, of_return
        games = max(1, self.games)
        won, paid = self.win_rate * (1 - self.win_rate), self.mean_square - self.mean_return**2
        return max(self.win_variance, won / games), max(self.return_variance, paid / games)

    @property
    def return_ci95(self) -> tuple[float, float]:
        """The mean return's 95 % interval (normal, or Student's over deals where games of one deal resemble each other);
        infinite where it is unknown: after a single deal, and where all games paid the same.
        """
        if self.deals == 1:
            return UNBOUNDED
        variance = student_variance(self.return_variance, self.degrees_of_freedom)
        return mean_interval(self.mean_return, self.mean_square, self.games, variance)

    @property
    def ms_per_decision(self) -> float | None:
        """Milliseconds of processor time a decision with a choice; None where none was timed."""
        return 1e3 * self.decision_seconds / self.timed_decisions if self.timed_decisions else None

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data; `roles` only where there are any, `timed_decisions` and `ms_per_decision` only where they are known."""
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
        """Return the sum of one name's results. The games of a single deal, whose variance is not known, count as one."""
        results = list(results)
        games, wins = sum(r.games for r in results), sum(r.wins for r in results)
        paid = sum(r.mean_return * r.games for r in results) / max(1, games)
        squares = sum(r.mean_square * r.games for r in results) / max(1, games)
        share = wins / max(1, games)
        variances = [r._variances(share * (1 - share), squares - paid**2) for r in results]
        of_wins, of_returns = (
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
            win_variance=of_wins,
            return_variance=of_returns,
            degrees_of_freedom=sum(r.degrees_of_freedom for r in results),
            effective_games=sum(1 if r.deals == 1 else r.effective_games or r.games for r in results),
            roles=tuple(cls.total(column) for column in zip(*(r.roles for r in results), strict=True)),
            timed_decisions=sum(r.timed_decisions for r in results),
            decision_seconds=sum(r.decision_seconds for r in results),
        )


@dataclass(frozen=True)
class MatchResult:
    """What came out of a match, or of the part of it played so far."""

    game: str
    rules: dict[str, str]
    """Name and hash."""
    seed: int
    games: int
    seconds: float
    steps: int
    """Decisions of all players."""
    voids: int
    """Games without a winner."""
    agents: list[AgentResult]
    """In the order in which the agents were given, whichever seats they rotated through."""
    pairs: list["MatchResult"] = field(default_factory=list)
    """The matches of a round robin, of which this is the sum."""

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data; `pairs` only where there are any."""
        data = vars(self) | {"agents": [entry.to_dict() for entry in self.agents]}
        del data["pairs"]
        return data | {"pairs": [pair.to_dict() for pair in self.pairs]} if self.pairs else data

    def __str__(self) -> str:
        """Return `table` without a limit of width."""
        return self.table()

    def table(self, width: int | None = None) -> str:
        """Return a line for each agent, below it one for each of its roles; with the time of decisions if known.

        A name that would make its line longer than `width` characters has a line of its own.
        """
        timed = any(entry.timed_decisions for entry in self.agents)
        rows = [_HEAD, *((name, *_cells(entry)) for name, entry in self._rows())]
        rows = [row if timed else row[:-1] for row in rows]
        longest, *others = (max(map(len, column)) for column in zip(*rows, strict=True))
        room = longest
        if width is not None:
            room = min(room, max(len(_HEAD[0]), width - sum(len(_GAP) + size for size in others)))
        lines = []
        for name, *cells in rows:
            figures = "".join(f"{_GAP}{cell:>{size}}" for cell, size in zip(cells, others, strict=True)).rstrip()
            lines += [f"{name:<{room}}{figures}"] if len(name) <= room else [name, " " * room + figures]
        return "\n".join(lines)

    def _rows(self) -> Iterator[tuple[str, AgentResult]]:
        for entry in self.agents:
            yield entry.name, entry
            for role in entry.roles:
                yield f"  {role.name}", role


_GAP = "  "
_HEAD = "agent", "games", "wins", "win rate", "95 % interval", "mean return", "ms a choice"


def _cells(entry: AgentResult) -> tuple[str, ...]:
    """Return what stands below `_HEAD` but the name: nothing of no games, no interval of a mean return if it is unknown."""
    if not entry.games:
        return str(entry.games), str(entry.wins), "-", "", "", ""
    low, high = entry.ci95
    paid = entry.return_ci95
    around = "" if paid == UNBOUNDED else f" ± {paid[1] - entry.mean_return:.3f}"
    took = "" if entry.ms_per_decision is None else f"{entry.ms_per_decision:.2f}"
    interval, mean = f"{low:.2%} - {high:.2%}", f"{entry.mean_return:.3f}{around}"
    return str(entry.games), str(entry.wins), f"{entry.win_rate:.2%}", interval, mean, took
