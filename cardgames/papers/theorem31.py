"""Theorem 3.1 of paper 001: accuracy of the particle filter by turn.

The theorem says that an update never decreases the probability of the true hidden hands. This module measures the expected
share of an opponent's cards that the particles hold in the right hand, at every decision of seat 0 in rounds between
`reflex` agents. The baseline is the expected share for hands dealt uniformly from the unseen cards at that decision.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames.agents.agent_factory import agent
from cardgames.core import ops
from cardgames.core.game import Game
from cardgames.core.game_definition import GameDefinition
from cardgames.core.game_registry import make
from cardgames.core.observation import Observation
from cardgames.kernels import rng
from cardgames.papers.request import Request
from cardgames.search.particle_filter import draw_roots, run_particle_filter
from cardgames.support.intervals import UNBOUNDED, Interval, clustered_mean

Band = tuple[int, int]
_BANDS: tuple[Band, ...] = ((1, 5), (6, 10), (11, 20), (21, 40), (41, 10_000))
"""Ranges of turns, as first and last turn counted from 1; the measurements are averaged over each range.

Later turns have more evidence about the hidden hands.
"""
_NUM_PARTICLES, _MISMATCH_WEIGHT = 100, 0.9
_ROUNDS, _QUICK_ROUNDS = 100, 10


def turn_band(turn: int) -> Band:
    """Return the range of turns in `_BANDS` that contains a player's turn; turns are counted from 1."""
    return next(band for band in _BANDS if band[0] <= turn <= band[1])


def mean_gain(numbers: NDArray[np.float64], gains: NDArray[np.float64]) -> tuple[float, Interval | None]:
    """Return the mean over decisions of the particle filter's gain over uniformly dealt hands, and its 95 % interval.

    Decisions of one round are correlated, so the interval is clustered by round. It is None if there is only one round, or
    all rounds have the same mean gain.

    Args:
        numbers: [n] index of the round to which each decision belongs.
        gains: [n] correct share of cards of the filter minus that of uniformly dealt hands, for each decision.
    """
    _, rounds, counts = np.unique(numbers, return_inverse=True, return_counts=True)
    gain, interval = clustered_mean(np.bincount(rounds, gains).tolist(), counts.tolist())
    return gain, None if interval == UNBOUNDED else interval


def _counts(game: GameDefinition, record: Any, seat: int) -> NDArray[np.float64]:
    """Return how many copies of each card (such as "red 7") a seat holds ([card kinds] float64)."""
    counts = np.zeros(len(game.belief.card_kinds))
    ops.accumulate_card_counts(game.kernel_rules, record, seat, 1.0, counts)
    return counts


def _correct_share(observation: Observation, truth: Any, states: Any, weights: Any) -> float:
    """Return the share of the opponents' cards that `states` place in the right hand, averaged with `weights`."""
    game, right, cards = observation.game, 0.0, 0.0
    for seat in range(game.num_players):
        if seat != observation.player:
            true = _counts(game, truth, seat)
            cards += true.sum()
            for state, weight in zip(states, weights, strict=True):
                right += weight * np.minimum(true, _counts(game, state, seat)).sum()
    return float(right / cards)


def _shares(observation: Observation, truth: Any, stream: Any) -> tuple[float, float]:
    """Return the share of the opponents' cards that the particle filter places correctly, and that of uniform deals."""
    particles = run_particle_filter(observation, _NUM_PARTICLES, _MISMATCH_WEIGHT, stream)
    uniform = np.zeros(_NUM_PARTICLES, observation.game.state_dtype)
    draw_roots(observation, None, stream, uniform)
    even = np.full(_NUM_PARTICLES, 1.0 / _NUM_PARTICLES)
    return (
        _correct_share(observation, truth, particles.states, particles.weights),
        _correct_share(observation, truth, uniform, even),
    )


def _round(game: Game, seed: int, stream: Any) -> Iterator[tuple[float, float]]:
    """Play a round between `reflex` agents and yield the result of `_shares` at every decision of seat 0."""
    state = game.new_initial_state(seed=seed)
    players = [agent("reflex", game, rng.derive(seed, seat)) for seat in range(game.num_players)]
    while not state.is_terminal():
        if state.current_player() == 0:
            yield _shares(state.observation(), state.record, stream)
        state.apply_action(players[state.current_player()].act(state.observation()).action)


def run(request: Request) -> Iterator[dict[str, Any]]:
    """Measure the accuracy of the particle filter, by default over 100 rounds; yield a row for each range of turns.

    The rounds have two players and the rules `rlcard`. In a row, `rounds` is the number of rounds that reached the range of
    turns. `change` is the mean change of the filter's correct share from one decision to the next, and `decreased` is the
    fraction of these changes that are negative. Decisions of one round are correlated, so one round gives no interval.
    Ctrl-C yields the rows of the finished rounds.
    """
    game, games = make("uno", 2, "rlcard"), request.number(_ROUNDS, _QUICK_ROUNDS)
    shares_by_band: defaultdict[Band, list[tuple[int, float, float]]] = defaultdict(list)
    changes_by_band: defaultdict[Band, list[float]] = defaultdict(list)
    stream = rng.stream(rng.derive(request.seed, 1))
    try:
        for number in range(games):
            before = None
            shares = list(_round(game, rng.derive(request.seed, 2, number), stream))
            for turn, (belief, uniform) in enumerate(shares, 1):
                band = turn_band(turn)
                shares_by_band[band].append((number, belief, uniform))
                if before is not None:
                    changes_by_band[band].append(belief - before)
                before = belief
            request.report_progress(f"{number + 1} of {games} rounds")
    except KeyboardInterrupt:
        yield from _rows(shares_by_band, changes_by_band)
        raise
    yield from _rows(shares_by_band, changes_by_band)


def _rows(
    shares_by_band: dict[Band, list[tuple[int, float, float]]], changes_by_band: dict[Band, list[float]]
) -> Iterator[dict[str, Any]]:
    for band in sorted(shares_by_band):
        number, belief, uniform = np.array(shares_by_band[band]).T
        gain, interval = mean_gain(number, belief - uniform)
        steps = np.array(changes_by_band[band])
        yield {
            "rounds": len(np.unique(number)),
            "turns": list(band),
            "decisions": len(number),
            "correct": float(belief.mean()),
            "uniform": float(uniform.mean()),
            "gain": gain,
            "gain_ci95": None if interval is None else list(interval),
            "change": float(steps.mean()) if len(steps) else None,
            "decreased": float((steps < 0).mean()) if len(steps) else None,
        }
