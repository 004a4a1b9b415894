"""Counts of a match in progress: games, wins, payoffs, decisions, and the time of decisions."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from cardgames.arena.kernel_matches import COUNTS, TALLY, add_block, count_game, new_deal_scores
from cardgames.arena.results import AgentResult
from cardgames.core.game import Game
from cardgames.support.intervals import ratio_variance


class Clock:
    """Number of decisions with several legal actions, and their processor time, by seat or by participant."""

    def __init__(self, count: int):
        self.timed_decisions, self.seconds = [0] * count, [0.0] * count

    def add(self, place: int, timed_decisions: int, seconds: float) -> None:
        """Add a number of decisions and their processor time in seconds to the seat or participant with index `place`."""
        self.timed_decisions[place] += timed_decisions
        self.seconds[place] += seconds


class GameOutcome(NamedTuple):
    """Outcome of one game of a match."""

    steps: int
    """Number of decisions of all players in the game."""
    won: NDArray[np.bool_]
    """Whether each seat won, [players]."""
    paid: NDArray[np.float64]
    """Payoff of each seat, [players]."""
    roles: NDArray[np.int64]
    """Index of each seat's role in `Game.roles` (from `core.ops.role`), [players]."""
    clock: Clock
    """Number and processor time of decisions with several legal actions, by seat."""


@dataclass
class Tally:
    """Counts of a match or of some of its deals; the tallies of different deals can be added."""

    agents: NDArray[Any]
    """Counts of each participant, TALLY [participants, 1 + roles]: column 0 for all games, the others for each role."""
    steps: int = 0
    """Number of decisions of all players."""
    voids: int = 0
    """Number of games without a winner."""
    deal_scores: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    """Number of deals by the score of the first of two participants, in half points; empty unless there are two.

    The scores are those of `kernel_matches.count_game`, summed over the games of a deal.
    """
    clock: Clock = field(init=False)
    """Number and processor time of decisions with several legal actions, by participant."""

    def __post_init__(self) -> None:
        self.clock = Clock(len(self.agents))
        self._block = np.zeros_like(self.agents)
        self._score = 0

    @classmethod
    def of(cls, game: Game, participants: int) -> Self:
        """Return a tally with all counts 0 for a match of `participants` participants."""
        scores = new_deal_scores(game.seatings(participants))
        return cls(np.zeros((participants, 1 + len(game.roles)), TALLY), deal_scores=scores)

    @property
    def games(self) -> int:
        """Number of games counted."""
        return int(self.agents["games"][0, 0])

    def add(self, other: "Tally") -> None:
        """Add the counts of `other`, a tally of other deals of the same match."""
        for column, _ in COUNTS:
            self.agents[column] += other.agents[column]
        for participant, (timed_decisions, seconds) in enumerate(
            zip(other.clock.timed_decisions, other.clock.seconds, strict=True)
        ):
            self.clock.add(participant, timed_decisions, seconds)
        self.steps += other.steps
        self.voids += other.voids
        self.deal_scores += other.deal_scores

    def close_block(self) -> None:
        """End the block of games on one deal: the games counted since the previous call belong to it."""
        add_block(self.agents, self._block)
        if len(self.deal_scores):
            self.deal_scores[self._score] += 1
        self._score = 0

    def count(self, outcome: GameOutcome, seating: NDArray[np.int64], timed: bool) -> None:
        """Count one more game of the current block (all games of one deal).

        Args:
            outcome: Outcome of the game.
            seating: Index of the participant on each seat, int64 [players].
            timed: Whether to add the processor time of the game's decisions too.
        """
        self.steps += outcome.steps
        self.voids += not outcome.won.any()
        self._score += count_game(self._block, seating, outcome.won, outcome.paid, outcome.roles)
        if timed:
            for seat, participant in enumerate(seating):
                self.clock.add(int(participant), outcome.clock.timed_decisions[seat], outcome.clock.seconds[seat])

    def results(self, names: Sequence[str], roles: Sequence[str]) -> list[AgentResult]:
        """Return the result of each participant over all games, including its results in each role.

        `names` are the participants' names, `roles` those of the game's roles.
        """
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
    """Return the variance of the mean wins or payoff per game, estimated over blocks (all games of one deal).

    The result is 0 for a single block.

    Args:
        row: TALLY record.
        total: Sum of the quantity (wins or payoffs) over all games.
        cross_products: Sum over blocks of (sum of the quantity in the block) * (number of games in the block).
        squared: Sum over blocks of the squared sum of the quantity in the block.
    """
    if row.blocks < 2:
        return 0.0
    mean = total / row.games
    squares = squared - 2 * mean * cross_products + mean**2 * row.games_squared
    return ratio_variance(max(0.0, float(squares)), int(row.blocks), int(row.games))
