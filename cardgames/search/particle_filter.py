"""Particle filter over hidden deals: the belief of one seat about the hidden cards, and determinizations drawn from it.

A filter keeps its particles from one decision to the next, so that it processes each event of a round only once.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames.core import ops
from cardgames.core.events import ACTION
from cardgames.core.game_definition import GameDefinition
from cardgames.core.kernel_policy import NO_WEIGHTS, Policy
from cardgames.core.observation import Observation
from cardgames.kernels import rng
from cardgames.search.particle_kernels import (
    align_particles,
    draw_particles,
    expected_counts,
    filter_events,
    systematic_sample,
)


@dataclass
class Particles:
    """Weighted particles (possible deals) after all events of an observation, and the belief computed from them."""

    states: NDArray[Any]
    """State records [n], each allowed by the observation."""
    weights: NDArray[np.float64]
    """Weights of the particles [n], which sum to 1."""
    effective_sample_size: float
    """(sum w)^2 / sum w^2 of the weights w after the last event that changed a weight, before resampling."""
    belief: NDArray[np.float64]
    """Expected number of cards of each kind in each player's hand ([players, card kinds] float64)."""


class _WeightedParticles(NamedTuple):
    """Particles, weights and random stream of a particle filter at one point of the event history."""

    states: NDArray[Any]
    weights: NDArray[np.float64]
    size: float
    """Effective sample size of the weights."""
    stream: Any

    def copy(self) -> "_WeightedParticles":
        return _WeightedParticles(self.states.copy(), self.weights.copy(), self.size, rng.stream(int(self.stream.rng)))


class _Snapshot(NamedTuple):
    """State of a particle filter just before the last action of a history: the events up to there, and the particles.

    A filter continues from it when the next observation extends that history.
    """

    player: int
    first: int
    origin: bytes
    events: NDArray[np.int32]
    cloud: _WeightedParticles

    def continues_in(self, observation: Observation, last_action_row: int) -> bool:
        """Return whether `observation` has the same viewer and start, and its events begin with those of this snapshot.

        Only the events before row `last_action_row`, that of the last action in `observation`, count.
        """
        rows = len(self.events)
        return (
            (self.player, self.first) == (observation.player, observation.first)
            and rows <= last_action_row
            and self.origin == observation.origin.tobytes()
            and np.array_equal(self.events, observation.events[:rows])
        )


class ParticleFilter:
    """Particle filter that infers hidden hands from the event history of an observation.

    The filter saves its particles just before the last action and continues from there if the next observation extends that
    history. The result is the same as that of filtering the whole history again, because no event up to an action is
    processed with knowledge of later events. Several threads may use one filter.

    Args:
        game: Game of the observations.
        count: Number of particles.
        mismatch_weight: Factor w_a, in (0, 1), by which a particle's weight is multiplied at each event that it contradicts.
        belief_policy: Policy that the other players are assumed to follow: its probability of each of their actions
            multiplies the weights too. With None actions are not weighted by probability.
        seed: Seed of the random stream.
    """

    def __init__(
        self,
        game: GameDefinition,
        count: int,
        mismatch_weight: float,
        belief_policy: Policy | None = None,
        seed: int = 0,
    ):
        self._game, self._mismatch_weight, self._seed = game, mismatch_weight, seed
        self._belief_policy = belief_policy or Policy(np.int64(-1), NO_WEIGHTS)
        self._count = count
        self._snapshot: _Snapshot | None = None

    def particles(self, observation: Observation) -> Particles:
        """Filter the events of `observation` and return the particles; each is a state that the observation allows."""
        # the snapshot is read once: another thread may replace it
        last_action_row, snapshot = _last_action_row(observation), self._snapshot
        if snapshot is not None and snapshot.continues_in(observation, last_action_row):
            cloud, row = snapshot.cloud.copy(), len(snapshot.events)
        else:
            cloud, row = self._draw_particles(observation), observation.first
        cloud = self._filter_events(cloud, observation, row, last_action_row)
        player, first, origin = observation.player, observation.first, observation.origin.tobytes()
        self._snapshot = _Snapshot(player, first, origin, observation.events[:last_action_row].copy(), cloud.copy())
        return self._align(
            self._filter_events(cloud, observation, last_action_row, len(observation.events)), observation
        )

    def _draw_particles(self, observation: Observation) -> _WeightedParticles:
        stream = rng.decision_stream(self._seed, observation.origin.tobytes())
        states, weights = np.zeros(self._count, self._game.state_dtype), np.zeros(self._count)
        draw_particles(self._game.kernel_rules, observation.origin, states, weights, stream)
        return _WeightedParticles(states, weights, float(self._count), stream)

    def _filter_events(
        self, cloud: _WeightedParticles, observation: Observation, first: int, end: int
    ) -> _WeightedParticles:
        """Process the events of `observation` in rows `first` to `end` (exclusive).

        All weights become equal before each event of a kind in the game's `belief.reset_events`.
        """
        event_kinds = observation.events[first:end, 0]
        for row in first + np.flatnonzero(np.isin(event_kinds, list(self._game.belief.reset_events))):
            cloud = self._reset_weights(self._filter_rows(cloud, observation, first, int(row)))
            first = int(row)
        return self._filter_rows(cloud, observation, first, end)

    def _reset_weights(self, cloud: _WeightedParticles) -> _WeightedParticles:
        cloud.weights[:] = 1 / self._count
        return cloud._replace(size=float(self._count))

    def _filter_rows(
        self, cloud: _WeightedParticles, observation: Observation, first: int, end: int
    ) -> _WeightedParticles:
        size = filter_events(
            self._game.kernel_rules,
            observation.events,
            first,
            end,
            observation.player,
            self._mismatch_weight,
            *self._belief_policy,
            cloud.states,
            cloud.weights,
            cloud.size,
            np.empty_like(cloud.states),
            np.empty(self._count, np.int64),
            cloud.stream,
        )
        return cloud._replace(size=float(size))

    def _align(self, cloud: _WeightedParticles, observation: Observation) -> Particles:
        """Change each particle to a state that the observation allows, and return the particles with their belief."""
        game = self._game
        align_particles(game.kernel_rules, observation.record, cloud.states, np.empty_like(cloud.states), cloud.stream)
        belief = np.zeros((game.num_players, len(game.belief.card_kinds)))
        expected_counts(game.kernel_rules, cloud.states, cloud.weights, belief)
        return Particles(cloud.states, cloud.weights, cloud.size, belief)


def _last_action_row(observation: Observation) -> int:
    """Return the row index, in `observation.events`, of the last action; `observation.first` if nobody has acted."""
    actions = np.flatnonzero(observation.events[observation.first :, 0] == ACTION)
    return observation.first + (int(actions[-1]) if len(actions) else 0)


def run_particle_filter(
    observation: Observation, count: int, mismatch_weight: float, stream: Any, belief_policy: Policy | None = None
) -> Particles:
    """Run a new particle filter of `count` particles on the whole history of an observation; return its particles.

    The other arguments are those of `ParticleFilter`; its seed is drawn from `stream`.
    """
    seed = int(rng.next_word(stream))
    return ParticleFilter(observation.game, count, mismatch_weight, belief_policy, seed).particles(observation)


def draw_roots(observation: Observation, particles: Particles | None, stream: Any, roots: NDArray[Any]) -> None:
    """Fill `roots` (states [n]) with determinizations.

    They are a systematic sample of `particles`. If `particles` is None, they are drawn uniformly from the deals that the
    observation allows.
    """
    if particles is None:
        for root in roots:
            ops.determinize(observation.game.kernel_rules, observation.record, stream, root)
        return
    indices = np.zeros(len(roots), np.int64)
    systematic_sample(particles.weights, rng.uniform(stream), indices)
    roots[:] = particles.states[indices]


def draw_filtered_roots(
    observation: Observation, count: int, mismatch_weight: float, stream: Any, roots: NDArray[Any]
) -> Particles | None:
    """Fill `roots` (states [n]) with determinizations from a particle filter of `count` particles; return the particles.

    With `count` 0 there is no filter: the determinizations are drawn uniformly from the possible deals, and the result is
    None.
    """
    particles = run_particle_filter(observation, count, mismatch_weight, stream) if count else None
    draw_roots(observation, particles, stream, roots)
    return particles
