"""Counts of a match in progress: games, wins, payoffs, decisions, and the time of decisions."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from cardgames.arena.kernel_matches import COUNTS, TALLY, add_block, count_game
from cardgames.arena.results import AgentResult
from cardgames.core.game import Game
from cardgames.support.intervals import ratio_variance


class Clock:
    """Number of decisions with several legal actions, and their processor time, by seat or by participant."""

    def __init__(self, count: int):
        self.timed_decisions, self.seconds = [0] * count, [0.0] * count

    def add(self, place: int, timed_decisions: int, seconds: float) -> None:
        """Add decisions and their time to one seat or participant."""
        self.timed_decisions[place] += timed_decisions
        self.seconds[place] += seconds


class GameOutcome(NamedTuple):
    """Outcome of one game of a match."""

    steps: int
    """Number of decisions."""
    won: NDArray[np.bool_]
    """Whether each seat won, [players]."""
    paid: NDArray[np.float64]
    """Payoff of each seat, [players]."""
    roles: NDArray[np.int64]
    """Role of each seat (verb `role`), [players]."""
    clock: Clock
    """Time of decisions by seat."""


@dataclass
class Tally:
    """Counts of a match or of a part of it; tallies of parts can be added."""

    agents: NDArray[Any]
    """Counts of each participant, TALLY [participants, 1 + roles]: in all, and in each role."""
    steps: int = 0
    """Number of decisions."""
    voids: int = 0
    """Number of games without a winner."""
    clock: Clock = field(init=False)
    """Time of decisions by participant."""

    def __post_init__(self) -> None:
        self.clock = Clock(len(self.agents))
        self._block = np.zeros_like(self.agents)

    @classmethod
    def of(cls, game: Game, participants: int) -> Self:
        """Return an empty tally."""
        return cls(np.zeros((participants, 1 + len(game.roles)), TALLY))

    @property
    def games(self) -> int:
        """Number of games."""
        return int(self.agents["games"][0, 0])

    def add(self, other: "Tally") -> None:
        """Add the counts of another part of the match."""
        for column, _ in COUNTS:
            self.agents[column] += other.agents[column]
        for participant, (timed_decisions, seconds) in enumerate(
            zip(other.clock.timed_decisions, other.clock.seconds, strict=True)
        ):
            self.clock.add(participant, timed_decisions, seconds)
        self.steps += other.steps
        self.voids += other.voids

    def close_block(self) -> None:
        """End a block: the games counted since the last call belong to one deal."""
        add_block(self.agents, self._block)

    def count(self, outcome: GameOutcome, seating: NDArray[np.int64], timed: bool) -> None:
        """Add a game of the current block.

        Args:
            outcome: Outcome of the game.
            seating: Participant on each seat, int64 [players].
            timed: Add the times of its decisions too.
        """
        self.steps += outcome.steps
        self.voids += not outcome.won.any()
        count_game(self._block, seating, outcome.won, outcome.paid, outcome.roles)
        if timed:
            for seat, participant in enumerate(seating):
                self.clock.add(int(participant), outcome.clock.timed_decisions[seat], outcome.clock.seconds[seat])

    def results(self, names: Sequence[str], roles: Sequence[str]) -> list[AgentResult]:
        """Return the result of each participant, in all and in each role."""
        return [
            replace(
                _result(name, row[0]),
                roles=tuple(map(_result, roles, row[1:])),
                timed_decisions=timed_decisions,
                decision_seconds=seconds,
            )
            for name, row, timed_decisions, seconds in zip(
                names, self.agents, self.clock.timed_decisions, self.clock.seconds, strict=True
            )
        ]


def _result(name: str, row: Any) -> AgentResult:
    games = max(1, int(row.games))
    return AgentResult(
        name,
        int(row.games),
        int(row.wins),
        float(row.paid / games),
        float(row.squares / games),
        deals=int(row.blocks),
        win_variance=_variance(row, row.wins, row.games_wins, row.wins_squared),
        return_variance=_variance(row, row.paid, row.games_paid, row.paid_squared),
        degrees_of_freedom=max(0, int(row.blocks) - 1),
    )


def _variance(row: Any, total: float, cross_products: float, squared: float) -> float:
    """Return the variance of a mean per game, estimated over blocks; 0 for one block.

    Args:
        row: TALLY record.
        total: Sum of the quantity (wins or payoffs) over all games.
        cross_products: Sum over blocks of the block's sum times its number of games.
        squared: Sum over blocks of the squared sum.
    """
    if row.blocks < 2:
        return 0.0
    mean = total / row.games
    squares = squared - 2 * mean * cross_products + mean**2 * row.games_squared
    return ratio_variance(max(0.0, float(squares)), int(row.blocks), int(row.games))
