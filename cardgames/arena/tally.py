"""What is counted while a match is played: games, wins, pay-offs, decisions, and the time they took."""

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
    """How many decisions with a choice there were, and their processor time, by seat or by entry."""

    def __init__(self, count: int):
        self.timed_decisions, self.seconds = [0] * count, [0.0] * count

    def add(self, place: int, timed_decisions: int, seconds: float) -> None:
        """Count some more at a place."""
        self.timed_decisions[place] += timed_decisions
        self.seconds[place] += seconds


class GameOutcome(NamedTuple):
    """How one game of a match ended."""

    steps: int
    won: NDArray[np.bool_]
    """[players]"""
    paid: NDArray[np.float64]
    """[players]"""
    roles: NDArray[np.int64]
    """[players] each seat's role, as the verb `role` numbers them."""
    clock: Clock
    """By seat."""


@dataclass
class Tally:
    """Counts that add up."""

    agents: NDArray[Any]
    """TALLY [entries, 1 + roles]: in all, and in each role."""
    steps: int = 0
    voids: int = 0
    clock: Clock = field(init=False)
    """By entry."""

    def __post_init__(self) -> None:
        self.clock = Clock(len(self.agents))
        self._block = np.zeros_like(self.agents)

    @classmethod
    def of(cls, game: Game, participants: int) -> Self:
        """Return the tally of no games."""
        return cls(np.zeros((participants, 1 + len(game.roles)), TALLY))

    @property
    def games(self) -> int:
        """How many were played."""
        return int(self.agents["games"][0, 0])

    def add(self, other: "Tally") -> None:
        """Add the counts of other games."""
        for column, _ in COUNTS:
            self.agents[column] += other.agents[column]
        for participant, (timed_decisions, seconds) in enumerate(
            zip(other.clock.timed_decisions, other.clock.seconds, strict=True)
        ):
            self.clock.add(participant, timed_decisions, seconds)
        self.steps += other.steps
        self.voids += other.voids

    def close_block(self) -> None:
        """Note that the games counted since the last call were of one block."""
        add_block(self.agents, self._block)

    def count(self, outcome: GameOutcome, seating: NDArray[np.int64], timed: bool) -> None:
        """Add a game of a block to be closed, and (or not) what its clock says; `seating` [players] names the entry on
        each seat.
        """
        self.steps += outcome.steps
        self.voids += not outcome.won.any()
        count_game(self._block, seating, outcome.won, outcome.paid, outcome.roles)
        if timed:
            for seat, participant in enumerate(seating):
                self.clock.add(int(participant), outcome.clock.timed_decisions[seat], outcome.clock.seconds[seat])

    def results(self, names: Sequence[str], roles: Sequence[str]) -> list[AgentResult]:
        """Return what each entry achieved, in all and in each role."""
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


def _variance(row: Any, total: float, crossed: float, squared: float) -> float:
    """Return the variance over blocks of what was counted a game: `total` in all, `squared` of each block's sum, `crossed`
    of that times its games; 0 of one block.
    """
    if row.blocks < 2:
        return 0.0
    mean = total / row.games
    squares = squared - 2 * mean * crossed + mean**2 * row.games_squared
    return ratio_variance(max(0.0, float(squares)), int(row.blocks), int(row.games))
