"""Batched tree search: grow many trees in lockstep and evaluate all their leaves in one call.

The kernels are in `search.network_mcts.lockstep`. Each tree has its own random stream, so the search of a position gives the
same decision whether it runs alone or together with searches of other positions.
"""

import itertools
import time
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from cardgames.agents.agent import Decision, Limit, check_limit
from cardgames.agents.option_defaults import DerivedDefault
from cardgames.core.observation import Observation, check_is_observation
from cardgames.kernels import rng
from cardgames.networks.policy_lookup import find_policy
from cardgames.search.evaluators import Evaluator, check_evaluator_game, checked_values
from cardgames.search.network_mcts.lockstep import MAX_DEPTH, back_up_leaves, select_leaves
from cardgames.search.objective import value_scale
from cardgames.search.option_parsing import budget, check_constants, check_count
from cardgames.search.particle_filter import Particles, draw_filtered_roots
from cardgames.search.report import ConvergencePoint, SearchReport, decision_from_report
from cardgames.search.report_builder import ForestArrays, build_report
from cardgames.search.tree import NODE, add_root, with_capacity
from cardgames.support.errors import InvalidInput

_CONVERGENCE_POINTS = 50
_MAX_LEAVES = 1_000_000  # per decision in one evaluator call
_INITIAL_CAPACITY = 256  # nodes per tree


@dataclass(frozen=True)
class BatchedSettings:
    """Options of a batched search (many trees at once); the numbers apply to each decision.

    Raises:
        InvalidInput: If a value is out of range.
    """

    simulations: int = 500
    """Number of simulations, over all trees."""
    trees: int = 5
    """Number of trees, each with its own determinization."""
    leaves: int = 4
    """Number of leaves that are collected in each tree before they are evaluated together."""
    c: float = 1.0
    """Exploration constant of paper 001's equation 1, for values in [0, 1]."""
    playout: Annotated[str, DerivedDefault(lambda game: game.default_policy)] = ""
    """Policy of the other players, and rollout policy for leaves without a network value; by default the game's."""
    particles: int = 0
    """Number of particles of the particle filter; 0 for determinizations uniform over the possible deals, without filter."""
    mismatch_weight: float = 0.9
    """Factor w_a by which a particle's weight is multiplied at each observed event that the particle contradicts."""
    exact: bool = True
    """True to decide without a search where a win is certain, one deal is left or the game has fitted values (`Prover`)."""

    def __post_init__(self) -> None:
        for name in ("simulations", "trees", "leaves"):
            check_count(name, getattr(self, name))
        check_count("particles", self.particles, minimum=0)
        if self.trees * self.leaves > _MAX_LEAVES:
            raise InvalidInput(f"trees times leaves is at most {_MAX_LEAVES:,}, not {self.trees * self.leaves:,}")
        check_constants(self.c, self.mismatch_weight)


class BatchedSearch:
    """Search for several decisions (observations) at once, whose trees grow in lockstep and share evaluator calls.

    The trees of decision d start at index `d * settings.trees`. Other threads may call `stop` and `report` meanwhile.
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
        # if the number of trees does not divide the budget, the first trees run one simulation more
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
        max_leaves = trees * settings.leaves
        self._states, self._owners = np.zeros(max_leaves, game.state_dtype), np.zeros(max_leaves, np.int64)
        self._paths, self._depths = np.zeros((max_leaves, MAX_DEPTH), np.int64), np.zeros(max_leaves, np.int64)
        self._legal = np.zeros(game.max_legal_actions, np.int32)
        self._num_pending = 0
        """Number of leaves that the evaluator is working on; meanwhile each one counts as a visit of value 0."""

    def _draw_roots(self, number: int, observation: Observation, seed: int) -> Particles | None:
        """Set determinization and random stream of each tree of the decision with index `number`.

        Returns:
            The particles that the determinizations come from, None if they are uniform.
        """
        origin, forest = zlib.crc32(observation.to_bytes()), self.forest(number)
        stream = rng.stream(rng.derive(seed, origin))
        for i in range(self._settings.trees):
            self._streams["rng"][number * self._settings.trees + i] = rng.derive(seed, origin, i + 1)
        return draw_filtered_roots(
            observation, self._settings.particles, self._settings.mismatch_weight, stream, forest.roots
        )

    def run(self, evaluator: Evaluator, on_progress: Callable[[], None] | None = None) -> None:
        """Search until the budget of simulations or the time runs out.

        Args:
            evaluator: Evaluator of the leaves.
            on_progress: Called about `_CONVERGENCE_POINTS` times during the search; with a time limit, after every
                evaluation.

        Raises:
            InvalidInput: If the evaluator is for another game.
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
        """Make `run` return after the present round of leaves is evaluated; to be called from another thread."""
        self._stopped = True

    def _step(self, evaluator: Evaluator) -> None:
        """Run up to `settings.leaves` simulations in every tree: select leaves, evaluate all at once, back up the values."""
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
        """Enlarge the arrays of all trees if a tree lacks room for `settings.leaves` new nodes."""
        capacity = self._trees.shape[1]
        if self._num_nodes.max() + self._settings.leaves > capacity:
            self._trees = with_capacity(self._trees, 2 * capacity + self._settings.leaves)

    def forest(self, decision: int) -> ForestArrays:
        """Return views of the trees and determinizations of the decision with index `decision`."""
        own_trees = slice(decision * self._settings.trees, (decision + 1) * self._settings.trees)
        roots = self._roots[own_trees]
        scale = value_scale(self._game, roots[0], "win")
        return ForestArrays(self._trees[own_trees], self._num_nodes[own_trees], roots, scale)

    def _without_pending(self, number: int) -> ForestArrays:
        """Return copies of the trees of the decision with index `number`.

        The visits of leaves that are still being evaluated (virtual losses) are subtracted.
        """
        # read before the trees: these may grow meanwhile, but still hold all nodes of a path that was read earlier
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
        """Return the search report for the decision with index `number`, under the agent's name `name`.

        With `complete` the search must be finished, and the report gives access to the trees. `convergence` is included.
        """
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
    """Search from several observations at once and return one decision for each of them, in the same order.

    The decisions are the same as in separate searches, except that torch may round differently in batches of another size.

    Args:
        observations: Observations of one game, whose players are to move.
        evaluator: Evaluator of the leaves; it gets up to `len(observations) * settings.trees * settings.leaves` states
            per call.
        settings: Options of the search, the defaults if None.
        seed: Seed of the random streams.
        limit: Limit on the simulations for each observation, and on the time of the whole call.

    Raises:
        InvalidInput: If the observations are of different games, or one has no legal action.
    """
    if not observations:
        return []
    search = BatchedSearch(observations, settings or BatchedSettings(), seed, limit)
    search.run(evaluator)
    return [
        decision_from_report(search.report(number, "batched", complete=True)) for number in range(len(observations))
    ]


def _check_observations(observations: Sequence[Observation]) -> None:
    """Raise `InvalidInput` unless all `observations` are of the same game and have legal actions."""
    for observation in observations:
        check_is_observation(observation)
    game = observations[0].game
    if not all(observation.game.is_same_game(game) for observation in observations):
        raise InvalidInput("the observations of one search must be of the same game")
    if not all(observation.legal_actions for observation in observations):
        raise InvalidInput("a search needs a player who is to move")
