"""Ratings in Elo points: a Bradley-Terry model fitted to the games of a round robin, with intervals over deals.

The model gives each agent a strength, and an agent beats another one with the probability s / (s + t), where s and t are
their strengths. A rating is 400 log10 of the strength. The package `choix` fits the model (extra `ratings`).

Sources: R. A. Bradley, M. E. Terry, "Rank Analysis of Incomplete Block Designs", 1952; A. E. Elo, "The Rating of
Chessplayers, Past and Present", 1978.
"""

import datetime
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import cardgames
from cardgames.agents.agent_ratings import AgentRating, RatingTable
from cardgames.arena.decision_times import DecisionTimes
from cardgames.arena.results import MatchResult
from cardgames.core.game import Game
from cardgames.kernels import rng
from cardgames.support.errors import InvalidInput
from cardgames.support.machine_description import describe_machine

_ALPHA = 0.01
"""Regularization of the fit: transition rate that `choix` adds between every two agents.

Without it an agent that won or lost all its games would have an infinite rating. It counts for much less than a game.
"""
_RESAMPLES = 1_000
_POINTS = 400 / math.log(10)
"""Elo points per unit of the natural logarithm of a strength."""


class PairScores(NamedTuple):
    """Result of the match of two agents, deal by deal."""

    first: str
    second: str
    deal_scores: tuple[int, ...]
    """Number of deals by the score of `first` in half points (see `MatchResult.deal_scores`)."""

    @property
    def games(self) -> int:
        """Number of games played."""
        return sum(self.deal_scores) * (len(self.deal_scores) - 1) // 2


def pair_scores(result: MatchResult) -> list[PairScores]:
    """Return the results of a round robin, pair by pair."""
    return [PairScores(pair.agents[0].name, pair.agents[1].name, pair.deal_scores) for pair in result.pairs]


def check_rated(names: Sequence[str], anchor: str) -> None:
    """Check the agents of a round robin for ratings.

    Raises:
        InvalidInput: If an agent is named twice, or the anchor is not among the agents, or `choix` is not installed.
    """
    for name in names:
        if names.count(name) > 1:
            raise InvalidInput(f"{name} is named twice: an agent has one rating")
    if anchor not in names:
        raise InvalidInput(
            f"ratings count from {anchor}, which is not among the agents: add it, or choose another anchor"
        )
    _choix()


def fit_ratings(
    names: Sequence[str],
    pairs: Sequence[PairScores],
    anchor: str = "random",
    seed: int = 0,
    resamples: int = _RESAMPLES,
) -> tuple[AgentRating, ...]:
    """Fit ratings to the games of a round robin.

    Each match of two agents counts by itself, however many seats the game has: in Dou Di Zhu an agent plays alone against
    two copies of the other one, and then the other way round. A game is won by the agent that has a seat that won. A void
    game is half a win for both. If both agents have such a seat, which happens after an auction, the greater payoff decides.

    Intervals are percentiles over `resamples` fits. Each fit has as many deals of every pair, drawn with replacement, since
    games on the same deal are correlated. If all deals of a pair ended alike, they are drawn from these deals and two half
    deals, one won by each agent, so that their result is not taken for certain. Source: B. Efron, R. J. Tibshirani, "An
    Introduction to the Bootstrap", 1993, chapters 8 and 13.

    An agent that won or lost all its games gets a finite rating, which depends on the regularization of the fit: read it as
    a bound.

    Args:
        names: Names of the agents.
        pairs: Results of the matches played; a pair may be missing.
        anchor: Name of the agent whose rating is 0.
        seed: Seed of the resampling.
        resamples: Number of fits for the intervals.

    Returns:
        The ratings, the strongest agent first. Last are those without a rating, which no chain of games connects with
        the anchor.

    Raises:
        InvalidInput: If an agent is named twice, the anchor is not among the agents, or `choix` is not installed.
    """
    check_rated(names, anchor)
    pairs = [pair for pair in pairs if pair.games]
    connected = _connected(anchor, pairs)
    rated = [name for name in names if name in connected]
    index = {name: place for place, name in enumerate(rated)}
    kept = [pair for pair in pairs if pair.first in connected]
    wins = _win_matrix(index, kept, [np.array(pair.deal_scores, np.float64) for pair in kept])
    logs = _fit(wins)
    generator = np.random.default_rng(rng.derive(rng.check_seed(seed), 1))
    fits = np.array([_fit(_win_matrix(index, kept, _resample(kept, generator)), logs) for _ in range(resamples)])
    fits = _POINTS * (fits - fits[:, [index[anchor]]])
    low, high = np.percentile(fits, (2.5, 97.5), axis=0)
    points = _POINTS * (logs - logs[index[anchor]])
    played, scored = wins.sum(axis=0) + wins.sum(axis=1), wins.sum(axis=1)
    ratings = [
        AgentRating(
            name,
            float(points[i]),
            (float(low[i]), float(high[i])),
            round(played[i]),
            float(scored[i] / played[i]) if played[i] else None,
        )
        for name, i in index.items()
    ]
    ratings.sort(key=lambda entry: -(entry.rating or 0.0))
    return (*ratings, *(AgentRating(name, None, None, 0, None) for name in names if name not in connected))


def rating_table(
    game: Game,
    names: Sequence[str],
    pairs: Sequence[PairScores],
    anchor: str,
    seed: int,
    command: str,
    times: Mapping[str, DecisionTimes],
) -> RatingTable:
    """Fit ratings (`fit_ratings`) and return them as a table that says how they were measured, today and on this machine.

    Args:
        game: Game played.
        names: Names of the agents.
        pairs: Results of the matches played.
        anchor: Name of the agent whose rating is 0.
        seed: Seed of the matches, which also is that of the resampling.
        command: Command that repeats the measurement.
        times: Times of decisions by the name of the agent; an agent may be missing.

    Raises:
        InvalidInput: See `fit_ratings`.
    """
    entries = fit_ratings(names, pairs, anchor, seed)
    return RatingTable(
        game=game.name,
        rules=game.rules.name_and_hash(),
        players=game.num_players,
        anchor=anchor,
        command=command,
        seed=seed,
        games=sum(pair.games for pair in pairs),
        version=cardgames.__version__,
        machine=describe_machine(),
        date=datetime.date.today().isoformat(),
        agents=tuple(_timed(entry, times.get(entry.name)) for entry in entries),
    )


def _timed(entry: AgentRating, times: DecisionTimes | None) -> AgentRating:
    return entry if times is None else replace(entry, ms_per_decision=times.mean_ms, median_ms=times.median_ms)


def _connected(anchor: str, pairs: Sequence[PairScores]) -> set[str]:
    """Return the agents that a chain of played pairs connects with the anchor, and the anchor."""
    found = {anchor}
    while more := {name for pair in pairs if {*pair[:2]} & found for name in pair[:2]} - found:
        found |= more
    return found


def _win_matrix(
    index: dict[str, int], pairs: Sequence[PairScores], deal_scores: Sequence[NDArray[Any]]
) -> NDArray[np.float64]:
    """Return how many games each agent won against each other one, float64 [winner, loser]; a void game is half a win.

    `deal_scores[k]` replaces the numbers of deals of `pairs[k]`.
    """
    wins = np.zeros((len(index), len(index)))
    for pair, counts in zip(pairs, deal_scores, strict=True):
        points, most = np.arange(len(counts)) / 2, (len(counts) - 1) / 2
        first, second = index[pair.first], index[pair.second]
        wins[first, second] += counts @ points
        wins[second, first] += counts @ (most - points)
    return wins


def _resample(pairs: Sequence[PairScores], generator: np.random.Generator) -> list[NDArray[np.int64]]:
    """Draw the deals of each pair with replacement, if all ended alike from these and half a deal at either end."""
    drawn = []
    for pair in pairs:
        weights = np.array(pair.deal_scores, np.float64)
        if np.count_nonzero(weights) == 1:
            weights[[0, -1]] += 0.5
        drawn.append(generator.multinomial(sum(pair.deal_scores), weights / weights.sum()))
    return drawn


def _choix() -> Any:
    try:
        import choix
    except ImportError:
        raise InvalidInput("ratings need the package choix: pip install 'cardgames[ratings]'") from None
    return choix


def _fit(wins: NDArray[np.float64], start: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
    """Return the natural logarithms of the strengths that fit `wins` [winner, loser] best, float64 [agents].

    Args:
        wins: Number of games each agent won against each other one.
        start: Logarithms from which the fit begins; None for equal strengths.

    Source: L. Maystre, M. Grossglauser, "Fast and Accurate Inference of Plackett-Luce Models", 2015 (I-LSR).
    """
    if len(wins) == 1:
        return np.zeros(1)
    fitted: NDArray[np.float64] = _choix().ilsr_pairwise_dense(
        wins, alpha=_ALPHA, initial_params=start, max_iter=10_000
    )
    return fitted
