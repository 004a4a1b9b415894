"""Processor time of an agent's decisions: mean and median over the decisions with several legal actions."""

from dataclasses import dataclass
from statistics import fmean, median

from cardgames.agents.agent import Limit
from cardgames.arena.match import deal, play_round
from cardgames.arena.participants import Participant, make_participant
from cardgames.arena.tally import Clock
from cardgames.core.game import Game
from cardgames.kernels import rng

_UNTIMED_ROUNDS = 1
"""Rounds played before the clock starts: they compile or load kernels."""
_MAX_ROUNDS = 1_000
"""Largest number of timed rounds; reached only if nearly all decisions have a single legal action."""


@dataclass(frozen=True)
class DecisionTimes:
    """Processor time of the timed decisions of an agent."""

    decisions: int
    """Number of timed decisions."""
    mean_ms: float | None
    """Mean time in ms, over all threads of the process; None without a decision."""
    median_ms: float | None
    """Median time in ms, over all threads of the process; None without a decision."""


class _TimeList(Clock):
    """Clock that keeps the time of each decision."""

    def __init__(self, count: int):
        super().__init__(count)
        self.each: list[float] = []

    def add(self, place: int, timed_decisions: int, seconds: float) -> None:
        super().add(place, timed_decisions, seconds)
        self.each.append(seconds)


def measure_decision_times(
    game: Game, participant: Participant, seed: int = 0, decisions: int = 200, limit: Limit | None = None
) -> DecisionTimes:
    """Let an agent play rounds on all seats, and time its decisions with several legal actions.

    The first round is not timed, since it compiles kernels. Every other round is timed to its end.

    Args:
        game: Game to play.
        participant: Agent, by name, as an object or as a function (see `arena.participants`).
        seed: Seed of the deals and the agents.
        decisions: Number of timed decisions after which no further round begins.
        limit: Limit of each decision.

    Raises:
        InvalidInput: If there is no such agent, or it fails or chooses an illegal action.
    """
    clock = _TimeList(game.num_players)
    for number in range(_UNTIMED_ROUNDS + _MAX_ROUNDS):
        seats = [
            make_participant(participant, game, rng.derive(seed, number, seat, 1)) for seat in range(game.num_players)
        ]
        timed = number >= _UNTIMED_ROUNDS
        play_round(deal(game, seed, number), seats, limit, clock if timed else None)
        if timed and len(clock.each) >= decisions:
            break
    if not clock.each:
        return DecisionTimes(0, None, None)
    return DecisionTimes(len(clock.each), 1e3 * fmean(clock.each), 1e3 * median(clock.each))
