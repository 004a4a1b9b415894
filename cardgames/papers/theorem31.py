"""Paper 001, theorem 3.1, measured: does the share of correct hidden cards in the particles grow with evidence?

The theorem says that the probability of the true hidden hands does not decrease with an update. Measured is the expected
share of an opponent's cards that the particles have right, at every decision of seat 0 in rounds between reflex players,
beside the same share for hands dealt uniformly from the unseen cards at that moment.
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
"""Turns of a player, which knows the more the later."""
_NUM_PARTICLES, _MISTRUST = 100, 0.9
_ROUNDS, _QUICK_ROUNDS = 100, 10


def turn_band(turn: int) -> Band:
    """Return the band in which a player's turn lies, from 1."""
    return next(band for band in _BANDS if band[0] <= turn <= band[1])


def mean_gain(numbers: NDArray[np.float64], gains: NDArray[np.float64]) -> tuple[float, Interval | None]:
    """Return the mean gain of some decisions, each in the round of a number, and its interval over rounds: decisions of one
    hang together. From one round, or from equal ones, there is none.
    """
    _, rounds, counts = np.unique(numbers, return_inverse=True, return_counts=True)
    gain, interval = clustered_mean(np.bincount(rounds, gains).tolist(), counts.tolist())
    return gain, None if interval == UNBOUNDED else interval


def _counts(game: GameDefinition, record: Any, seat: int) -> NDArray[np.float64]:
    """Return how many cards of each kind a hand holds."""
    counts = np.zeros(len(game.belief.card_kinds))
    ops.accumulate_card_counts(game.kernel_rules, record, seat, 1.0, counts)
    return counts


def _correct_share(observation: Observation, truth: Any, states: Any, weights: Any) -> float:
    """Return the expected share of the others' cards that the `states` have right."""
    game, right, cards = observation.game, 0.0, 0.0
    for seat in range(game.num_players):
        if seat != observation.player:
            true = _counts(game, truth, seat)
            cards += true.sum()
            for state, weight in zip(states, weights, strict=True):
                right += weight * np.minimum(true, _counts(game, state, seat)).sum()
    return float(right / cards)


def _shares(observation: Observation, truth: Any, stream: Any) -> tuple[float, float]:
    """Return the filter's share and that of uniform hands."""
    particles = run_particle_filter(observation, _NUM_PARTICLES, _MISTRUST, stream)
    uniform = np.zeros(_NUM_PARTICLES, observation.game.state_dtype)
    draw_roots(observation, None, stream, uniform)
    even = np.full(_NUM_PARTICLES, 1.0 / _NUM_PARTICLES)
    return (
        _correct_share(observation, truth, particles.states, particles.weights),
        _correct_share(observation, truth, uniform, even),
    )


def _round(game: Game, seed: int, stream: Any) -> Iterator[tuple[float, float]]:
    state = game.new_initial_state(seed=seed)
    players = [agent("reflex", game, rng.derive(seed, seat)) for seat in range(game.num_players)]
    while not state.is_terminal():
        if state.current_player() == 0:
            yield _shares(state.observation(), state.record, stream)
        state.apply_action(players[state.current_player()].act(state.observation()).action)


def run(request: Request) -> Iterator[dict[str, Any]]:
    """Measure over 100 rounds unless told, of two players under the rules `rlcard`; yield a row a band of turns, each with
    the number of rounds that came to it; Ctrl-C ends it with those of the rounds finished.

    `change` is the mean change of the filter's share from one decision to the next, `fell` how often it fell. Decisions of
    one round are not independent; from one round no interval is known.
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
