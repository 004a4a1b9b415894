"""What a seat believes of the hidden cards: the particle filter over its history, carried on from decision to decision."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames.core import ops
from cardgames.core.events import ACTION
from cardgames.core.game_definition import GameDefinition
from cardgames.core.observation import Observation
from cardgames.core.policy import NO_WEIGHTS, Policy
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
    """The outcome of the filter."""

    states: NDArray[Any]
    weights: NDArray[np.float64]
    effective_sample_size: float
    belief: NDArray[np.float64]
    """[players, kinds] expected number of cards."""


class _WeightedParticles(NamedTuple):
    """Particles as they are after so many rows of a history."""

    states: NDArray[Any]
    weights: NDArray[np.float64]
    size: float
    """The effective sample size."""
    stream: Any

    def copy(self) -> "_WeightedParticles":
        return _WeightedParticles(self.states.copy(), self.weights.copy(), self.size, rng.stream(int(self.stream.rng)))


class _Snapshot(NamedTuple):
    """What a filter remembers: a history up to its last action, and the particles there."""

    player: int
    first: int
    origin: bytes
    events: NDArray[np.int32]
    cloud: _WeightedParticles

    def continues_in(self, observation: Observation, last_action_row: int) -> bool:
        rows = len(self.events)
        return (
            (self.player, self.first) == (observation.player, observation.first)
            and rows <= last_action_row
            and self.origin == observation.origin.tobytes()
            and np.array_equal(self.events, observation.events[:rows])
        )


class ParticleFilter:
    """Follows the history of an observation with `count` particles.

    It remembers where it stood before the last action, and goes on from there if the next observation continues that
    history; what comes out is what following all of it anew gives. (No row up to an action is read with an eye on
    what comes after that action.) With a `belief_policy` the others' choices weigh particles too, by how likely that policy
    was to make them. Threads may ask one filter at once.
    """

    def __init__(
        self,
        game: GameDefinition,
        count: int,
        mismatch_weight: float,
        belief_policy: Policy | None = None,
        seed: int = 0,
    ):
        self._game, self._mistrust, self._seed = game, mismatch_weight, seed
        self._belief_policy = belief_policy or Policy(np.int64(-1), NO_WEIGHTS)
        self._count = count
        self._snapshot: _Snapshot | None = None

    def particles(self, observation: Observation) -> Particles:
        """Return particles for the end of an observation's history; they are states it allows."""
        last_action_row, snapshot = _last_action_row(observation), self._snapshot  # which another thread may replace
        if snapshot is not None and snapshot.continues_in(observation, last_action_row):
            cloud, row = snapshot.cloud.copy(), len(snapshot.events)
        else:
            cloud, row = self._draw_particles(observation), observation.first
        cloud = self._filter_events(cloud, observation, row, last_action_row)
        player, first, origin = observation.player, observation.first, observation.origin.tobytes()
        self._snapshot = _Snapshot(player, first, origin, observation.events[:last_action_row].copy(), cloud.copy())
        return self._aligned(
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
        card_kinds = observation.events[first:end, 0]
        for row in first + np.flatnonzero(np.isin(card_kinds, list(self._game.belief.reset_events))):
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
            self._mistrust,
            *self._belief_policy,
            cloud.states,
            cloud.weights,
            cloud.size,
            np.empty_like(cloud.states),
            np.empty(self._count, np.int64),
            cloud.stream,
        )
        return cloud._replace(size=float(size))

    def _aligned(self, cloud: _WeightedParticles, observation: Observation) -> Particles:
        """Make the particles agree with what is seen now, and count what they hold."""
        game = self._game
        align_particles(game.kernel_rules, observation.record, cloud.states, np.empty_like(cloud.states), cloud.stream)
        belief = np.zeros((game.num_players, len(game.belief.card_kinds)))
        expected_counts(game.kernel_rules, cloud.states, cloud.weights, belief)
        return Particles(cloud.states, cloud.weights, cloud.size, belief)


def _last_action_row(observation: Observation) -> int:
    """Return the row of the last action, the first row after the origin if nobody has acted."""
    actions = np.flatnonzero(observation.events[observation.first :, 0] == ACTION)
    return observation.first + (int(actions[-1]) if len(actions) else 0)


def run_particle_filter(
    observation: Observation, count: int, mismatch_weight: float, stream: Any, belief_policy: Policy | None = None
) -> Particles:
    """Follow the history of one observation alone; see `ParticleFilter`."""
    seed = int(rng.next_word(stream))
    return ParticleFilter(observation.game, count, mismatch_weight, belief_policy, seed).particles(observation)


def draw_roots(observation: Observation, particles: Particles | None, stream: Any, roots: NDArray[Any]) -> None:
    """Fill `roots` (states [n]) with determinizations: a systematic sample of the particles, or uniform without them."""
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
    """Fill `roots` (states [n]) with determinizations from `count` particles, which are returned; with 0, uniformly."""
    particles = run_particle_filter(observation, count, mismatch_weight, stream) if count else None
    draw_roots(observation, particles, stream, roots)
    return particles
