"""The agent `q-tree`: one single-player tree (paper 000, Algorithm 1) over many determinizations of the hidden cards."""

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
from cardgames.search.evaluators import Evaluator, PlayoutEvaluator, make_evaluator
from cardgames.search.mcts.cheating_agents import SeesAll
from cardgames.search.options import budget, check_company, check_constants, check_count, check_network, read_options
from cardgames.search.particle_filter import Particles, filtered_roots
from cardgames.search.qtree.qforest import Growth, QForest
from cardgames.search.report import ConvergencePoint, SearchReport, visit_shares
from cardgames.search.report_builder import Trees, convergence_point, report_of
from cardgames.search.searcher import Searcher
from cardgames.support.errors import InvalidInput

_MOST_DEALS = 1000
"""Determinizations a search draws at most; more simulations take them in turn, with other cards to come."""
_DEALS_A_SECOND = 2000
"""And of a time limit; drawing so many takes about a tenth of it."""
_NOTES = 20
"""Points of a search's course, in steps of as many simulations, or of as much of its limit in time."""
_LOOK_EVERY = 0.2
"""Seconds after which a search shows where it is."""


@dataclass(frozen=True)
class QTreeSettings(Growth):
    """The options of the agent."""

    hidden: bool = False
    """Whether simulations start from the true state, for training alone, and not from determinizations."""
    particles: int = 0
    """Of the filter that hidden cards are drawn from; 0: uniformly from all that the observation allows."""
    mistrust: float = 0.9
    """Weight w_a of an event a particle cannot explain."""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_constants(self.c, self.mistrust)
        check_count("particles", self.particles, least=0)
        if self.hidden and self.particles:
            raise InvalidInput("hidden=true draws no hidden cards: leave out particles")


class _Growing:
    """A tree that grows while other threads look at it and stop it."""

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
        self._course: list[ConvergencePoint] = []
        self._shown: SearchReport | None = None
        self._stopped = False

    def run(self, simulations: int, seconds: float, *, follow: bool) -> None:
        """Simulate until budget or time are spent; with `follow` reports tell the course of it."""
        every, pause, noted, shown = max(1, simulations // _NOTES), seconds / _NOTES, self._started, self._started
        # one is due even if stopped before: without any it has nothing to answer
        while self.forest.simulations < simulations and not (self._stopped and self.forest.simulations):
            self.forest.simulate()
            now = time.perf_counter()
            over = now - self._started >= seconds
            if follow and (over or now - noted >= pause or self.forest.simulations % every == 0):
                noted = now
                self._course.append(convergence_point(self.observation, self._trees()))
            if now - shown >= _LOOK_EVERY:
                shown, self._shown = now, self.report(complete=False)
            if over:
                break

    def report(self, *, complete: bool) -> SearchReport:
        seconds = time.perf_counter() - self._started
        return report_of(
            self._name,
            self.observation,
            self._trees(),
            self.forest.simulations,
            seconds,
            self._particles,
            complete=complete,
            convergence=self._course,
        )

    def snapshot(self) -> SearchReport | None:
        """Return what was shown last: the tree itself is no sight for other threads."""
        return self._shown

    def stop(self) -> None:
        self._stopped = True

    def _trees(self) -> Trees:
        tree = self.forest.merged()
        return Trees(tree[None], np.array([len(tree)]), self._roots)


class QTreeAgent(Searcher):
    """Grows one tree, every simulation from a determinization of its own, and takes the action of greatest Q_m."""

    def __init__(self, game: Game, seed: int, evaluator: Evaluator, settings: QTreeSettings, name: str = "q-tree"):
        super().__init__(name, game, seed)
        self._policy = find_policy(game, settings.opponents or game.pacemaker, "opponents")
        self._evaluator, self._settings = evaluator, settings

    def _think(self, observation: Observation, limit: Limit | None, *, follow: bool) -> Decision:
        started, settings = time.perf_counter(), self._settings
        stream = rng.stream_of(self._seed, observation.to_bytes())
        simulations, seconds = budget(settings.simulations, limit)
        deals = min(simulations, _MOST_DEALS, max(1, int(min(seconds, 1.0) * _DEALS_A_SECOND)))
        roots = np.zeros(deals, self._game.state_dtype)
        particles = filtered_roots(observation, settings.particles, settings.mistrust, stream, roots)
        seed = int(rng.next_word(stream))
        forest = self._planted(roots, seed, fresh=True)
        growing = _Growing(self.name, observation, forest, roots, particles, started)
        return self._grow(growing, seed, simulations, seconds, follow=follow)

    def _planted(self, roots: NDArray[Any], seed: int, *, fresh: bool) -> QForest:
        """Return the tree of `roots` (states [n]) that is to grow."""
        seeds = np.array([seed], np.uint64)
        return QForest(
            self._game, roots[None], self._evaluator, self._settings, seeds, fresh=fresh, policy=self._policy
        )

    def _grow(self, growing: _Growing, seed: int, simulations: int, seconds: float, *, follow: bool) -> Decision:
        """Grow the tree and decide."""
        forest, observation = growing.forest, growing.observation
        if min(observation.legal_actions) >= forest.actions:
            return self._unpredicted(observation, seed)
        with self._under_way(growing):
            growing.run(simulations, seconds, follow=follow)
        q = forest.grown().q[0]
        action = int(q.argmax())
        found = growing.report(complete=True)
        policy = visit_shares(found.actions) if forest.simulations > 1 else {action: 1.0}
        return Decision(action, policy, forest.value(q[action]), found)

    def _unpredicted(self, observation: Observation, seed: int) -> Decision:
        """Decide by a policy where the network has no Q for any legal action, as simulations do."""
        return PolicyAgent(self.name, self._game, seed, self._policy).act(observation)


class _TrainingAgent(SeesAll, QTreeAgent):
    """The same from the true state, cards to come included, as paper 000 trains."""

    def _think_from(self, state: State, observation: Observation, limit: Limit | None) -> Decision:
        started = time.perf_counter()
        roots = np.zeros(1, self._game.state_dtype)
        roots[0] = state.record
        seed = rng.derive(self._seed, zlib.crc32(state.record.tobytes()))
        forest = self._planted(roots, seed, fresh=False)
        growing = _Growing(self.name, observation, forest, roots, None, started)
        return self._grow(growing, seed, *budget(self._settings.simulations, limit), follow=False)


def make_q_tree(game: Game, seed: int, network: str = "", **options: Any) -> QTreeAgent:
    """Return the agent `q-tree` that asks the Q-network in the file `network`, or (without one) plays new states out.

    `options` are a `device` for the network and those of `QTreeSettings`, as values or texts. Raises `InvalidInput`.
    """
    settings = QTreeSettings(**read_options(QTreeSettings, options))
    check_network(network)
    check_company(options, network=network, particles=settings.particles)
    find_policy(game, settings.opponents or game.pacemaker, "opponents")  # else an unknown one is refused as a playout
    evaluator: Evaluator = PlayoutEvaluator(game, settings.opponents)
    if network:
        evaluator = make_evaluator(game, network, options.get("device", "auto"), batch=1)
        if sees_hidden(evaluator.encoding) and not settings.hidden:
            raise InvalidInput(
                f"network={network} sees hidden cards ({evaluator.encoding}), which no seat may at the root"
            )
    if settings.hidden:
        return _TrainingAgent(game, seed, evaluator, settings, "q-tree:hidden=true")
    return QTreeAgent(game, seed, evaluator, settings)
