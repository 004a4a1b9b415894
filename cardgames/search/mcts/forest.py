"""The arrays of one search, and running it in slices, by one thread or several."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames.agents.agent import Limit
from cardgames.core.game import Game
from cardgames.kernels import rng
from cardgames.search.mcts.sequential_halving import ACTION_TOTALS, halve
from cardgames.search.mcts.simulation import DONE, STOP, search
from cardgames.search.mcts.tree_reuse import copy_subtree
from cardgames.search.playout import Simulator, Workspace, make_workspace
from cardgames.search.settings import MctsSettings
from cardgames.search.tree import NODE, add_child, add_root, with_capacity

_MAX_SIMULATIONS = 2.0**40  # simulations: more never fit into a time, however long it is
_MAX_TIMED_SLICE = (
    256  # simulations a tree between two looks at the clock, at most; at first one in all, as some take long
)
_CONVERGENCE_POINTS = 50
_MIN_HALVING = 64  # simulations that sequential halving decides by, should they overrun its time a little
_MAX_HALVING_GROWTH = (
    8  # the next run of sequential halving is at most so many times the last: a short one may have been lucky
)
_MAX_HALVING = 65_536  # simulations of one run of sequential halving; the first by the clock tries each action once
_FIRST_SLICE, _MAX_SLICE = 128, 4096  # the same without a clock: Ctrl-C is noticed between two slices
_SHORT_SECONDS = 0.05  # seconds; slices that take less are doubled


class Forest:
    """Trees, their determinizations, and what other threads may read and set."""

    def __init__(
        self,
        game: Game,
        settings: MctsSettings,
        simulator: Simulator,
        player: int,
        roots: NDArray[Any],
        seed: int,
        budget: int,
    ):
        self.roots = roots
        """The determinizations: one a tree, or the pool simulations draw from."""
        self._game, self._settings = game, settings
        self._config, self._simulator = settings.config(player), simulator
        count = settings.num_trees
        self.trees = np.zeros((count, -(-budget // count) + 2 + game.max_legal_actions), NODE)
        self.num_nodes = np.ones(count, np.int64)
        self.control = np.zeros(1 + settings.threads, np.int64)
        self.halving_choice: int | None = None
        """The action that sequential halving ended with; None if it has not ended, or the search is another."""
        self._streams = np.zeros(count, rng.STREAM)
        self._streams["rng"] = np.random.SeedSequence(seed).generate_state(count, np.uint64)
        self._workspaces = [self._make_workspace() for _ in range(min(settings.threads, count))]
        for tree in self.trees:
            add_root(tree, player)

    def reuse_subtrees(self, trees: NDArray[Any], path: Sequence[int], legal_actions: Sequence[int]) -> None:
        """Begin with what another forest's `trees` (as many) hold below the actions `path`, as far as it is legal."""
        self._ensure_capacity(trees.shape[1])
        walked, legal = np.array(path, np.int64), np.zeros(self._game.num_distinct_actions, np.bool_)
        legal[list(legal_actions)] = True
        for number, tree in enumerate(trees):
            self.num_nodes[number] = copy_subtree(tree, walked, legal, self.trees[number])

    @property
    def simulations(self) -> int:
        """How many have been run so far."""
        return int(self.control[DONE:].sum())

    def stop(self) -> None:
        """End what is running, from another thread."""
        self.control[STOP] = 1

    def _stopped(self) -> bool:
        """Return whether to end: not before the first simulation, without which there is nothing to decide by."""
        return bool(self.control[STOP]) and self.simulations > 0

    def run(
        self, budget: int, limit: Limit | None, started: float, on_progress: Callable[[], None] | None = None
    ) -> None:
        """Simulate in slices until `budget` simulations are done or `limit.time` seconds have passed since `started`.

        `on_progress` is called after each slice: without a limit in time about `_CONVERGENCE_POINTS` times, seldomer where the budget is small.
        """
        left, count = budget, len(self.trees)
        sizes: Iterable[int]
        if limit is not None and limit.time is not None:
            sizes = _timed_slices(started, limit.time, _MAX_TIMED_SLICE * count)
        elif on_progress is not None:
            sizes = repeat(max(1, min(_MAX_SLICE, budget // (_CONVERGENCE_POINTS * count))) * count)
        else:
            sizes = (size * count for size in _doubling_slices())
        for size in sizes:
            slice_ = min(left, size)
            budgets = _split_budget(budget - left, slice_, count)
            self._ensure_capacity(int(self.num_nodes.max() + budgets.max()) + 1)
            self._simulate(budgets)
            left -= slice_
            if on_progress is not None:
                on_progress()
            if left <= 0 or self._stopped():
                break

    def run_halving(
        self,
        actions: tuple[int, ...],
        budget: int,
        limit: Limit | None,
        started: float,
        on_progress: Callable[[NDArray[Any]], None] | None = None,
    ) -> None:
        """Spend the budget on `actions` by sequential halving, again and again while there is time or budget left; the
        tree is then one of depth 1, unless everybody's decisions are nodes. `halving_choice` is what the last one ended with that
        was at least half as long as the longest: visits of several tell how often an action came near the end, no more.

        `on_progress` is called after each halving with its course (`halving.ACTION_TOTALS` [points, actions]).
        """
        for action in actions:
            self.num_nodes[0] = (
                add_child(self.trees[0], self.num_nodes[0], 0, action, int(self._config.player), 0.0) + 1
            )
        seconds = None if limit is None else limit.time
        size, largest, first_started = _MAX_HALVING if seconds is None else len(actions) + 1, 0, time.perf_counter()
        while budget > 0 and not self._stopped():
            size = min(budget, size)
            self._ensure_capacity(int(self.num_nodes[0]) + size + 1)
            convergence = np.zeros((0 if on_progress is None else _CONVERGENCE_POINTS, len(actions)), ACTION_TOTALS)
            best = self._halve(len(actions), size, convergence)
            if best and 2 * size >= largest:
                self.halving_choice, largest = actions[best - 1], max(size, largest)
            if on_progress is not None:
                on_progress(convergence)
            budget -= size
            if seconds is not None:
                size = _next_halving_size(size, self.simulations, first_started, started, seconds)
                if not size:
                    break

    def _halve(self, actions: int, budget: int, convergence: NDArray[Any]) -> int:
        """Run sequential halving on the first `actions` nodes; return the node of the best, 0 if it was stopped."""
        self.num_nodes[0], best = halve(
            self._game.kernel_rules,
            self._config,
            self._simulator.policies,
            self._workspaces[0],
            self.roots,
            self.trees[0],
            self.num_nodes[0],
            actions,
            budget,
            self._streams[0],
            convergence,
            self.control,
        )
        return int(best)

    def _ensure_capacity(self, capacity: int) -> None:
        """Make room for `capacity` nodes a tree."""
        if capacity > self.trees.shape[1]:
            self.trees = with_capacity(self.trees, max(capacity, 2 * self.trees.shape[1]))
            self._workspaces = [self._make_workspace() for _ in self._workspaces]

    def _make_workspace(self) -> Workspace:
        return make_workspace(self._game, self._simulator, self._settings.cutoff, self.trees.shape[1])

    def _simulate(self, budgets: NDArray[np.int64]) -> None:
        """Run the budgets of the trees, these shared out evenly among the threads."""
        if len(self._workspaces) == 1:
            self._simulate_share(0, budgets)
            return
        with ThreadPoolExecutor(len(self._workspaces)) as pool:
            list(pool.map(lambda thread: self._simulate_share(thread, budgets), range(len(self._workspaces))))

    def _simulate_share(self, thread: int, budgets: NDArray[np.int64]) -> None:
        step = len(self._workspaces)
        first, last = thread * len(budgets) // step, (thread + 1) * len(budgets) // step
        own = slice(first, last)
        search(
            self._game.kernel_rules,
            self._config,
            self._simulator.policies,
            self._workspaces[thread],
            self.roots if self._settings.uses_root_pool else self.roots[own],
            self.trees[own],
            self.num_nodes[own],
            self._streams[own],
            budgets[own],
            self.control,
            thread,
        )


def _split_budget(done: int, simulations: int, trees: int) -> NDArray[np.int64]:
    """Return how many of the next simulations, after `done`, each tree runs: they take turns."""
    before = np.arange(trees - 1, -1, -1) + done
    return (before + simulations) // trees - before // trees


def _timed_slices(started: float, seconds: float, most: int) -> Iterator[int]:
    """Yield how many simulations, at most so many, are run next until the `seconds` since `started` are over."""
    size, now = 1, started
    while now - started < seconds:
        first_started = time.perf_counter()
        yield size
        now = time.perf_counter()
        fitting = size * (seconds - (now - started)) / (now - first_started)
        size = max(1, min(_next_size(size, fitting), most))


def _doubling_slices() -> Iterator[int]:
    """Yield how many simulations a tree runs next, where Ctrl-C alone is waited for."""
    size = _FIRST_SLICE
    while True:
        first_started = time.perf_counter()
        yield size
        if time.perf_counter() - first_started < _SHORT_SECONDS:
            size = min(2 * size, _MAX_SLICE)


def _next_halving_size(size: int, done: int, first_started: float, started: float, seconds: float) -> int:
    """Return how many simulations sequential halving runs next, after `size` and, since `first_started`, `done` in all; 0 if the
    `seconds` since `started` are over.

    A few it runs after that too, should they take no longer than the search was given: seven decide nothing.
    """
    now = time.perf_counter()
    rate, left, missing = done / (now - first_started), seconds - (now - started), _MIN_HALVING - done
    if left > 0:
        return max(1, min(_next_size(size, rate * left), _MAX_HALVING_GROWTH * size, _MAX_HALVING))
    return missing if 0 < missing <= rate * seconds else 0


def _next_size(size: int, fitting: float) -> int:
    """Return how many simulations to run next, after `size` of them, where so many fit into the time left: half of those,
    or twice as many as last if that is more.
    """
    most = int(min(fitting, _MAX_SIMULATIONS))
    return min(max(2 * size, most // 2), most)
