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
from cardgames.search.particle_kernels import align_all, begin, choose, expected_hands, follow


@dataclass
class Particles:
    """The outcome of the filter."""

    states: NDArray[Any]
    weights: NDArray[np.float64]
    effective_sample_size: float
    belief: NDArray[np.float64]
    """[players, kinds] expected number of cards."""


class _Cloud(NamedTuple):
    """Particles as they are after so many rows of a history."""

    states: NDArray[Any]
    weights: NDArray[np.float64]
    size: float
    """The effective sample size."""
    stream: Any

    def copy(self) -> "_Cloud":
        return _Cloud(self.states.copy(), self.weights.copy(), self.size, rng.stream(int(self.stream.rng)))


class _Past(NamedTuple):
    """What a filter remembers: a history up to its last action, and the particles there."""

    player: int
    first: int
    origin: bytes
    events: NDArray[np.int32]
    cloud: _Cloud

    def continues_in(self, observation: Observation, cut: int) -> bool:
        rows = len(self.events)
        return (
            (self.player, self.first) == (observation.player, observation.first)
            and rows <= cut
            and self.origin == observation.origin.tobytes()
            and np.array_equal(self.events, observation.events[:rows])
        )


class ParticleFilter:
    """Follows the history of an observation with `count` particles.

    It remembers where it stood before the last action, and goes on from there if the next observation continues that
    history; what comes out is what following all of it anew gives. (No row up to an action is read with an eye on
    what comes after that action.) With a `chooser` the others' choices weigh particles too, by how likely that policy
    was to make them. Threads may ask one filter at once.
    """

    def __init__(self, game: GameDefinition, count: int, mistrust: float, chooser: Policy | None = None, seed: int = 0):
        self._game, self._mistrust, self._seed = game, mistrust, seed
        self._chooser = chooser or Policy(np.int64(-1), NO_WEIGHTS)
        self._count = count
        self._past: _Past | None = None

    def particles(self, observation: Observation) -> Particles:
        """Return particles for the end of an observation's history; they are states it allows."""
        cut, past = _last_action(observation), self._past  # which another thread may replace
        if past is not None and past.continues_in(observation, cut):
            cloud, row = past.cloud.copy(), len(past.events)
        else:
            cloud, row = self._begin(observation), observation.first
        cloud = self._follow(cloud, observation, row, cut)
        player, first, origin = observation.player, observation.first, observation.origin.tobytes()
        self._past = _Past(player, first, origin, observation.events[:cut].copy(), cloud.copy())
        return self._seen(self._follow(cloud, observation, cut, len(observation.events)), observation)

    def _begin(self, observation: Observation) -> _Cloud:
        stream = rng.stream_of(self._seed, observation.origin.tobytes())
        states, weights = np.zeros(self._count, self._game.state_dtype), np.zeros(self._count)
        begin(self._game.kernel_rules, observation.origin, states, weights, stream)
        return _Cloud(states, weights, float(self._count), stream)

    def _follow(self, cloud: _Cloud, observation: Observation, first: int, end: int) -> _Cloud:
        kinds = observation.events[first:end, 0]
        for row in first + np.flatnonzero(np.isin(kinds, list(self._game.belief.reset_events))):
            cloud = self._forget(self._follow_rows(cloud, observation, first, int(row)))
            first = int(row)
        return self._follow_rows(cloud, observation, first, end)

    def _forget(self, cloud: _Cloud) -> _Cloud:
        cloud.weights[:] = 1 / self._count
        return cloud._replace(size=float(self._count))

    def _follow_rows(self, cloud: _Cloud, observation: Observation, first: int, end: int) -> _Cloud:
        size = follow(
            self._game.kernel_rules,
            observation.events,
            first,
            end,
            observation.player,
            self._mistrust,
            *self._chooser,
            cloud.states,
            cloud.weights,
            cloud.size,
            np.empty_like(cloud.states),
            np.empty(self._count, np.int64),
            cloud.stream,
        )
        return cloud._replace(size=float(size))

    def _seen(self, cloud: _Cloud, observation: Observation) -> Particles:
        """Make the particles agree with what is seen now, and count what they hold."""
        game = self._game
        align_all(game.kernel_rules, observation.record, cloud.states, np.empty_like(cloud.states), cloud.stream)
        belief = np.zeros((game.num_players, len(game.belief.card_kinds)))
        expected_hands(game.kernel_rules, cloud.states, cloud.weights, belief)
        return Particles(cloud.states, cloud.weights, cloud.size, belief)


def _last_action(observation: Observation) -> int:
    """Return the row of the last action, the first row after the origin if nobody has acted."""
    actions = np.flatnonzero(observation.events[observation.first :, 0] == ACTION)
    return observation.first + (int(actions[-1]) if len(actions) else 0)


def filter_particles(
    observation: Observation, count: int, mistrust: float, stream: Any, chooser: Policy | None = None
) -> Particles:
    """Follow the history of one observation alone; see `ParticleFilter`."""
    seed = int(rng.next_word(stream))
    return ParticleFilter(observation.game, count, mistrust, chooser, seed).particles(observation)


def draw_roots(observation: Observation, particles: Particles | None, stream: Any, roots: NDArray[Any]) -> None:
    """Fill `roots` (states [n]) with determinizations: a systematic sample of the particles, or uniform without them."""
    if particles is None:
        for root in roots:
            ops.determinize(observation.game.kernel_rules, observation.record, stream, root)
        return
    chosen = np.zeros(len(roots), np.int64)
    choose(particles.weights, rng.uniform(stream), chosen)
    roots[:] = particles.states[chosen]


def filtered_roots(
    observation: Observation, count: int, mistrust: float, stream: Any, roots: NDArray[Any]
) -> Particles | None:
    """Fill `roots` (states [n]) with determinizations from `count` particles, which are returned; with 0, uniformly."""
    particles = filter_particles(observation, count, mistrust, stream) if count else None
    draw_roots(observation, particles, stream, roots)
    return particles
