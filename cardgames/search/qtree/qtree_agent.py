"""The agent `q-tree`: one single-player tree (paper 000, Algorithm 1) over many determinizations of hidden cards."""

import time
import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames.agents.agent import Decision, Limit
from cardgames.agents.policy_agent import PolicyAgent
from cardgames.core.encoding import sees_hidden
from cardgames.core.game import Game
from cardgames.core.observation import Observation
from cardgames.core.state import State
from cardgames.kernels import rng
from cardgames.networks.policy_lookup import find_policy
from cardgames.search.evaluators import DEVICE_DEFAULT, Evaluator, PlayoutEvaluator, make_evaluator
from cardgames.search.mcts.cheating_agents import TrueStateSearcher
from cardgames.search.objective import value_scale
from cardgames.search.option_parsing import (
    budget,
    check_constants,
    check_count,
    check_dependent_options,
    check_network,
    read_options,
)
from cardgames.search.particle_filter import Particles, draw_filtered_roots
from cardgames.search.qtree.batched_qtree import QForest, QForestSettings
from cardgames.search.report import ConvergencePoint, SearchReport, visit_shares
from cardgames.search.report_builder import ForestArrays, build_report, convergence_point
from cardgames.search.searcher import Searcher
from cardgames.support.errors import InvalidInput

_MAX_ROOTS = 1000
"""Largest number of determinizations per search.

With more simulations the determinizations are used again, in turn, each time with a newly shuffled draw pile.
"""
_ROOTS_PER_SECOND = 2000
"""Largest number of determinizations per second of a time limit; drawing that many takes about a tenth of the time."""
_CONVERGENCE_POINTS = 20
"""Number of times that a search records its root statistics, at equal steps of simulations or of the time limit."""
_SNAPSHOT_SECONDS = 0.2
"""Seconds between two reports that a running search makes for other threads."""


@dataclass(frozen=True)
class QTreeSettings(QForestSettings):
    """Options of the agent `q-tree`.

    Raises:
        InvalidInput: If a value is out of range, or two options contradict each other.
    """

    true_state: bool = False
    """Whether simulations start from the true state instead of determinizations; meant for training only."""
    particles: int = 0
    """Number of particles of the particle filter; 0 for determinizations uniform over the possible deals, without filter."""
    mismatch_weight: float = 0.9
    """Factor w_a by which a particle's weight is multiplied at each observed event that the particle contradicts."""
    exact: bool = True
    """True to decide without a search where a win is certain, one deal is left or the game has fitted values (`Prover`)."""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_constants(self.c, self.mismatch_weight)
        check_count("particles", self.particles, minimum=0)
        if self.true_state and self.particles:
            raise InvalidInput("particles has no effect with true_state=true: leave it out")


class _RunningQTree:
    """A `q-tree` search in progress, which other threads can stop or read a report of (see `Searcher`)."""

    def __init__(
        self,
        name: str,
        observation: Observation,
        forest: QForest,
        roots: NDArray[Any],
        particles: Particles | None,
        started: float,
    ):
        self._name, self.observation, self._started = name, observation, started
        self.forest, self._roots, self._particles = forest, roots, particles
        self._convergence: list[ConvergencePoint] = []
        self._last_snapshot: SearchReport | None = None
        self._stopped = False

    def run(self, simulations: int, seconds: float, *, track_convergence: bool) -> None:
        """Simulate until `simulations` have run or `seconds` have passed.

        With `track_convergence` the statistics of the root's actions are recorded on the way, for the search report.
        """
        every, pause, point_time, snapshot_time = (
            max(1, simulations // _CONVERGENCE_POINTS),
            seconds / _CONVERGENCE_POINTS,
            self._started,
            self._started,
        )
        # run at least one simulation, even if stopped before: the decision needs one
        while self.forest.simulations < simulations and not (self._stopped and self.forest.simulations):
            self.forest.simulate()
            now = time.perf_counter()
            over = now - self._started >= seconds
            if track_convergence and (over or now - point_time >= pause or self.forest.simulations % every == 0):
                point_time = now
                self._convergence.append(convergence_point(self.observation, self._trees()))
            if now - snapshot_time >= _SNAPSHOT_SECONDS:
                snapshot_time, self._last_snapshot = now, self.report(complete=False)
            if over:
                break

    def report(self, *, complete: bool) -> SearchReport:
        seconds = time.perf_counter() - self._started
        return build_report(
            self._name,
            self.observation,
            self._trees(),
            self.forest.simulations,
            seconds,
            self._particles,
            complete=complete,
            convergence=self._convergence,
        )

    def snapshot(self) -> SearchReport | None:
        """Return the latest report that the searching thread made, None before the first.

        Other threads must not read the tree itself while it grows.
        """
        return self._last_snapshot

    def stop(self) -> None:
        self._stopped = True

    def _trees(self) -> ForestArrays:
        tree = self.forest.merged_tree()
        scale = value_scale(self.observation.game, self._roots[0], "win")
        return ForestArrays(tree[None], np.array([len(tree)]), self._roots, scale)


class QTreeAgent(Searcher):
    """Agent that grows one tree, each simulation from its own determinization, and takes the action of greatest Q_m."""

    def __init__(self, game: Game, seed: int, evaluator: Evaluator, settings: QTreeSettings, name: str = "q-tree"):
        super().__init__(name, game, seed, exact=settings.exact)
        self._policy = find_policy(game, settings.opponents or game.default_policy, "opponents")
        self._evaluator, self.settings = evaluator, settings

    def _decide(self, observation: Observation, limit: Limit | None, *, track_convergence: bool) -> Decision:
        started, settings = time.perf_counter(), self.settings
        stream = rng.decision_stream(self._seed, observation.to_bytes())
        simulations, seconds = budget(settings.simulations, limit)
        num_roots = min(simulations, _MAX_ROOTS, max(1, int(min(seconds, 1.0) * _ROOTS_PER_SECOND)))
        roots = np.zeros(num_roots, self._game.state_dtype)
        particles = draw_filtered_roots(observation, settings.particles, settings.mismatch_weight, stream, roots)
        seed = int(rng.next_word(stream))
        forest = self._make_forest(roots, seed, reshuffle=True)
        running = _RunningQTree(self.name, observation, forest, roots, particles, started)
        return self._run_search(running, seed, simulations, seconds, track_convergence=track_convergence)

    def _make_forest(self, roots: NDArray[Any], seed: int, *, reshuffle: bool) -> QForest:
        """Return a `QForest` of one tree, whose simulations start from the states `roots` [n] in turn."""
        seeds = np.array([seed], np.uint64)
        return QForest(
            self._game, roots[None], self._evaluator, self.settings, seeds, reshuffle=reshuffle, policy=self._policy
        )

    def _run_search(
        self, running: _RunningQTree, seed: int, simulations: int, seconds: float, *, track_convergence: bool
    ) -> Decision:
        """Run the search and return the action of greatest Q_m.

        If no legal action has a Q, do not search: the policy of the option `opponents` chooses the action.
        """
        forest, observation = running.forest, running.observation
        if min(observation.legal_actions) >= forest.actions:
            return self._policy_decision(observation, seed)
        with self._exposed(running):
            running.run(simulations, seconds, track_convergence=track_convergence)
        q = forest.root_statistics().q[0]
        action = int(q.argmax())
        report = running.report(complete=True)
        policy = visit_shares(report.actions) if forest.simulations > 1 else {action: 1.0}
        return Decision(action, policy, forest.value(q[action]), report)

    def _policy_decision(self, observation: Observation, seed: int) -> Decision:
        """Return the decision of the policy `opponents`, used where the network has no Q for any legal action."""
        return PolicyAgent(self.name, self._game, seed, self._policy).act(observation)


class _TrueStateQTreeAgent(TrueStateSearcher, QTreeAgent):
    """Agent `q-tree` that searches from the true state, order of the draw pile included, as paper 000 does in training."""

    def _search_state(self, state: State, observation: Observation, limit: Limit | None) -> Decision:
        started = time.perf_counter()
        roots = np.zeros(1, self._game.state_dtype)
        roots[0] = state.record
        seed = rng.derive(self._seed, zlib.crc32(state.record.tobytes()))
        forest = self._make_forest(roots, seed, reshuffle=False)
        running = _RunningQTree(self.name, observation, forest, roots, None, started)
        return self._run_search(running, seed, *budget(self.settings.simulations, limit), track_convergence=False)


def make_q_tree(game: Game, seed: int, network: str = "", **options: Any) -> QTreeAgent:
    """Return the agent `q-tree`.

    Args:
        game: Game to play.
        seed: Seed of the random streams.
        network: Q-network that predicts the Q of new states: a file, or the name of a pretrained network. Without it
            playouts evaluate new states.
        options: `device` (one of `evaluators.DEVICES`) and fields of `QTreeSettings`, as values or text.

    Raises:
        InvalidInput: If the network does not fit the game or sees hidden cards, or an option is wrong.
    """
    settings = QTreeSettings(**read_options(QTreeSettings, options))
    check_network(network)
    check_dependent_options(options, network=network, particles=settings.particles)
    # checked here so that the error names the option `opponents`, not `playout`
    find_policy(game, settings.opponents or game.default_policy, "opponents")
    evaluator: Evaluator = PlayoutEvaluator(game, settings.opponents)
    if network:
        evaluator = make_evaluator(game, network, (DEVICE_DEFAULT | options)["device"], batch=1)
        if sees_hidden(evaluator.encoding) and not settings.true_state:
            raise InvalidInput(f"network={network} sees hidden cards ({evaluator.encoding}): it needs true_state=true")
    if settings.true_state:
        return _TrueStateQTreeAgent(game, seed, evaluator, settings, "q-tree:true_state=true")
    return QTreeAgent(game, seed, evaluator, settings)
