"""The agent `q-tree`: one single-player tree (paper 000, Algorithm 1) over many determinizations of the hidden cards."""

import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames.core import rng
from cardgames.core.decision import Decision, Limit, check_asked, forced
from cardgames.core.errors import InvalidInput
from cardgames.core.game import Game
from cardgames.core.observation import Observation
from cardgames.core.policy_agent import PolicyAgent
from cardgames.core.state import State
from cardgames.search.batched import budget
from cardgames.search.belief import Particles, draw_roots, filter_particles
from cardgames.search.cheating import SeesAll
from cardgames.search.evaluators import Evaluator, PlayoutEvaluator, make_evaluator
from cardgames.search.inspect import Trees, convergence_point, report_of
from cardgames.search.qforest import Growth, QForest
from cardgames.search.report import ConvergencePoint, SearchReport, visit_shares
from cardgames.search.settings import check_company, check_constants, check_count, read_options

_MOST_DEALS = 1000
"""Determinizations a search draws at most; more simulations take them in turn, with other cards to come."""
_DEALS_A_SECOND = 2000
"""And of a time limit; drawing so many takes about a tenth of it."""
_NOTES = 20
"""Points of a search's course, in steps of as many simulations each."""
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


class QTreeAgent:
    """Grows one tree, every simulation from a determinization of its own, and takes the action of greatest Q_m.

    `snapshot` and `stop` may be called from other threads while `act` runs.
    """

    def __init__(self, game: Game, seed: int, evaluator: Evaluator, settings: QTreeSettings, name: str = "q-tree"):
        self.name = name
        self._policy = game.policy(settings.opponents or game.pacemaker, "opponents")
        self._game, self._seed, self._evaluator, self._settings = game, seed, evaluator, settings
        self._shown: SearchReport | None = None
        self._stopped = False

    def snapshot(self) -> SearchReport | None:
        """Return what the search now under way showed last, None if there is none."""
        return self._shown

    def stop(self) -> None:
        """End the search now under way; `act` answers with what it has."""
        self._stopped = True

    def act(self, observation: Observation, limit: Limit | None = None) -> Decision:
        """Search and decide; a forced move is answered at once, without a search."""
        check_asked(self._game, observation)
        return forced(observation) or self._think(observation, limit, follow=False)

    def search(self, observation: Observation, limit: Limit | None = None) -> Decision:
        """Search even where the move is forced, and report the course of the search too."""
        check_asked(self._game, observation)
        return self._think(observation, limit, follow=True)

    def _think(self, observation: Observation, limit: Limit | None, *, follow: bool) -> Decision:
        started, self._stopped = time.perf_counter(), False
        settings = self._settings
        stream = rng.stream(rng.derive(self._seed, zlib.crc32(observation.to_bytes())))
        simulations, seconds = budget(settings.simulations, limit)
        deals = min(simulations, _MOST_DEALS, max(1, int(min(seconds, 1.0) * _DEALS_A_SECOND)))
        roots = np.zeros(deals, self._game.state_dtype)
        count, mistrust = settings.particles, settings.mistrust
        particles = filter_particles(observation, count, mistrust, stream) if count else None
        draw_roots(observation, particles, stream, roots)
        return self._grow(roots, particles, int(rng.next_word(stream)), True, observation, limit, started, follow)

    def _grow(
        self,
        roots: NDArray[Any],
        particles: Particles | None,
        seed: int,
        fresh: bool,
        observation: Observation,
        limit: Limit | None,
        started: float,
        follow: bool,
    ) -> Decision:
        """Grow the tree from `roots` (states [n]) and decide."""
        seeds = np.array([seed], np.uint64)
        forest = QForest(
            self._game, roots[None], self._evaluator, self._settings, seeds, fresh=fresh, policy=self._policy
        )
        if min(observation.legal_actions) >= forest.actions:
            return self._unpredicted(observation, seed)

        def report(course: list[ConvergencePoint], *, complete: bool) -> SearchReport:
            done, taken, trees = forest.simulations, time.perf_counter() - started, _trees(forest, roots)
            return report_of(
                self.name, observation, trees, done, taken, particles, complete=complete, convergence=course
            )

        def point() -> ConvergencePoint:
            return convergence_point(observation, _trees(forest, roots))

        course = self._run(forest, limit, started, point if follow else None, report)
        q = forest.grown().q[0]
        action = int(q.argmax())
        found = report(course, complete=True)
        policy = visit_shares(found.actions) if forest.simulations > 1 else {action: 1.0}
        return Decision(action, policy, forest.value(q[action]), found)

    def _run(
        self,
        forest: QForest,
        limit: Limit | None,
        started: float,
        point: Callable[[], ConvergencePoint] | None,
        report: Callable[..., SearchReport],
    ) -> list[ConvergencePoint]:
        """Simulate until budget or time are spent, and return the course of it, if there is a `point` to note."""
        simulations, seconds = budget(self._settings.simulations, limit)
        course: list[ConvergencePoint] = []
        every, shown = max(1, simulations // _NOTES), started
        try:
            while forest.simulations < simulations and not self._stopped:
                forest.simulate()
                now = time.perf_counter()
                late = now - shown >= _LOOK_EVERY
                if point is not None and (late or forest.simulations % every == 0):
                    course.append(point())
                if late:
                    shown, self._shown = now, report(course, complete=False)
                if now - started >= seconds:
                    break
        finally:
            self._shown = None
        return course

    def _unpredicted(self, observation: Observation, seed: int) -> Decision:
        """Decide by a policy where the network has no Q for any legal action, as simulations do."""
        return PolicyAgent(self.name, self._game, seed, self._policy).act(observation)


def _trees(forest: QForest, roots: NDArray[Any]) -> Trees:
    tree = forest.merged()
    return Trees(tree[None], np.array([len(tree)]), roots)


class _TrainingAgent(SeesAll, QTreeAgent):
    """The same from the true state, cards to come included, as paper 000 trains."""

    def peek(self, state: State, limit: Limit | None = None) -> Decision:
        """Search from the true state."""
        started, self._stopped = time.perf_counter(), False
        observation = state.observation()
        if (only := forced(observation)) is not None:
            return only
        roots = np.zeros(1, self._game.state_dtype)
        roots[0] = state.record
        seed = rng.derive(self._seed, zlib.crc32(state.record.tobytes()))
        return self._grow(roots, None, seed, False, observation, limit, started, False)


def make_q_tree(game: Game, seed: int, network: str = "", **options: Any) -> QTreeAgent:
    """Return the agent `q-tree` that asks the Q-network in the file `network`, or (without one) plays new states out.

    `options` are a `device` for the network and those of `QTreeSettings`, as values or texts. Raises `InvalidInput`.
    """
    settings = QTreeSettings(**read_options(QTreeSettings, options))
    check_company(options, network=network, particles=settings.particles)
    game.policy(settings.opponents or game.pacemaker, "opponents")  # else an unknown one is refused as a playout
    evaluator: Evaluator = PlayoutEvaluator(game, settings.opponents)
    if network:
        evaluator = make_evaluator(game, network, options.get("device", "auto"), batch=1)
    if settings.hidden:
        return _TrainingAgent(game, seed, evaluator, settings, "q-tree:hidden=true")
    return QTreeAgent(game, seed, evaluator, settings)
