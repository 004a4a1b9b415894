"""Exact solution of states from Python: `solve`, and `Solver` for many states of a game."""

import math
import time
from typing import Any

import numpy as np

from cardgames.core import ops
from cardgames.core.game import Game, check_is_game
from cardgames.core.state import State
from cardgames.search.exact.null_window import begin_proof, continue_proof
from cardgames.search.exact.principal_line import principal_line
from cardgames.search.exact.solution import Bounds, Solution
from cardgames.search.exact.solver_memory import OBJECTIVES, WIN, new_memory
from cardgames.search.exact.state_value import next_target, set_question
from cardgames.search.exact.transposition_table import copy_entries, new_table
from cardgames.support.errors import InvalidInput, check_integer_in, check_value, is_integer, unknown_name

_FIRST_ENTRIES = 1 << 14
"""Size of the transposition table at first; touching the pages of a large table would take longer than a short search."""
_SLICE = 20_000
"""Number of nodes between two looks at the clock."""
_LINE_SHARE = 4
"""The principal line may take this fraction of the nodes of the search, but at least `_SLICE`."""


class SearchStopped(Exception):
    """The search has come to a limit, whose name is the argument, or was stopped."""


def solve(
    state: State,
    objective: str = "win",
    *,
    player: int | None = None,
    max_nodes: int | None = None,
    seconds: float | None = None,
    all_actions: bool = True,
) -> Solution:
    """Solve a state: find its value when all cards are known to all, and every first action that reaches it.

    The value is what the side of a seat can force against all others together. In Dou Di Zhu a side is the landlord or
    both peasants, in Uno each seat. The order of the draw pile counts as known; what a reshuffled pile brings does not,
    and a value that depends on it is unknown. A value that is given is always exact. Ctrl-C ends the search, which then
    returns what is known.

    Args:
        state: State with all cards, not over.
        objective: `win` (value 1 for a win, 0 for a loss, and the verb `utility` for a void round), or `payoff` (the
            payoff of the seat under the rules).
        player: Seat whose value is found; by default the seat to move.
        max_nodes: Maximum number of nodes, None for no limit.
        seconds: Maximum time in seconds, None for no limit.
        all_actions: Whether to find all first actions that reach the value, and a principal line; else the first one found
            is enough.

    Raises:
        InvalidInput: If an argument is not valid, or the round is over.
    """
    if not isinstance(state, State):
        raise InvalidInput(f"solve takes a State, not {type(state).__name__}")
    return Solver(check_is_game(state.game)).solve(
        state, objective, player=player, max_nodes=max_nodes, seconds=seconds, all_actions=all_actions
    )


class Solver:
    """Solver for the states of a game. It remembers what it has proved, so that later states are faster.

    Another thread may call `stop` while `solve` runs.
    """

    def __init__(self, game: Game, table_entries: int = 1 << 20):
        """Create a solver.

        Args:
            game: Game of the states.
            table_entries: Maximum number of states that it remembers (48 bytes each).
        """
        self.game = game
        self._rules = game.kernel_rules
        self._max_entries = table_entries
        self._table = new_table(min(_FIRST_ENTRIES, table_entries))
        self._nodes_seen = 0
        self._memory = new_memory(game)
        self._task = self._memory.task[0]
        self._stopped = self._is_compiled = False
        self.nodes = 0
        """Number of nodes of the solution in progress."""

    def stop(self) -> None:
        """End the running search, which returns what is known."""
        self._stopped = True

    def solve(
        self,
        state: State,
        objective: str = "win",
        *,
        player: int | None = None,
        max_nodes: int | None = None,
        seconds: float | None = None,
        all_actions: bool = True,
    ) -> Solution:
        """Solve a state; see `solve`."""
        mover = state.mover()
        seat = mover if player is None else self.game.check_seat(player)
        _check_limits(objective, max_nodes, seconds)
        set_question(self._task, np.int64(seat), np.int64(OBJECTIVES[objective]))
        self._compile(state.record)
        started = time.perf_counter()
        self._nodes_seen += self.nodes
        self._stopped, self.nodes = False, 0
        search = _RootSearch(self, state, max_nodes, math.inf if seconds is None else started + seconds)
        stopped = ""
        line: tuple[int, ...] = ()
        try:
            search.run(all_actions)
            stopped = "" if search.is_complete() or not all_actions else "unknown cards"
            if all_actions and search.value() is not None:
                line = principal_line(self, search, state)
        except SearchStopped as limit:
            stopped = "" if search.is_complete() else str(limit)
        except KeyboardInterrupt:
            stopped = "" if search.is_complete() else "interrupted"
        lower, upper = search.bounds()
        return Solution(
            state.clone(),
            seat,
            objective,
            _unit(self.game, objective),
            lower,
            upper,
            {action: Bounds(*map(float, bounds)) for action, bounds in search.actions.items()},
            line,
            self.nodes,
            dict(search.work),
            time.perf_counter() - started,
            search.is_complete(),
            stopped,
        )

    def _compile(self, record: Any) -> None:
        """Compile the kernels, which takes long the first time, by a search that ends at once."""
        if self._is_compiled:
            return
        task = self._task
        task.target, task.horizon = 1.0, 0
        self._memory.states[0] = record
        begin_proof(self._rules, self._memory, self._table)
        continue_proof(self._rules, self._memory, self._table, np.int64(0))
        copy_entries(new_table(1), new_table(1))
        self._is_compiled = True

    def prove(self, record: Any, target: float, horizon: int, max_nodes: float, deadline: float) -> tuple[float, float]:
        """Return bounds on the value of a state record which prove that it is at least `target` or that it is less.

        The bounds contain `target` if neither can be proved within the horizon.

        Raises:
            SearchStopped: If a limit is reached first, or the search is stopped.
        """
        task = self._task
        task.target, task.horizon, task.nodes, task.cuts = target, horizon, 0, 0
        self._memory.states[0] = record
        done = 0
        try:
            begin_proof(self._rules, self._memory, self._table)
            while task.depth >= 0:
                if self._stopped:
                    raise SearchStopped("interrupted")
                if self.nodes + task.nodes - done >= max_nodes:
                    raise SearchStopped("nodes")
                if time.perf_counter() >= deadline:
                    raise SearchStopped("time")
                continue_proof(self._rules, self._memory, self._table, np.int64(min(_SLICE, max_nodes - self.nodes)))
                self.nodes += int(task.nodes) - done
                done = int(task.nodes)
                self._grow_table()
        finally:
            self.nodes += int(task.nodes) - done
        return float(task.lower), float(task.upper)

    def _grow_table(self) -> None:
        """Make the table larger if it is small for the number of nodes searched so far."""
        size = len(self._table)
        if self._nodes_seen + self.nodes > size // 2 and size < self._max_entries:
            larger = new_table(min(self._max_entries, 4 * size))
            copy_entries(self._table, larger)
            self._table = larger

    @property
    def was_cut(self) -> bool:
        """True if the horizon stopped the last proof on some line."""
        return bool(self._task.cuts > 0)

    @property
    def horizon(self) -> int:
        """Greatest horizon that the memory allows."""
        return len(self._memory.frames)

    def after(self, record: Any, action: int) -> tuple[Any, bool]:
        """Return the state record after an action, and whether its value is unknown.

        It is if the action drew from the random stream, unless it won, and only that counts.
        """
        result = record.copy()
        ops.apply_action(self._rules, result, np.int64(action))
        has_won = self._task.objective == WIN and ops.wins_at_once(self._rules, record, np.int64(action))
        return result, bool(result.rng != record.rng) and not has_won


class _RootSearch:
    """Bounds on the value of every first action of one state."""

    def __init__(self, solver: Solver, state: State, max_nodes: int | None, deadline: float):
        self.solver, self.deadline = solver, deadline
        self.max_nodes = math.inf if max_nodes is None else max_nodes
        task = solver._task
        self.least, self.greatest = float(task.least), float(task.greatest)
        game = state.game
        self.record = state.record.copy()
        ops.fix_chance(game.kernel_rules, self.record)
        self.maximizes = bool(ops.same_side(game.kernel_rules, self.record, int(task.player), state.mover()))
        self.actions = {action: (self.least, self.greatest) for action in state.legal_actions()}
        self.work = dict.fromkeys(self.actions, 0)
        self._after = {action: solver.after(self.record, action) for action in self.actions}

    def run(self, all_actions: bool) -> None:
        """Prove what is needed, with growing horizons; unless `all_actions`, stop as soon as the value is known."""
        for horizon in (*self.solver.game.solver_horizons, self.solver.horizon):
            cut = False
            # twice: an action settled early may turn out to be as good as the best one found later
            for action in 2 * self._order():
                if not all_actions and self.value() is not None:
                    return
                cut |= self._settle(action, horizon)
            if not cut:
                return

    def _order(self) -> list[int]:
        actions = list(self.actions)
        priorities = np.zeros(len(actions), np.int64)
        ops.action_priorities(self.solver._rules, self.record, np.array(actions, np.int32), priorities)
        return [actions[i] for i in np.argsort(-priorities, kind="stable")]

    def _settle(self, action: int, horizon: int) -> bool:
        """Prove bounds on the value after `action` until it is known or known not to be best.

        Returns:
            True if the horizon prevented it.
        """
        after, is_unknown = self._after[action]
        if is_unknown:
            return False
        nodes, was_cut = self.solver.nodes, False
        try:
            while not math.isnan(target := self._target(action)):
                if not self._prove(action, after, target, horizon):
                    was_cut |= self.solver.was_cut
                    target = self._other_target(action)
                    if math.isnan(target) or not self._prove(action, after, target, horizon):
                        return was_cut or self.solver.was_cut
        finally:
            self.work[action] += self.solver.nodes - nodes
        return was_cut

    def _prove(self, action: int, after: Any, target: float, horizon: int) -> bool:
        """Prove that the value after `action` reaches a target, or that it does not, and return whether one succeeded."""
        lower, upper = self.solver.prove(after, target, horizon, self.max_nodes, self.deadline)
        known = self.actions[action]
        self.actions[action] = lower, upper = max(known[0], lower), min(known[1], upper)
        return lower >= target or upper < target

    def _target(self, action: int) -> float:
        """Return the next target to prove about an action, NaN if enough is known."""
        lower, upper = self.actions[action]
        if self.maximizes:
            best = max(bounds[0] for bounds in self.actions.values())
            return float(next_target(lower, upper, best))
        # the other side moves, and the best value is the least
        best = min(bounds[1] for bounds in self.actions.values())
        if lower == upper or lower > best:
            return math.nan
        if upper > best:
            return math.nextafter(best, math.inf)
        if upper < math.inf:
            return upper
        return math.nextafter(max(lower, 0.0) if lower == -math.inf else lower, math.inf)

    def _other_target(self, action: int) -> float:
        """Return a target for an action that cannot be compared with the best one: can it be better at all? NaN for none."""
        lower, upper = self.actions[action]
        if self.maximizes:
            best = max(bounds[0] for bounds in self.actions.values())
            return math.nextafter(best, math.inf) if math.isfinite(best) and upper > best else math.nan
        best = min(bounds[1] for bounds in self.actions.values())
        return best if math.isfinite(best) and lower < best else math.nan

    def bounds(self) -> tuple[float, float]:
        """Return the bounds on the value of the state."""
        choose = max if self.maximizes else min
        return choose(lower for lower, _ in self.actions.values()), choose(upper for _, upper in self.actions.values())

    def value(self) -> float | None:
        """Return the value of the state, None if it is not known."""
        lower, upper = self.bounds()
        return lower if lower == upper else None

    def is_complete(self) -> bool:
        """Return whether the value is known, and of every first action whether it reaches it."""
        value = self.value()
        return value is not None and all(
            lower == upper or upper < value or lower > value for lower, upper in self.actions.values()
        )


def _unit(game: Game, objective: str) -> str:
    if objective == "win":
        return "win"
    return "points" if game.rules.to_dict().get("payoff") == "points" else "payoff"


def _check_limits(objective: object, max_nodes: object, seconds: object) -> None:
    """Raise `InvalidInput` unless the arguments of `solve` are valid."""
    if objective not in OBJECTIVES:
        raise unknown_name("objective", str(objective), OBJECTIVES)
    if max_nodes is not None:
        check_integer_in("max_nodes", max_nodes, 1, 1 << 62)
    is_time = seconds is None or ((is_integer(seconds) or isinstance(seconds, float)) and seconds > 0)
    check_value("seconds", seconds, "a number above 0", is_time)
