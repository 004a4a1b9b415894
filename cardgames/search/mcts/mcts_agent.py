"""The agents `mcts`, `mcts-dbm` and `ismcts`: tree searches over determinizations of the hidden cards."""

import time
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames.agents.agent import Decision, Limit
from cardgames.core.game import Game
from cardgames.core.observation import Observation
from cardgames.kernels import rng
from cardgames.search.mcts.forest import Forest
from cardgames.search.mcts.search_memory import Memory
from cardgames.search.options import budget
from cardgames.search.particle_filter import ParticleFilter, Particles, draw_roots
from cardgames.search.report import ConvergencePoint, SearchReport, decision_of
from cardgames.search.report_builder import convergence_point, flat_points, report_of
from cardgames.search.searcher import Searcher
from cardgames.search.settings import Settings


class _Running(NamedTuple):
    """A search under way."""

    name: str
    forest: Forest
    observation: Observation
    started: float
    particles: Particles | None

    def report(self, *, complete: bool, convergence: Sequence[ConvergencePoint] = ()) -> SearchReport:
        return report_of(
            self.name,
            self.observation,
            self.forest,
            self.forest.simulations,
            time.perf_counter() - self.started,
            self.particles,
            complete=complete,
            convergence=convergence,
        )

    def snapshot(self) -> SearchReport:
        return self.report(complete=False)

    def stop(self) -> None:
        self.forest.stop()


class SearchAgent(Searcher):
    """Monte Carlo tree search, which takes the action with the most visits (by sequential halving, that which it ends with);
    with `filtered`, on hidden cards drawn from the particle filter.
    """

    def __init__(self, name: str, game: Game, seed: int, settings: Settings, *, filtered: bool):
        super().__init__(name, game, seed)
        self.settings = settings
        self._simulator = settings.simulator(game)
        self._filter = None
        if filtered:
            self._filter = ParticleFilter(game, settings.particles, settings.mistrust, settings.chooser(game), seed)
        self._memory: Memory | None = None

    def _forced(self, observation: Observation) -> Decision | None:
        only, memory = super()._forced(observation), self._memory  # which another thread may replace
        if only is not None and memory is not None:
            self._memory = memory.follow(observation)
        return only

    def _think(self, observation: Observation, limit: Limit | None, *, follow: bool) -> Decision:
        started = time.perf_counter()
        stream = rng.stream_of(self._seed, observation.to_bytes())
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
        simulations, _ = budget(self.settings.simulations, limit)
        room = min(simulations, self.settings.simulations)
        seed = int(rng.next_word(stream))
        forest = Forest(self._game, self.settings, self._simulator, observation.player, roots, seed, room)
        self._recall(forest, observation)
        running = _Running(self.name, forest, observation, started, particles)
        with self._under_way(running):
            course = self._run(running, simulations, limit, follow=follow)
        if self.settings.reuse:
            self._memory = Memory(forest, observation)
        return decision_of(running.report(complete=True, convergence=course), forest.chosen)

    def _recall(self, forest: Forest, observation: Observation) -> None:
        """Begin with what the last search found of this decision, if anything."""
        memory = self._memory
        memory = memory and memory.follow(observation)
        if memory is not None and not memory.forced:
            forest.inherit(memory.forest.trees, memory.path, observation.legal_actions)

    def _run(self, running: _Running, simulations: int, limit: Limit | None, *, follow: bool) -> list[ConvergencePoint]:
        """Simulate until budget or time are spent, and return the course of it, if that is to be told."""
        forest, observation, started = running.forest, running.observation, running.started
        course: list[ConvergencePoint] = []
        if self.settings.root == "halving" and len(observation.legal_actions) > 1:
            noted = (lambda rows: course.extend(flat_points(rows))) if follow else None
            forest.run_flat(observation.legal_actions, simulations, limit, started, noted)
        else:
            note = (lambda: course.append(convergence_point(observation, forest))) if follow else None
            forest.run(simulations, limit, started, note)
        return course


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
