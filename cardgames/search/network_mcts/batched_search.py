"""A search that grows many trees in lock step (`search.network_mcts.lockstep`) and has all their leaves evaluated in one call.

Since each tree has a random stream of its own, a search answers the same alone and among others.
"""

import itertools
import time
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from cardgames.agents.agent import Decision, Limit, check_limit
from cardgames.core.observation import Observation, check_is_observation
from cardgames.kernels import rng
from cardgames.networks.policy_lookup import find_policy
from cardgames.search.evaluators import Evaluator, check_evaluator_game, checked_values
from cardgames.search.network_mcts.lockstep import MAX_DEPTH, back_up_leaves, select_leaves
from cardgames.search.options import budget, check_constants, check_count
from cardgames.search.particle_filter import Particles, draw_filtered_roots
from cardgames.search.report import ConvergencePoint, SearchReport, decision_from_report
from cardgames.search.report_builder import ForestArrays, build_report
from cardgames.search.tree import NODE, add_root, with_capacity
from cardgames.support.errors import InvalidInput

_CONVERGENCE_POINTS = 50
_MAX_LEAVES = 1_000_000  # judged in one call
_INITIAL_CAPACITY = 256  # nodes a tree has room for to begin with


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
    playout: str = ""
    """The policy the other players are simulated with, and that plays leaves out where no network judges them; the game's
    pacemaker if not given.
    """
    particles: int = 0
    """Of the filter that hidden cards are drawn from; 0: uniformly from all that the observation allows."""
    mismatch_weight: float = 0.9
    """Weight w_a of an event a particle cannot explain."""

    def __post_init__(self) -> None:
        for name in ("simulations", "trees", "leaves"):
            check_count(name, getattr(self, name))
        check_count("particles", self.particles, minimum=0)
        if self.trees * self.leaves > _MAX_LEAVES:
            raise InvalidInput(f"trees times leaves is at most {_MAX_LEAVES:,}, not {self.trees * self.leaves:,}")
        check_constants(self.c, self.mismatch_weight)


class BatchedSearch:
    """A search of many decisions; decision d has the trees from `d * settings.trees` on.

    `stop` and `report` may be called from other threads while it runs.
    """

    def __init__(
        self, observations: Sequence[Observation], settings: BatchedSettings, seed: int, limit: Limit | None = None
    ):
        self._started, self._ended = time.perf_counter(), np.inf
        _check_observations(observations)
        check_limit(limit)
        game, trees = observations[0].game, len(observations) * settings.trees
        simulations, seconds = budget(settings.simulations, limit)
        self._deadline, self._stopped = self._started + seconds, False
        self._observations = observations
        self._game, self._settings = game, settings
        self._policy = find_policy(game, settings.playout or game.default_policy, "playout")
        # the first trees take the rest of a budget the trees do not divide
        shares = [(simulations + settings.trees - 1 - i) // settings.trees for i in range(settings.trees)]
        self._remaining = np.array(shares * len(observations), np.int64)
        self._players = np.repeat(
            np.array([observation.player for observation in observations], np.int64), settings.trees
        )
        self._trees, self._num_nodes = np.zeros((trees, _INITIAL_CAPACITY), NODE), np.ones(trees, np.int64)
        self._roots, self._streams = np.zeros(trees, game.state_dtype), np.zeros(trees, rng.STREAM)
        for tree, player in zip(self._trees, self._players, strict=True):
            add_root(tree, player)
        self._particles = [
            self._draw_roots(number, observation, seed) for number, observation in enumerate(observations)
        ]
        most = trees * settings.leaves
        self._states, self._owners = np.zeros(most, game.state_dtype), np.zeros(most, np.int64)
        self._paths, self._depths = np.zeros((most, MAX_DEPTH), np.int64), np.zeros(most, np.int64)
        self._legal = np.zeros(game.max_legal_actions, np.int32)
        self._num_pending = 0
        """How many leaves are being evaluated: until then they count as lost."""

    def _draw_roots(self, number: int, observation: Observation, seed: int) -> Particles | None:
        """Give each tree of a decision its determinization and its random stream."""
        origin, forest = zlib.crc32(observation.to_bytes()), self.forest(number)
        stream = rng.stream(rng.derive(seed, origin))
        for i in range(self._settings.trees):
            self._streams["rng"][number * self._settings.trees + i] = rng.derive(seed, origin, i + 1)
        return draw_filtered_roots(
            observation, self._settings.particles, self._settings.mismatch_weight, stream, forest.roots
        )

    def run(self, evaluator: Evaluator, on_progress: Callable[[], None] | None = None) -> None:
        """Step until budget or time are spent; `on_progress` is called after each of about `_CONVERGENCE_POINTS` steps, with a limit in time
        after every one. Raises `InvalidInput` for an evaluator of another game.
        """
        check_evaluator_game(evaluator, self._game)
        steps = int(self._remaining.max()) // self._settings.leaves
        every = max(1, steps // _CONVERGENCE_POINTS) if self._deadline == np.inf else 1
        for number in itertools.count(1):
            self._step(evaluator)
            done = not self._remaining.any() or self._stopped or time.perf_counter() >= self._deadline
            if on_progress is not None and (done or number % every == 0):
                on_progress()
            if done:
                break
        self._ended = time.perf_counter()

    def stop(self) -> None:
        """End `run` after the step it is at."""
        self._stopped = True

    def _step(self, evaluator: Evaluator) -> None:
        """Walk every tree, have the leaves evaluated, and back their values up."""
        budgets = np.minimum(self._remaining, self._settings.leaves)
        self._ensure_capacity()
        n = select_leaves(
            self._game.kernel_rules,
            self._roots,
            self._players,
            self._trees,
            self._num_nodes,
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
        self._num_pending = n
        values = checked_values(evaluator, self._states[:n], self._players[self._owners[:n]])
        self._num_pending = 0
        back_up_leaves(self._trees, self._owners, self._paths, self._depths, values)
        self._remaining -= budgets

    def _ensure_capacity(self) -> None:
        """See that every tree has room for the nodes of one step."""
        capacity = self._trees.shape[1]
        if self._num_nodes.max() + self._settings.leaves > capacity:
            self._trees = with_capacity(self._trees, 2 * capacity + self._settings.leaves)

    def forest(self, decision: int) -> ForestArrays:
        """Return the trees of one decision."""
        mine = slice(decision * self._settings.trees, (decision + 1) * self._settings.trees)
        return ForestArrays(self._trees[mine], self._num_nodes[mine], self._roots[mine])

    def _without_pending(self, number: int) -> ForestArrays:
        """Return copies of the trees of one decision as if the leaves that are being evaluated had not been walked to."""
        # before the trees: these may grow meanwhile, and then hold all nodes of a path that was read earlier
        num_pending = self._num_pending
        owners, depths, paths = (part[:num_pending].copy() for part in (self._owners, self._depths, self._paths))
        forest, first = self.forest(number), number * self._settings.trees
        trees = forest.trees.copy()
        for owner, depth, path_of_leaf in zip(owners, depths, paths, strict=True):
            tree = owner - first
            if 0 <= tree < len(trees):
                visits = trees["visits"][tree]
                path = path_of_leaf[:depth]
                visits[path] = np.maximum(visits[path] - 1, 0)
        return replace(forest, trees=trees)

    def report(
        self, number: int, name: str, *, complete: bool, convergence: Sequence[ConvergencePoint] = ()
    ) -> SearchReport:
        """Return what the search of one decision has to say of itself."""
        forest = self.forest(number) if complete else self._without_pending(number)
        return build_report(
            name,
            self._observations[number],
            forest,
            int(forest.trees["visits"][:, 0].sum()),
            min(time.perf_counter(), self._ended) - self._started,
            self._particles[number],
            complete=complete,
            convergence=convergence,
        )


def search_many(
    observations: Sequence[Observation],
    evaluator: Evaluator,
    settings: BatchedSettings | None = None,
    seed: int = 0,
    limit: Limit | None = None,
) -> list[Decision]:
    """Search all `observations` (of one game, their players to move) at once and return their decisions in order.

    Each is searched as it would be alone (torch may round otherwise in batches of another size); a `limit` in
    simulations is each one's, a limit in time that of all. The evaluator sees up to `len(observations) * trees * leaves`
    states a call. Raises `InvalidInput` for observations of different games, or without a legal action.
    """
    if not observations:
        return []
    search = BatchedSearch(observations, settings or BatchedSettings(), seed, limit)
    search.run(evaluator)
    return [
        decision_from_report(search.report(number, "batched", complete=True)) for number in range(len(observations))
    ]


def _check_observations(observations: Sequence[Observation]) -> None:
    """Raise `InvalidInput` unless the observations can be searched together."""
    for observation in observations:
        check_is_observation(observation)
    game = observations[0].game
    if not all(observation.game.is_same_game(game) for observation in observations):
        raise InvalidInput("the observations of one search are of one game")
    if not all(observation.legal_actions for observation in observations):
        raise InvalidInput("a search is for a player who is to move")
