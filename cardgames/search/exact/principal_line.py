"""Principal line of a solved state: a line of play in which every action of both sides keeps the value."""

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from cardgames.core import ops
from cardgames.core.state import State

if TYPE_CHECKING:
    from cardgames.search.exact.solver import Solver

_MAX_LINE = 1000


def principal_line(solver: "Solver", search: Any, state: State) -> tuple[int, ...]:
    """Return a line in which the side that is ahead plays on to the value, and the other one makes it as hard as it can.

    Args:
        solver: Solver that has solved the state; what it remembers makes the line fast.
        search: Its root search, with the bounds of the first actions.
        state: State that was solved.

    Raises:
        solver.SearchStopped: If a limit of the search is reached.
    """
    value = search.value()
    best = [action for action, bounds in search.actions.items() if bounds[0] == bounds[1] == value]
    line: list[int] = []
    record = search.record
    while best and len(line) < _MAX_LINE:
        ahead = _is_ahead(value, search.maximizes if not line else _maximizes(solver, state, record), search)
        action = best[0] if ahead or line else max(best, key=lambda action: search.work[action])
        line.append(action)
        record, _ = solver.after(record, action)
        best = _keeping(solver, search, state, record, value)
    return tuple(line)


def _maximizes(solver: "Solver", state: State, record: Any) -> bool:
    rules = state.game.kernel_rules
    return bool(ops.same_side(rules, record, int(solver._task.player), int(ops.current_player(rules, record))))


def _is_ahead(value: float, maximizes: bool, search: Any) -> bool:
    """Return whether the side to move has a good value, one that it need only keep."""
    middle = (search.least + search.greatest) / 2 if math.isfinite(search.least) else 0.0
    return value > middle if maximizes else value < middle


def _keeping(solver: "Solver", search: Any, state: State, record: Any, value: float) -> list[int]:
    """Return actions that keep the value in a state record: one for the side ahead, the hardest first for the other."""
    rules = state.game.kernel_rules
    out = np.empty(state.game.max_legal_actions, np.int32)
    actions = out[: ops.legal_actions(rules, record, out)]
    if len(actions) == 0:
        return []
    maximizes = _maximizes(solver, state, record)
    priorities = np.zeros(len(actions), np.int64)
    ops.action_priorities(rules, record, actions, priorities)
    ahead = _is_ahead(value, maximizes, search)
    kept: list[tuple[int, int]] = []
    for i in np.argsort(-priorities, kind="stable"):
        after, is_unknown = solver.after(record, int(actions[i]))
        if is_unknown:
            continue
        nodes = solver.nodes
        target = value if maximizes else math.nextafter(value, math.inf)
        lower, upper = solver.prove(after, target, solver.horizon, search.max_nodes, search.deadline)
        if (lower >= value) if maximizes else (upper <= value):
            kept.append((solver.nodes - nodes, int(actions[i])))
            if ahead:
                break
    return [action for _, action in sorted(kept, key=lambda pair: -pair[0])]
