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
from cardgames.search.mcts.sequential_halving import COURSE, halve
from cardgames.search.mcts.simulation import DONE, STOP, search
from cardgames.search.mcts.tree_reuse import take_over
from cardgames.search.playout import Room, Simulator, room_for
from cardgames.search.settings import Settings
from cardgames.search.tree import NODE, add_child, add_root, with_room

_MANY = 2.0**40  # simulations: more never fit into a time, however long it is
_SLICE = 256  # simulations a tree between two looks at the clock, at most; at first one in all, as some take long
_NOTES = 50
_LEAST_HALVING = 64  # simulations that sequential halving decides by, should they overrun its time a little
_GROWTH = 8  # the next run of sequential halving is at most so many times the last: a short one may have been lucky
_LONGEST_HALVING = 65_536  # simulations of one run of sequential halving; the first by the clock tries each action once
_OPENING_SLICE, _LONG_SLICE = 128, 4096  # the same without a clock: Ctrl-C is noticed between two slices
_SHORT = 0.05  # seconds; slices that take less are doubled


class Forest:
    """Trees, their determinizations, and what other threads may read and set."""

    def __init__(
        self,
        game: Game,
        settings: Settings,
        simulator: Simulator,
        player: int,
        roots: NDArray[Any],
        seed: int,
        budget: int,
    ):
        self.roots = roots
        """The determinizations: one a tree, or the pool simulations draw from."""
        self._game, self._settings = game, settings
        self._how, self._simulator = settings.how(player), simulator
        count = settings.forest
        self.trees = np.zeros((count, -(-budget // count) + 2 + game.most_legal), NODE)
        self.used = np.ones(count, np.int64)
        self.control = np.zeros(1 + settings.threads, np.int64)
        self.chosen: int | None = None
        """The action that sequential halving ended with; None if it has not ended, or the search is another."""
        self._streams = np.zeros(count, rng.STREAM)
        self._streams["rng"] = np.random.SeedSequence(seed).generate_state(count, np.uint64)
        self._rooms = [self._room() for _ in range(min(settings.threads, count))]
        for tree in self.trees:
            add_root(tree, player)

    def inherit(self, trees: NDArray[Any], path: Sequence[int], legal_actions: Sequence[int]) -> None:
        """Begin with what another forest's `trees` (as many) hold below the actions `path`, as far as it is legal."""
        self._make_room(trees.shape[1])
        walked, legal = np.array(path, np.int64), np.zeros(self._game.num_distinct_actions, np.bool_)
        legal[list(legal_actions)] = True
        for number, tree in enumerate(trees):
            self.used[number] = take_over(tree, walked, legal, self.trees[number])

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

    def run(self, budget: int, limit: Limit | None, started: float, note: Callable[[], None] | None = None) -> None:
        """Simulate in slices until `budget` simulations are done or `limit.time` seconds have passed since `started`.

        `note` is called after each slice: without a limit in time about `_NOTES` times, seldomer where the budget is small.
        """
        left, count = budget, len(self.trees)
        sizes: Iterable[int]
        if limit is not None and limit.time is not None:
            sizes = _by_the_clock(started, limit.time, _SLICE * count)
        elif note is not None:
            sizes = repeat(max(1, min(_LONG_SLICE, budget // (_NOTES * count))) * count)
        else:
            sizes = (size * count for size in _doubling())
        for size in sizes:
            slice_ = min(left, size)
            budgets = _shared_out(budget - left, slice_, count)
            self._make_room(int(self.used.max() + budgets.max()) + 1)
            self._simulate(budgets)
            left -= slice_
            if note is not None:
                note()
            if left <= 0 or self._stopped():
                break

    def run_flat(
        self,
        actions: tuple[int, ...],
        budget: int,
        limit: Limit | None,
        started: float,
        note: Callable[[NDArray[Any]], None] | None = None,
    ) -> None:
        """Spend the budget on `actions` by sequential halving, again and again while there is time or budget left; the
        tree is then one of depth 1, unless everybody's decisions are nodes. `chosen` is what the last one ended with that
        was at least half as long as the longest: visits of several tell how often an action came near the end, no more.

        `note` is called after each halving with its course (`halving.COURSE` [points, actions]).
        """
        for action in actions:
            self.used[0] = add_child(self.trees[0], self.used[0], 0, action, int(self._how.player), 0.0) + 1
        seconds = None if limit is None else limit.time
        size, longest, begun = _LONGEST_HALVING if seconds is None else len(actions) + 1, 0, time.perf_counter()
        while budget > 0 and not self._stopped():
            size = min(budget, size)
            self._make_room(int(self.used[0]) + size + 1)
            course = np.zeros((0 if note is None else _NOTES, len(actions)), COURSE)
            best = self._halve(len(actions), size, course)
            if best and 2 * size >= longest:
                self.chosen, longest = actions[best - 1], max(size, longest)
            if note is not None:
                note(course)
            budget -= size
            if seconds is not None:
                size = _next_halving(size, self.simulations, begun, started, seconds)
                if not size:
                    break

    def _halve(self, actions: int, budget: int, course: NDArray[Any]) -> int:
        """Run sequential halving on the first `actions` nodes; return the node of the best, 0 if it was stopped."""
        self.used[0], best = halve(
            self._game.kernel_rules,
            self._how,
            self._simulator.policies,
            self._rooms[0],
            self.roots,
            self.trees[0],
            self.used[0],
            actions,
            budget,
            self._streams[0],
            course,
            self.control,
        )
        return int(best)

    def _make_room(self, capacity: int) -> None:
        """Make room for `capacity` nodes a tree."""
        if capacity > self.trees.shape[1]:
            self.trees = with_room(self.trees, max(capacity, 2 * self.trees.shape[1]))
            self._rooms = [self._room() for _ in self._rooms]

    def _room(self) -> Room:
        return room_for(self._game, self._simulator, self._settings.cut, self.trees.shape[1])

    def _simulate(self, budgets: NDArray[np.int64]) -> None:
        """Run the budgets of the trees, these shared out evenly among the threads."""
        if len(self._rooms) == 1:
            self._simulate_share(0, budgets)
            return
        with ThreadPoolExecutor(len(self._rooms)) as pool:
            list(pool.map(lambda thread: self._simulate_share(thread, budgets), range(len(self._rooms))))

    def _simulate_share(self, thread: int, budgets: NDArray[np.int64]) -> None:
        step = len(self._rooms)
        first, last = thread * len(budgets) // step, (thread + 1) * len(budgets) // step
        own = slice(first, last)
        search(
            self._game.kernel_rules,
            self._how,
            self._simulator.policies,
            self._rooms[thread],
            self.roots if self._settings.pooled else self.roots[own],
            self.trees[own],
            self.used[own],
            self._streams[own],
            budgets[own],
            self.control,
            thread,
        )


def _shared_out(done: int, simulations: int, trees: int) -> NDArray[np.int64]:
    """Return how many of the next simulations, after `done`, each tree runs: they take turns."""
    before = np.arange(trees - 1, -1, -1) + done
    return (before + simulations) // trees - before // trees


def _by_the_clock(started: float, seconds: float, most: int) -> Iterator[int]:
    """Yield how many simulations, at most so many, are run next until the `seconds` since `started` are over."""
    size, now = 1, started
    while now - started < seconds:
        begun = time.perf_counter()
        yield size
        now = time.perf_counter()
        fitting = size * (seconds - (now - started)) / (now - begun)
        size = max(1, min(_longer(size, fitting), most))


def _doubling() -> Iterator[int]:
    """Yield how many simulations a tree runs next, where Ctrl-C alone is waited for."""
    size = _OPENING_SLICE
    while True:
        begun = time.perf_counter()
        yield size
        if time.perf_counter() - begun < _SHORT:
            size = min(2 * size, _LONG_SLICE)


def _next_halving(size: int, done: int, begun: float, started: float, seconds: float) -> int:
    """Return how many simulations sequential halving runs next, after `size` and, since `begun`, `done` in all; 0 if the
    `seconds` since `started` are over.

    A few it runs after that too, should they take no longer than the search was given: seven decide nothing.
    """
    now = time.perf_counter()
    rate, left, missing = done / (now - begun), seconds - (now - started), _LEAST_HALVING - done
    if left > 0:
        return max(1, min(_longer(size, rate * left), _GROWTH * size, _LONGEST_HALVING))
    return missing if 0 < missing <= rate * seconds else 0


def _longer(size: int, fitting: float) -> int:
    """Return how many simulations to run next, after `size` of them, where so many fit into the time left: half of those,
    or twice as many as last if that is more.
    """
    room = int(min(fitting, _MANY))
    return min(max(2 * size, room // 2), room)
