"""The agents `mcts` and `mcts-dbm`: a forest of open-loop trees, each on one determinization of the hidden cards."""

import math
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames.core import ops, rng
from cardgames.core.agents import Decision, Limit
from cardgames.core.errors import InvalidInput, unknown
from cardgames.core.game import Game
from cardgames.core.observation import Observation
from cardgames.search.inspect import report_of
from cardgames.search.particles import align_all, choose, expected_hands, run_filter
from cardgames.search.report import SearchReport, visit_shares
from cardgames.search.simulate import DONE, STOP, search
from cardgames.search.tree import NODE, add_root

_MOST = 100_000_000
_FIRST_SLICE = 16  # simulations a tree between two looks at the clock, to begin with
_SLICE = 256  # and at most
_LONG_SLICE = 4096  # the same without a clock: Ctrl-C is noticed between two slices


@dataclass(frozen=True)
class Settings:
    """The options of a search agent."""

    simulations: int = 500
    """In all, over the trees."""
    trees: int = 5
    c: float = 5.0
    """Exploration constant of equation 1, for values in [0, 1]."""
    playout: str = "reflex"
    particles: int = 100
    mistrust: float = 0.9
    """Weight w_a of an event a particle cannot explain."""

    @classmethod
    def parse(cls, options: dict[str, Any]) -> "Settings":
        """Return settings from values or texts. Raises `InvalidInput`."""
        return cls(**{f.name: _parse(f.name, f.type, options[f.name]) for f in fields(cls) if f.name in options})

    def __post_init__(self) -> None:
        for name in ("simulations", "trees", "particles"):
            number = getattr(self, name)
            if isinstance(number, float) or not 1 <= number <= _MOST:
                raise InvalidInput(f"{name} is a whole number from 1 to {_MOST:,}, not {number}")
        if not 0 <= self.c < math.inf:
            raise InvalidInput(f"c is at least 0, not {self.c}")
        if not 0 < self.mistrust < 1:
            raise InvalidInput(f"mistrust lies between 0 and 1, not {self.mistrust}")


def _parse(name: str, kind: Any, value: Any) -> Any:
    convert: Callable[[Any], Any] = {int: int, float: float, str: str}[kind]
    try:
        return convert(value)
    except (TypeError, ValueError):
        raise InvalidInput(f"{name} is {'a whole number' if kind is int else 'a number'}, not {value!r}") from None


class Forest:
    """The arrays of one search: trees, their determinizations, and what other threads may read and set."""

    def __init__(self, game: Game, trees: int, capacity: int):
        self.trees = np.zeros((trees, capacity), NODE)
        self.used = np.ones(trees, np.int64)
        self.roots = np.zeros(trees, game.state_dtype)
        self.control = np.zeros(2, np.int64)
        self.scratch = np.zeros(1, game.state_dtype)
        self.path = np.zeros(capacity + 1, np.int64)
        self.legal = np.zeros(game.num_distinct_actions, np.int16)
        for tree in self.trees:
            add_root(tree)

    def grow(self, capacity: int) -> None:
        """Make room for `capacity` nodes a tree."""
        if capacity > self.trees.shape[1]:
            larger = np.zeros((len(self.trees), max(capacity, 2 * self.trees.shape[1])), NODE)
            larger[:, : self.trees.shape[1]] = self.trees
            self.trees = larger
            self.path = np.zeros(larger.shape[1] + 1, np.int64)


@dataclass
class Particles:
    """The outcome of the filter."""

    states: NDArray[Any]
    weights: NDArray[np.float64]
    effective_sample_size: float
    belief: NDArray[np.float64]
    """[players, kinds] expected number of cards."""


class _Running(NamedTuple):
    """A search under way, as other threads may look at it."""

    forest: Forest
    observation: Observation
    started: float
    particles: Particles | None


class SearchAgent:
    """Open-loop Monte Carlo tree search; with `filtered`, on hidden cards drawn from the particle filter.

    `snapshot` and `stop` may be called from other threads while `act` runs.
    """

    def __init__(self, name: str, game: Game, seed: int, settings: Settings, *, filtered: bool):
        self.name = name
        self.settings = settings
        self._game, self._seed, self._filtered = game, seed, filtered
        if settings.playout not in game.policies:
            raise unknown("playout", settings.playout, game.policies)
        self._which = game.policies[settings.playout]
        self._running: _Running | None = None
        self._stopped = False

    def act(self, observation: Observation, limit: Limit | None = None) -> Decision:
        """Search and return the action with the most visits; a forced move is answered at once, without a search."""
        if len(observation.legal_actions) == 1:
            return Decision(observation.legal_actions[0], {observation.legal_actions[0]: 1.0})
        return self.search(observation, limit)

    def search(self, observation: Observation, limit: Limit | None = None) -> Decision:
        """Search even where the move is forced."""
        started = time.perf_counter()
        self._stopped = False
        stream = rng.stream(rng.derive(self._seed, zlib.crc32(observation.to_bytes())))
        forest = Forest(self._game, self.settings.trees, -(-self._budget(limit) // self.settings.trees) + 2)
        particles = self._draw_roots(observation, forest, stream)
        self._running = running = _Running(forest, observation, started, particles)
        try:
            self._run(observation, forest, stream, limit, started)
        finally:
            self._running = None
        report = self._report(running, complete=True)
        best = report.best
        return Decision(best.action, visit_shares(report.actions), best.value, report)

    def snapshot(self) -> SearchReport | None:
        """Return the report of the search now under way, None if there is none."""
        running = self._running
        return self._report(running, complete=False) if running is not None else None

    def stop(self) -> None:
        """End the search now under way; `act` answers with what it has."""
        self._stopped = True
        running = self._running
        if running is not None:
            running.forest.control[STOP] = 1

    def _budget(self, limit: Limit | None) -> int:
        if limit is None or limit.simulations is None:
            return self.settings.simulations
        return min(_MOST, max(1, limit.simulations))

    def _draw_roots(self, observation: Observation, forest: Forest, stream: Any) -> Particles | None:
        """Give every tree its determinization."""
        rules = self._game.kernel_rules
        if not self._filtered:
            for root in forest.roots:
                ops.determinize(rules, observation.record, stream, root)
            return None
        particles = filter_particles(observation, self.settings.particles, self.settings.mistrust, stream)
        chosen = np.zeros(len(forest.roots), np.int64)
        choose(particles.weights, rng.uniform(stream), chosen)
        forest.roots[:] = particles.states[chosen]
        return particles

    def _run(self, observation: Observation, forest: Forest, stream: Any, limit: Limit | None, started: float) -> None:
        """Simulate in slices until the budget is spent or time is up."""
        trees = len(forest.roots)
        timed = limit is not None and limit.time is not None
        left = self._budget(limit) if not timed or (limit and limit.simulations) else np.iinfo(np.int64).max
        size = _FIRST_SLICE if timed else _LONG_SLICE
        while left > 0 and not self._stopped:
            slice_ = min(left, size * trees)
            budgets = np.array([(slice_ + trees - 1 - i) // trees for i in range(trees)], np.int64)
            forest.grow(int(forest.used.max() + budgets.max()) + 1)
            search(
                self._game.kernel_rules,
                forest.roots,
                observation.player,
                forest.trees,
                forest.used,
                budgets,
                self.settings.c,
                self._which,
                forest.scratch,
                forest.path,
                forest.legal,
                stream,
                forest.control,
            )
            left -= slice_
            if timed:
                if time.perf_counter() - started >= limit.time:  # type: ignore[union-attr,operator]
                    break
                size = min(2 * size, _SLICE)

    def _report(self, running: _Running, *, complete: bool) -> SearchReport:
        forest, observation, started, particles = running
        seconds = time.perf_counter() - started
        return report_of(
            self.name, observation, forest, int(forest.control[DONE]), seconds, particles, complete=complete
        )


def filter_particles(observation: Observation, count: int, mistrust: float, stream: Any) -> Particles:
    """Run the particle filter over an observation's history; the particles returned are states the observation allows."""
    game = observation.game
    rules = game.kernel_rules
    states, spare = np.zeros(count, game.state_dtype), np.zeros(count, game.state_dtype)
    weights, chosen = np.zeros(count), np.zeros(count, np.int64)
    ess = run_filter(
        rules,
        observation.origin,
        observation.events,
        observation.first,
        observation.player,
        mistrust,
        states,
        weights,
        spare,
        chosen,
        stream,
    )
    align_all(rules, observation.record, states, spare, stream)
    belief = np.zeros((game.num_players, len(game.kinds)))
    expected_hands(rules, states, weights, belief)
    return Particles(states, weights, float(ess), belief)


def make_mcts(game: Game, seed: int, **options: Any) -> SearchAgent:
    """Return the agent `mcts`."""
    return SearchAgent("mcts", game, seed, Settings.parse(options), filtered=False)


def make_mcts_dbm(game: Game, seed: int, **options: Any) -> SearchAgent:
    """Return the agent `mcts-dbm`."""
    return SearchAgent("mcts-dbm", game, seed, Settings.parse(options), filtered=True)
