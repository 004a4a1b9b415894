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
from cardgames.search.mcts.search_memory import PreviousSearch
from cardgames.search.options import budget
from cardgames.search.particle_filter import ParticleFilter, Particles, draw_roots
from cardgames.search.report import ConvergencePoint, SearchReport, decision_from_report
from cardgames.search.report_builder import build_report, convergence_point, halving_convergence
from cardgames.search.searcher import Searcher
from cardgames.search.settings import MctsSettings


class _RunningSearch(NamedTuple):
    """A search under way."""

    name: str
    forest: Forest
    observation: Observation
    started: float
    particles: Particles | None

    def report(self, *, complete: bool, convergence: Sequence[ConvergencePoint] = ()) -> SearchReport:
        return build_report(
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

    def __init__(self, name: str, game: Game, seed: int, settings: MctsSettings, *, filtered: bool):
        super().__init__(name, game, seed)
        self.settings = settings
        self._simulator = settings.simulator(game)
        self._filter = None
        if filtered:
            self._filter = ParticleFilter(
                game, settings.particles, settings.mismatch_weight, settings.load_belief_policy(game), seed
            )
        self._previous: PreviousSearch | None = None

    def _forced(self, observation: Observation) -> Decision | None:
        decision, previous = super()._forced(observation), self._previous  # which another thread may replace
        if decision is not None and previous is not None:
            self._previous = previous.advance_particle(observation)
        return decision

    def _decide(self, observation: Observation, limit: Limit | None, *, track_convergence: bool) -> Decision:
        started = time.perf_counter()
        stream = rng.decision_stream(self._seed, observation.to_bytes())
        particles = self._filter.particles(observation) if self._filter is not None else None
        roots = np.zeros(self.settings.num_determinizations, self._game.state_dtype)
        draw_roots(observation, particles, stream, roots)
        return self._search_from(
            roots, particles, observation, limit, stream, started, track_convergence=track_convergence
        )

    def _search_from(
        self,
        roots: NDArray[Any],
        particles: Particles | None,
        observation: Observation,
        limit: Limit | None,
        stream: Any,
        started: float,
        *,
        track_convergence: bool = False,
    ) -> Decision:
        """Search from the determinizations `roots`."""
        simulations, _ = budget(self.settings.simulations, limit)
        capacity = min(simulations, self.settings.simulations)
        seed = int(rng.next_word(stream))
        forest = Forest(self._game, self.settings, self._simulator, observation.player, roots, seed, capacity)
        self._reuse_previous(forest, observation)
        running = _RunningSearch(self.name, forest, observation, started, particles)
        with self._exposed(running):
            convergence = self._run(running, simulations, limit, track_convergence=track_convergence)
        if self.settings.reuse:
            self._previous = PreviousSearch(forest, observation)
        return decision_from_report(running.report(complete=True, convergence=convergence), forest.halving_choice)

    def _reuse_previous(self, forest: Forest, observation: Observation) -> None:
        """Begin with what the last search found of this decision, if anything."""
        previous = self._previous
        previous = previous and previous.advance_particle(observation)
        if previous is not None and not previous.forced:
            forest.reuse_subtrees(previous.forest.trees, previous.path, observation.legal_actions)

    def _run(
        self, running: _RunningSearch, simulations: int, limit: Limit | None, *, track_convergence: bool
    ) -> list[ConvergencePoint]:
        """Simulate until budget or time are spent, and return the course of it, if that is to be told."""
        forest, observation, started = running.forest, running.observation, running.started
        convergence: list[ConvergencePoint] = []
        if self.settings.root == "halving" and len(observation.legal_actions) > 1:
            on_halving = (lambda rows: convergence.extend(halving_convergence(rows))) if track_convergence else None
            forest.run_halving(observation.legal_actions, simulations, limit, started, on_halving)
        else:
            on_progress = (
                (lambda: convergence.append(convergence_point(observation, forest))) if track_convergence else None
            )
            forest.run(simulations, limit, started, on_progress)
        return convergence


def make_mcts(game: Game, seed: int, **options: Any) -> SearchAgent:
    """Return the agent `mcts`."""
    return SearchAgent("mcts", game, seed, MctsSettings.parse(options), filtered=False)


def make_mcts_dbm(game: Game, seed: int, **options: Any) -> SearchAgent:
    """Return the agent `mcts-dbm`."""
    return SearchAgent("mcts-dbm", game, seed, MctsSettings.parse(options, filtered=True), filtered=True)


_ISMCTS_DEFAULTS = {
    "simulations": 1000,
    "nodes": "observed",
    "determinize": "simulation",
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
    return SearchAgent(
        "ismcts", game, seed, MctsSettings.parse(options, filtered=True, defaults=_ISMCTS_DEFAULTS), filtered=True
    )
