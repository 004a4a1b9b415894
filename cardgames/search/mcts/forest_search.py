"""The trees of one Monte Carlo search, and the loop that runs its simulations in slices on one or more threads.

Simulations run inside kernels, which cannot be interrupted. Therefore a search runs a slice of simulations at a time, and
checks the clock and Ctrl-C between two slices.
"""

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
from cardgames.search.mcts.mcts_settings import MctsSettings
from cardgames.search.mcts.sequential_halving import ACTION_TOTALS, halve
from cardgames.search.mcts.simulation import DONE, STOP, search
from cardgames.search.mcts.tree_reuse import copy_subtree
from cardgames.search.objective import value_scale
from cardgames.search.playout import Simulator, Workspace, make_workspace
from cardgames.search.tree import NODE, add_child, add_root, with_capacity

# upper bound of the number of simulations that is estimated to fit into the remaining time
_MAX_SIMULATIONS = 2.0**40
# with a time limit: largest number of simulations per tree between two readings of the clock; the first slice is one
# simulation in all, since a simulation may be slow
_MAX_TIMED_SLICE = 256
_CONVERGENCE_POINTS = 50
# simulations that sequential halving runs at least, even if they exceed the time limit a little
_MIN_HALVING = 64
# largest ratio of two successive runs of sequential halving: a short run may have been fast by chance
_MAX_HALVING_GROWTH = 8
# largest number of simulations of one run of sequential halving; with a time limit the first run tries each action once
_MAX_HALVING = 65_536
# without a time limit: simulations per tree in the first slice and in the largest; Ctrl-C takes effect between two slices
_FIRST_SLICE, _MAX_SLICE = 128, 4096
# after a slice that takes less than this many seconds the next one is twice as large
_SHORT_SECONDS = 0.05


class Forest:
    """The trees, determinizations and per-thread scratch memory of one search.

    Other threads may read `simulations` and call `stop` while the search runs.
    """

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
        self.scale = value_scale(game, roots[0], settings.objective)
        """Scale of the values in the trees."""
        self.roots = roots
        """Determinizations (states [n]): one per tree, or the pool that all simulations draw from."""
        self._game, self._settings = game, settings
        self._config, self._simulator = settings.config(game, player), simulator
        count = settings.num_trees
        self.trees = np.zeros((count, -(-budget // count) + 2 + game.max_legal_actions), NODE)
        self.num_nodes = np.ones(count, np.int64)
        self.control = np.zeros(1 + settings.threads, np.int64)
        self.halving_choice: int | None = None
        """Action that sequential halving chose; None before its first run ends, and in a search without it."""
        self._streams = np.zeros(count, rng.STREAM)
        self._streams["rng"] = np.random.SeedSequence(seed).generate_state(count, np.uint64)
        self._workspaces = [self._make_workspace() for _ in range(min(settings.threads, count))]
        for tree in self.trees:
            add_root(tree, player)

    def reuse_subtrees(self, trees: NDArray[Any], path: Sequence[int], legal_actions: Sequence[int]) -> None:
        """Copy into each tree of this forest a subtree of an earlier search, with its statistics.

        Args:
            trees: Trees of the earlier search (NODE [trees, nodes]), as many as this forest has.
            path: Actions that lead from the roots of `trees` to the subtrees.
            legal_actions: Legal actions now; children of a new root with other actions are not copied.
        """
        self._ensure_capacity(trees.shape[1])
        path_actions, legal = np.array(path, np.int64), np.zeros(self._game.num_distinct_actions, np.bool_)
        legal[list(legal_actions)] = True
        for number, tree in enumerate(trees):
            self.num_nodes[number] = copy_subtree(tree, path_actions, legal, self.trees[number])

    @property
    def simulations(self) -> int:
        """Number of simulations run so far."""
        return int(self.control[DONE:].sum())

    def stop(self) -> None:
        """Stop the running search after at least one simulation; to be called from another thread."""
        self.control[STOP] = 1

    def _stopped(self) -> bool:
        """Return whether `stop` was called and at least one simulation has run, so that there is a basis for a decision."""
        return bool(self.control[STOP]) and self.simulations > 0

    def run(
        self, budget: int, limit: Limit | None, started: float, on_progress: Callable[[], None] | None = None
    ) -> None:
        """Simulate in slices until `budget` simulations are done or the time limit is reached.

        Args:
            budget: Number of simulations, over all trees.
            limit: Its `time` is the number of seconds from `started`.
            started: Time of the start (`time.perf_counter`).
            on_progress: Called after each slice. Without a time limit the slices are chosen so that this happens about
                `_CONVERGENCE_POINTS` times, fewer if the budget is small.
        """
        remaining, count = budget, len(self.trees)
        sizes: Iterable[int]
        if limit is not None and limit.time is not None:
            sizes = _timed_slices(started, limit.time, _MAX_TIMED_SLICE * count)
        elif on_progress is not None:
            sizes = repeat(max(1, min(_MAX_SLICE, budget // (_CONVERGENCE_POINTS * count))) * count)
        else:
            sizes = (size * count for size in _doubling_slices())
        for size in sizes:
            slice_ = min(remaining, size)
            budgets = _split_budget(budget - remaining, slice_, count)
            self._ensure_capacity(int(self.num_nodes.max() + budgets.max()) + 1)
            self._simulate(budgets)
            remaining -= slice_
            if on_progress is not None:
                on_progress()
            if remaining <= 0 or self._stopped():
                break

    def run_halving(
        self,
        actions: tuple[int, ...],
        budget: int,
        limit: Limit | None,
        started: float,
        on_progress: Callable[[NDArray[Any]], None] | None = None,
    ) -> None:
        """Run sequential halving on `actions`, repeatedly while time and budget last, and set `halving_choice`.

        `halving_choice` is the best action of the latest run that had at least half the simulations of the longest run.
        Visits summed over several runs are no basis for a decision: they only say how often an action survived to the
        late rounds. If only the searching player's decisions are nodes, the tree has depth 1.

        Args:
            actions: Legal actions of the root.
            budget: Number of simulations in all.
            limit: Its `time` is the number of seconds from `started`.
            started: Time of the start (`time.perf_counter`).
            on_progress: Called after each run with the visits and total values of the actions at successive points of
                that run (`sequential_halving.ACTION_TOTALS` [points, actions]).
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
        """Run sequential halving with `budget` simulations on the root's children, nodes 1 to `actions` of the tree.

        Returns:
            Index of the best action's node, 0 if the search was stopped.
        """
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
        """Enlarge the trees to hold at least `capacity` nodes each."""
        if capacity > self.trees.shape[1]:
            self.trees = with_capacity(self.trees, max(capacity, 2 * self.trees.shape[1]))
            self._workspaces = [self._make_workspace() for _ in self._workspaces]

    def _make_workspace(self) -> Workspace:
        return make_workspace(
            self._game,
            self._simulator,
            self._settings.cutoff,
            self.trees.shape[1],
            self.scale.bounds,
            self._settings.leaf_solver(self._game),
        )

    def _simulate(self, budgets: NDArray[np.int64]) -> None:
        """Run `budgets[i]` simulations in tree i; the trees are divided evenly among the threads."""
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
    """Return how many of the next `simulations` each of the `trees` trees runs (int64 [trees]).

    The trees take turns, one simulation each; `done` simulations have run before.
    """
    before = np.arange(trees - 1, -1, -1) + done
    return (before + simulations) // trees - before // trees


def _timed_slices(started: float, seconds: float, largest: int) -> Iterator[int]:
    """Yield the numbers of simulations to run in successive slices, until `seconds` have passed since `started`.

    The first slice is one simulation; the speed of each slice determines the size of the next one, at most `largest`.
    """
    size, now = 1, started
    while now - started < seconds:
        first_started = time.perf_counter()
        yield size
        now = time.perf_counter()
        fitting = size * (seconds - (now - started)) / (now - first_started)
        size = max(1, min(_next_size(size, fitting), largest))


def _doubling_slices() -> Iterator[int]:
    """Yield the sizes of successive slices, in simulations per tree, for a search without a time limit.

    The size doubles, up to `_MAX_SLICE`, after each slice that takes less than `_SHORT_SECONDS`.
    """
    size = _FIRST_SLICE
    while True:
        first_started = time.perf_counter()
        yield size
        if time.perf_counter() - first_started < _SHORT_SECONDS:
            size = min(2 * size, _MAX_SLICE)


def _next_halving_size(size: int, done: int, first_started: float, started: float, seconds: float) -> int:
    """Return the number of simulations of the next run of sequential halving, 0 to end the search.

    The search ends once `seconds` have passed since `started`. If fewer than `_MIN_HALVING` simulations are done by then,
    the missing ones are run too, provided they are expected to take no more than another `seconds`: a handful of
    simulations is too few to decide by.

    Args:
        size: Number of simulations of the last run.
        done: Number of simulations of all runs so far.
        first_started: Time of the start of the first run (`time.perf_counter`).
        started: Time of the start of the search (`time.perf_counter`).
        seconds: Time limit of the search.
    """
    now = time.perf_counter()
    rate, remaining, missing = done / (now - first_started), seconds - (now - started), _MIN_HALVING - done
    if remaining > 0:
        return max(1, min(_next_size(size, rate * remaining), _MAX_HALVING_GROWTH * size, _MAX_HALVING))
    return missing if 0 < missing <= rate * seconds else 0


def _next_size(size: int, fitting: float) -> int:
    """Return the number of simulations to run next, given the number `size` of the last slice or run.

    It is half of `fitting`, the estimated number that fits into the remaining time, or twice `size` if that is more, but
    never more than `fitting`.
    """
    largest = int(min(fitting, _MAX_SIMULATIONS))
    return min(max(2 * size, largest // 2), largest)
