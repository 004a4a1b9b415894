"""A search that grows many trees in lock step (`search.lockstep`) and has all their leaves evaluated in one call.

Since each tree has a random stream of its own, a search answers the same alone and among others.
"""

import time
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from cardgames.core import ops, rng
from cardgames.core.agents import Decision, Limit, forced
from cardgames.core.errors import InvalidInput, unknown
from cardgames.core.game import Game
from cardgames.core.observation import Observation
from cardgames.search.evaluators import Evaluator, PlayoutEvaluator, make_evaluator
from cardgames.search.inspect import report_of
from cardgames.search.lockstep import DEEPEST, back_up, select
from cardgames.search.mcts import Particles, filter_particles
from cardgames.search.particles import choose
from cardgames.search.report import visit_shares
from cardgames.search.settings import check_constants, read_options
from cardgames.search.tree import NODE, add_root

_CAPACITY = 256  # nodes a tree has room for to begin with


@dataclass(frozen=True)
class BatchedSettings:
    """The options of a batched search, those of one decision."""

    simulations: int = 500
    """In all, over the trees."""
    trees: int = 5
    leaves: int = 4
    """Walks in each tree between two evaluations."""
    c: float = 1.0
    """Exploration constant of paper 001's equation 1, for values in [0, 1]."""
    policy: str = "reflex"
    """The policy the other players are simulated with."""
    particles: int = 0
    """Of the filter that hidden cards are drawn from; 0: uniformly from all that the observation allows."""
    mistrust: float = 0.9
    """Weight w_a of an event a particle cannot explain."""

    def __post_init__(self) -> None:
        for name in ("simulations", "trees", "leaves"):
            if getattr(self, name) < 1:
                raise InvalidInput(f"{name} is a whole number from 1, not {getattr(self, name)}")
        if self.particles < 0:
            raise InvalidInput(f"particles is a whole number from 0, not {self.particles}")
        check_constants(self.c, self.mistrust)


@dataclass
class _Forest:
    """The trees of one decision."""

    trees: NDArray[Any]
    used: NDArray[np.int64]
    roots: NDArray[Any]


class _LockStep:
    """The arrays of a search of many decisions; decision d has the trees from `d * settings.trees` on."""

    def __init__(self, observations: Sequence[Observation], settings: BatchedSettings, simulations: int, seed: int):
        game, trees = observations[0].game, len(observations) * settings.trees
        self._game, self._settings = game, settings
        self._policy = game.policy(settings.policy)
        # the first trees take the rest of a budget the trees do not divide
        shares = [(simulations + settings.trees - 1 - i) // settings.trees for i in range(settings.trees)]
        self.left = np.array(shares * len(observations), np.int64)
        self._players = np.repeat(np.array([seen.player for seen in observations], np.int64), settings.trees)
        self._trees, self._used = np.zeros((trees, _CAPACITY), NODE), np.ones(trees, np.int64)
        self._roots, self._streams = np.zeros(trees, game.state_dtype), np.zeros(trees, rng.STREAM)
        for tree, player in zip(self._trees, self._players, strict=True):
            add_root(tree, player)
        self._particles = [self._draw(number, seen, seed) for number, seen in enumerate(observations)]
        most = trees * settings.leaves
        self._states, self._owners = np.zeros(most, game.state_dtype), np.zeros(most, np.int64)
        self._paths, self._depths = np.zeros((most, DEEPEST), np.int64), np.zeros(most, np.int64)
        self._legal = np.zeros(game.num_distinct_actions, np.int32)

    def _draw(self, number: int, observation: Observation, seed: int) -> Particles | None:
        """Give each tree of a decision its determinization and its random stream."""
        origin, forest = zlib.crc32(observation.to_bytes()), self.forest(number)
        stream = rng.stream(rng.derive(seed, origin))
        for i in range(self._settings.trees):
            self._streams["rng"][number * self._settings.trees + i] = rng.derive(seed, origin, i + 1)
        if self._settings.particles == 0:
            for root in forest.roots:
                ops.determinize(self._game.kernel_rules, observation.record, stream, root)
            return None
        particles = filter_particles(observation, self._settings.particles, self._settings.mistrust, stream)
        chosen = np.zeros(self._settings.trees, np.int64)
        choose(particles.weights, rng.uniform(stream), chosen)
        forest.roots[:] = particles.states[chosen]
        return particles

    def step(self, evaluator: Evaluator) -> None:
        """Walk every tree, have the leaves evaluated, and back their values up."""
        budgets = np.minimum(self.left, self._settings.leaves)
        self._make_room()
        n = select(
            self._game.kernel_rules,
            self._roots,
            self._players,
            self._trees,
            self._used,
            budgets,
            self._settings.c,
            *self._policy,
            self._streams,
            self._states,
            self._owners,
            self._paths,
            self._depths,
            self._legal,
        )
        values = evaluator.evaluate(self._states[:n], self._players[self._owners[:n]])
        back_up(self._trees, self._owners, self._paths, self._depths, values)
        self.left -= budgets

    def _make_room(self) -> None:
        """See that every tree has room for the nodes of one step."""
        capacity = self._trees.shape[1]
        if self._used.max() + self._settings.leaves > capacity:
            larger = np.zeros((len(self._trees), 2 * capacity + self._settings.leaves), NODE)
            larger[:, :capacity] = self._trees
            self._trees = larger

    def forest(self, decision: int) -> _Forest:
        """Return the trees of one decision."""
        mine = slice(decision * self._settings.trees, (decision + 1) * self._settings.trees)
        return _Forest(self._trees[mine], self._used[mine], self._roots[mine])

    def decision(self, number: int, observation: Observation, seconds: float, name: str) -> Decision:
        """Return the answer of one search, with its report."""
        forest = self.forest(number)
        simulations = int(forest.trees["visits"][:, 0].sum())
        particles = self._particles[number]
        report = report_of(name, observation, cast(Any, forest), simulations, seconds, particles, complete=True)
        best = report.best
        return Decision(best.action, visit_shares(report.actions), best.value, report)


def search_many(
    observations: Sequence[Observation],
    evaluator: Evaluator,
    settings: BatchedSettings | None = None,
    seed: int = 0,
    limit: Limit | None = None,
    name: str = "batched",
) -> list[Decision]:
    """Search all `observations` (of one game, their players to move) at once and return their decisions in order.

    Each is searched as it would be alone (torch may round otherwise in batches of another size); a `limit` in
    simulations is each one's, a limit in time that of all. The evaluator sees up to `len(observations) * trees * leaves`
    states a call. Raises `InvalidInput` for observations of different games, or without a legal action.
    """
    if not observations:
        return []
    settings = settings or BatchedSettings()
    game = observations[0].game
    if any((seen.game.name, seen.game.kernel_rules) != (game.name, game.kernel_rules) for seen in observations):
        raise InvalidInput("the observations of one search are of one game")
    if not all(seen.legal_actions for seen in observations):
        raise InvalidInput("a search is for a player who is to move")
    started = time.perf_counter()
    simulations, allowed = _budget(settings, limit)
    search = _LockStep(observations, settings, simulations, seed)
    while search.left.any():
        search.step(evaluator)
        if time.perf_counter() - started >= allowed:
            break
    seconds = time.perf_counter() - started
    return [search.decision(number, seen, seconds, name) for number, seen in enumerate(observations)]


def _budget(settings: BatchedSettings, limit: Limit | None) -> tuple[int, float]:
    """Return the simulations a decision and the seconds of all; who limits the time alone wants all that fit in."""
    if limit is None:
        return settings.simulations, np.inf
    untold = settings.simulations if limit.time is None else np.iinfo(np.int64).max
    simulations = untold if limit.simulations is None else max(1, limit.simulations)
    return int(simulations), np.inf if limit.time is None else limit.time


class BatchedAgent:
    """The batched search of one decision at a time."""

    def __init__(self, game: Game, seed: int, evaluator: Evaluator, settings: BatchedSettings, name: str = "batched"):
        self.name = name
        self._seed, self._evaluator, self._settings = seed, evaluator, settings

    def act(self, observation: Observation, limit: Limit | None = None) -> Decision:
        """Search and return the action with the most visits; a forced move is answered at once, without a search."""
        if (only := forced(observation)) is not None:
            return only
        return search_many([observation], self._evaluator, self._settings, self._seed, limit, self.name)[0]


def make_batched(game: Game, seed: int, network: str = "", device: str = "auto", **options: Any) -> BatchedAgent:
    """Return a batched search that asks the network in the file `network`, or (without one) plays its leaves out.

    `options` are those of `BatchedSettings`, as values or texts. Raises `InvalidInput`.
    """
    names = [field.name for field in fields(BatchedSettings)]
    for option in options:
        if option not in names:
            raise unknown("option", option, ["network", "device", *names])
    settings = BatchedSettings(**read_options(BatchedSettings, options))
    evaluator: Evaluator = PlayoutEvaluator(game, settings.policy)
    if network:
        evaluator = make_evaluator(game, network, device, batch=settings.trees * settings.leaves)
    return BatchedAgent(game, seed, evaluator, settings)
