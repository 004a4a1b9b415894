"""The agents `mcts`, `mcts-dbm` and `ismcts`: tree searches over determinizations of the hidden cards."""

import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames.agents.agent import Decision, Limit
from cardgames.core.game import Game
from cardgames.core.observation import Observation
from cardgames.kernels import rng
from cardgames.search.mcts.forest_search import Forest
from cardgames.search.mcts.mcts_settings import MctsSettings
from cardgames.search.mcts.search_memory import PreviousSearch
from cardgames.search.option_parsing import budget
from cardgames.search.particle_filter import ParticleFilter, Particles, draw_roots
from cardgames.search.report import ConvergencePoint, SearchReport, decision_from_report
from cardgames.search.report_builder import build_report, convergence_point, halving_convergence
from cardgames.search.searcher import Searcher
from cardgames.support.errors import unknown_name


class _RunningSearch(NamedTuple):
    """A search in progress, which other threads can stop or read a report of (see `Searcher`)."""

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
    """Monte Carlo tree search agent; it takes the most visited action, or the action chosen by sequential halving.

    With `filtered` the determinizations come from the particle filter, otherwise from a uniform distribution over the deals
    that the observation allows.
    """

    def __init__(self, name: str, game: Game, seed: int, settings: MctsSettings, *, filtered: bool):
        super().__init__(name, game, seed, exact=settings.exact, objective=settings.objective)
        self.settings = settings
        self._simulator = settings.simulator(game)
        self._filter = None
        if filtered:
            self._filter = ParticleFilter(
                game, settings.particles, settings.mismatch_weight, settings.load_belief_policy(game), seed
            )
        self._previous: PreviousSearch | None = None

    def _settled(self, observation: Observation) -> Decision | None:
        # read once: another thread may replace it
        decision, previous = super()._settled(observation), self._previous
        if decision is not None and previous is not None:
            self._previous = previous.advance(observation)
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
        """Search from the determinizations `roots` and return the decision."""
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
        """Start `forest` from the trees of the agent's last search, if that search led to the present decision.

        Only the subtrees below the actions chosen since then are copied.
        """
        previous = self._previous
        previous = previous and previous.advance(observation)
        if previous is not None and not previous.forced:
            forest.reuse_subtrees(previous.forest.trees, previous.path, observation.legal_actions)

    def _run(
        self, running: _RunningSearch, simulations: int, limit: Limit | None, *, track_convergence: bool
    ) -> list[ConvergencePoint]:
        """Simulate until the budget of `simulations` or the time runs out.

        Returns:
            Statistics of the root's actions after successive numbers of simulations; empty without `track_convergence`.
        """
        forest, observation, started = running.forest, running.observation, running.started
        convergence: list[ConvergencePoint] = []
        if self.settings.root == "halving" and len(observation.legal_actions) > 1:
            on_halving = (
                (lambda rows: convergence.extend(halving_convergence(rows, forest.scale, observation.player)))
                if track_convergence
                else None
            )
            forest.run_halving(observation.legal_actions, simulations, limit, started, on_halving)
        else:
            on_progress = (
                (lambda: convergence.append(convergence_point(observation, forest))) if track_convergence else None
            )
            forest.run(simulations, limit, started, on_progress)
        return convergence


SETTINGS = ("best", "paper")
"""Values of the option `setting`, which names the defaults of all other options."""
ISMCTS_DEFAULTS = {
    "simulations": 1000,
    "nodes": "observed",
    "determinize": "simulation",
    "root": "halving",
    "c": 0.3,
    "widen": 0.3,
    "bias": 4.0,
}
"""Options of the agent `ismcts` with `setting=best`, for games without better ones (`Game.best_settings`)."""
PAPER = {"exact": False}
"""Options of `mcts` and `mcts-dbm` with `setting=paper`, where they differ from the defaults of `MctsSettings`."""
ISMCTS_PAPER = {"simulations": 1000, "nodes": "all", "determinize": "simulation", "c": 0.7, "exact": False}
"""Options of the agent `ismcts` with `setting=paper`: information-set MCTS of Whitehouse, Powley, Cowling 2011."""


def make_mcts(game: Game, seed: int, setting: str = "best", **options: Any) -> SearchAgent:
    """Return the agent `mcts`, which draws its determinizations uniformly.

    Args:
        game: Game to play.
        seed: Seed of the agent.
        setting: Defaults of the other options: `best` (`Game.best_settings`) or `paper` (those of `MctsSettings`).
        options: Fields of `MctsSettings`, as values or text.

    Raises:
        InvalidInput: If an option is unknown, out of range, or has no effect together with the others.
    """
    return _make("mcts", game, seed, setting, options)


def make_mcts_dbm(game: Game, seed: int, setting: str = "best", **options: Any) -> SearchAgent:
    """Return the agent `mcts-dbm`, whose determinizations come from a particle filter; arguments as for `make_mcts`."""
    return _make("mcts-dbm", game, seed, setting, options)


def make_ismcts(game: Game, seed: int, setting: str = "best", **options: Any) -> SearchAgent:
    """Return the agent `ismcts`: one information-set tree, with a new determinization for every simulation.

    By default sequential halving chooses among the root's actions, and in the tree the other players follow a policy that
    sees the cards they hold in the determinization. If the tree's statistics chose for them instead, they would play
    actions that suit hands which they hold in other simulations. With `setting=paper` they do: this is the algorithm of
    Whitehouse, Powley, Cowling 2011. Arguments as for `make_mcts`.
    """
    return _make("ismcts", game, seed, setting, options)


def _make(name: str, game: Game, seed: int, setting: str, options: dict[str, Any]) -> SearchAgent:
    """Return the search agent `name`, with the defaults that `setting` names for options that are not given."""
    if setting not in SETTINGS:
        raise unknown_name("setting", setting, SETTINGS)
    defaults: Mapping[str, Any] = ISMCTS_PAPER if name == "ismcts" else PAPER
    if setting == "best":
        best = game.best_settings(name, str(options.get("objective", MctsSettings.objective)))
        defaults = best or (ISMCTS_DEFAULTS if name == "ismcts" else {})
    parsed = MctsSettings.parse(options, filtered=name != "mcts", defaults=dict(defaults))
    return SearchAgent(name, game, seed, parsed, filtered=name != "mcts")
