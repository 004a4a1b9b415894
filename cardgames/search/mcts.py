"""The agents `mcts`, `mcts-dbm` and `ismcts`: tree searches over determinizations of the hidden cards."""

import time
import zlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames.core import rng
from cardgames.core.decision import Decision, Limit, check_asked, forced
from cardgames.core.game import Game
from cardgames.core.observation import Observation
from cardgames.search.belief import ParticleFilter, Particles, draw_roots
from cardgames.search.forest import Forest
from cardgames.search.inspect import convergence_point, flat_points, report_of
from cardgames.search.report import ConvergencePoint, SearchReport, decision_of
from cardgames.search.reuse import Memory
from cardgames.search.settings import MOST, Settings


class _Running(NamedTuple):
    """A search under way, as other threads may look at it."""

    forest: Forest
    observation: Observation
    started: float
    particles: Particles | None


class SearchAgent:
    """Monte Carlo tree search; with `filtered`, on hidden cards drawn from the particle filter.

    `snapshot` and `stop` may be called from other threads while `act` runs.
    """

    def __init__(self, name: str, game: Game, seed: int, settings: Settings, *, filtered: bool):
        self.name = name
        self.settings = settings
        self._game, self._seed = game, seed
        self._simulator = settings.simulator(game)
        self._filter = None
        if filtered:
            self._filter = ParticleFilter(game, settings.particles, settings.mistrust, settings.chooser(game), seed)
        self._memory: Memory | None = None
        self._running: _Running | None = None
        self._stopped = False

    def act(self, observation: Observation, limit: Limit | None = None) -> Decision:
        """Search and return the action with the most visits; a forced move is answered at once, without a search."""
        check_asked(self._game, observation)
        return self._forced(observation) or self._think(observation, limit, follow=False)

    def search(self, observation: Observation, limit: Limit | None = None) -> Decision:
        """Search even where the move is forced, and report the course of the search too."""
        check_asked(self._game, observation)
        return self._think(observation, limit, follow=True)

    def _forced(self, observation: Observation) -> Decision | None:
        only = forced(observation)
        if only is not None and self._memory is not None:
            self._memory = self._memory.follow(observation)
        return only

    def _think(self, observation: Observation, limit: Limit | None, *, follow: bool) -> Decision:
        started = time.perf_counter()
        self._stopped = False
        stream = rng.stream(rng.derive(self._seed, zlib.crc32(observation.to_bytes())))
        particles = self._filter.particles(observation) if self._filter is not None else None
        roots = np.zeros(self.settings.determinizations, self._game.state_dtype)
        draw_roots(observation, particles, stream, roots)
        return self._search_from(roots, particles, observation, limit, stream, started, follow=follow)

    def _search_from(
        self,
        roots: NDArray[Any],
        particles: Particles | None,
        observation: Observation,
        limit: Limit | None,
        stream: Any,
        started: float,
        *,
        follow: bool = False,
    ) -> Decision:
        """Search from the determinizations `roots`."""
        budget = self._budget(limit)
        room = min(budget, self.settings.simulations)
        seed = int(rng.next_word(stream))
        forest = Forest(self._game, self.settings, self._simulator, observation.player, roots, seed, room)
        self._recall(forest, observation)
        self._running = running = _Running(forest, observation, started, particles)
        if self._stopped:
            forest.stop()
        course: list[ConvergencePoint] = []

        def note() -> None:
            course.append(convergence_point(observation, forest))

        try:
            if self.settings.root == "halving" and len(observation.legal_actions) > 1:
                noted = (lambda rows: course.extend(flat_points(rows))) if follow else None
                forest.run_flat(observation.legal_actions, budget, limit, started, noted)
            else:
                forest.run(budget, limit, started, note if follow else None)
        finally:
            self._running = None
        if self.settings.reuse:
            self._memory = Memory(forest, observation)
        return decision_of(self._report(running, complete=True, convergence=course))

    def _recall(self, forest: Forest, observation: Observation) -> None:
        """Begin with what the last search found of this decision, if anything."""
        memory = self._memory and self._memory.follow(observation)
        if memory is not None and not memory.forced:
            forest.inherit(memory.forest.trees, memory.path, observation.legal_actions)

    def snapshot(self) -> SearchReport | None:
        """Return the report of the search now under way, None if there is none."""
        running = self._running
        return self._report(running, complete=False) if running is not None else None

    def stop(self) -> None:
        """End the search now under way; `act` answers with what it has."""
        self._stopped = True
        running = self._running
        if running is not None:
            running.forest.stop()

    def _budget(self, limit: Limit | None) -> int:
        if limit is None:
            return self.settings.simulations
        if limit.simulations is not None:
            return min(MOST, limit.simulations)
        return self.settings.simulations if limit.time is None else int(np.iinfo(np.int64).max)

    def _report(
        self, running: _Running, *, complete: bool, convergence: Sequence[ConvergencePoint] = ()
    ) -> SearchReport:
        forest, observation, started, particles = running
        return report_of(
            self.name,
            observation,
            forest,
            forest.simulations,
            time.perf_counter() - started,
            particles,
            complete=complete,
            convergence=convergence,
        )


def make_mcts(game: Game, seed: int, **options: Any) -> SearchAgent:
    """Return the agent `mcts`."""
    return SearchAgent("mcts", game, seed, Settings.parse(options), filtered=False)


def make_mcts_dbm(game: Game, seed: int, **options: Any) -> SearchAgent:
    """Return the agent `mcts-dbm`."""
    return SearchAgent("mcts-dbm", game, seed, Settings.parse(options, filtered=True), filtered=True)


_ISMCTS = {
    "simulations": 1000,
    "nodes": "seen",
    "deals": "simulation",
    "root": "halving",
    "c": 0.3,
    "widen": 0.3,
    "bias": 4.0,
}
"""What `ismcts` has instead of the defaults."""


def make_ismcts(game: Game, seed: int, **options: Any) -> SearchAgent:
    """Return the agent `ismcts`: one information-set tree, entered with another determinization by every simulation.

    `root=tree,nodes=all,c=0.7,widen=0,bias=0` is that of Whitehouse, Powley, Cowling 2011. Here the first action is found
    by sequential halving, and the others follow a policy on the cards they have in a determinization: their statistics
    over all their possible hands would have them play what suits the hand of another simulation.
    """
    return SearchAgent("ismcts", game, seed, Settings.parse(options, filtered=True, usual=_ISMCTS), filtered=True)
