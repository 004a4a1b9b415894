"""Proof that a state's value reaches a target or misses it: alpha-beta search with a null window, without recursion.

The searching player's side maximizes a value that the other side minimizes. A node returns a lower and an upper bound on
its value. As soon as the bounds prove the target reached or missed, the other actions need not be searched (fail-soft
alpha-beta with an empty window; Knuth, Moore 1975). Bounds are stored in a transposition table. Decisions with one legal
action are not nodes.

Two things make a value unknown, and both give a state the widest bounds: a line that draws from the random stream, since
what comes then is no part of the state, and a line that is longer than the horizon. A proof never rests on an unknown value.
"""

import numpy as np

from cardgames.core import ops
from cardgames.kernels.bits import NONE
from cardgames.kernels.copying import copy_record
from cardgames.kernels.jit import njit
from cardgames.search.exact.solver_memory import WIN
from cardgames.search.exact.transposition_table import MISSING, find, slot_for

_FOREVER = np.int64(1 << 30)
"""Depth of a search that no horizon stopped."""
_MAX_FORCED = 10_000
"""Maximum number of forced actions in a row."""
_BEST_FIRST = np.int64(1 << 60)


@njit
def final_value(rules, state, task, payoffs):
    """Return the value of a finished round for the player of a task: its payoff, or 1 for a win and 0 for a loss.

    A round that nobody has won has the value of the verb `utility`.
    """
    if task.objective != WIN:
        ops.returns(rules, state, payoffs)
        return payoffs[task.player]
    if ops.won(rules, state, task.player):
        return 1.0
    for seat in range(len(payoffs)):
        if ops.won(rules, state, seat):
            return 0.0
    return ops.utility(rules, state, task.player)


@njit
def _is_known(task, table, key, depth):
    """Return whether the table answers the question of the task for a state `depth` decisions below the first one.

    The bounds that the table has for the state, or those of any state, go to `lower` and `upper` of the task, the best
    known action to `best`.
    """
    task.lower, task.upper, task.best = task.least, task.greatest, -1
    slot = find(table, key)
    if slot == MISSING:
        return False
    entry = table[slot]
    task.lower, task.upper, task.best = entry.lower, entry.upper, entry.action
    if task.lower >= task.target or task.upper < task.target:
        return True
    if entry.unresolved != task.target or entry.unresolved_depth < task.horizon - depth:
        return False
    if entry.unresolved_depth < _FOREVER:
        task.cuts += 1
    return True


@njit
def _can_win_at_once(rules, state, actions, n):
    """Return whether one of the first `n` of `actions` ends the round with a win of the seat to move."""
    for i in range(n):
        if ops.wins_at_once(rules, state, np.int64(actions[i])):
            return True
    return False


@njit
def _open_node(rules, memory, table, depth, first):
    """Begin the search of the state `memory.states[depth]`, whose actions go to `memory.actions` from index `first` on.

    Forced actions are played first.

    Returns:
        True if a decision was opened; else False, with the bounds on the state's value in `lower` and `upper` of the task.
    """
    task, state = memory.task[0], memory.states[depth]
    out = memory.actions[first:]
    is_cut = depth >= task.horizon or depth >= len(memory.frames) or len(out) < memory.max_legal_actions
    for _ in range(_MAX_FORCED):
        if ops.is_terminal(rules, state):
            task.lower = task.upper = final_value(rules, state, task, memory.payoffs)
            return False
        key = ops.state_hash(rules, state, task.objective)
        if key != NONE:
            key ^= task.salt
        if _is_known(task, table, key, depth):
            return False
        if is_cut:
            break
        n = np.int64(ops.legal_actions(rules, state, out))
        if task.objective == WIN and _can_win_at_once(rules, state, out, n):
            own = ops.same_side(rules, state, task.player, ops.current_player(rules, state))
            task.lower = task.upper = 1.0 if own else 0.0
            return False
        if n > 1:
            return _push(rules, memory, depth, first, n, key)
        stream = state.rng
        ops.apply_action(rules, state, np.int64(out[0]))
        if state.rng != stream:
            task.lower, task.upper = task.least, task.greatest
            return False
    task.cuts += 1
    return False


@njit
def _push(rules, memory, depth, first, n, key):
    """Open the decision of the state `memory.states[depth]`, which has `n` legal actions, unless its payoff is known enough.

    Returns:
        True if it was opened; else False, with the bounds on its value in `lower` and `upper` of the task.
    """
    task, state, frame = memory.task[0], memory.states[depth], memory.frames[depth]
    maximizes = ops.same_side(rules, state, task.player, ops.current_player(rules, state))
    if task.objective != WIN:
        bounds = memory.payoffs[:2]
        ops.payoff_bounds(rules, state, task.player, bounds)
        task.lower, task.upper = max(task.lower, bounds[0]), min(task.upper, bounds[1])
        if task.lower >= task.target or task.upper < task.target:
            return False
    frame.key, frame.best, frame.decided, frame.maximizes = key, task.best, 0, np.int64(maximizes)
    frame.known_lower, frame.known_upper = task.lower, task.upper
    frame.lower = frame.upper = -np.inf if maximizes else np.inf
    frame.first, frame.next, frame.end = first, first, first + n
    frame.nodes, frame.cuts = task.nodes, task.cuts
    _set_priorities(rules, memory, frame, state)
    return True


@njit
def _set_priorities(rules, memory, frame, state):
    """Write the order in which the actions of a decision are tried to `memory.priorities`: the best known one first."""
    first, end = frame.first, frame.end
    ops.action_priorities(rules, state, memory.actions[first:end], memory.priorities[first:end])
    if frame.best >= 0:
        for i in range(first, end):
            if memory.actions[i] == frame.best:
                memory.priorities[i] = _BEST_FIRST


@njit
def _next_action(memory, frame):
    """Return the untried action of the greatest priority, and count it as tried."""
    actions, priorities = memory.actions, memory.priorities
    start = frame.next
    chosen = start
    for i in range(start + 1, frame.end):
        if priorities[i] > priorities[chosen]:
            chosen = i
    action, priority = actions[chosen], priorities[chosen]
    # the actions in between move up, so that equal ones keep their order
    for i in range(chosen, start, -1):
        actions[i], priorities[i] = actions[i - 1], priorities[i - 1]
    actions[start], priorities[start] = action, priority
    frame.next = start + 1
    return np.int64(action)


@njit
def _add_bounds(memory, frame, lower, upper):
    """Take the bounds of the action just searched into account in the bounds of its decision."""
    task = memory.task[0]
    if frame.maximizes:
        if lower > frame.lower or frame.next == frame.first + 1:
            frame.best = frame.action
        frame.lower, frame.upper = max(frame.lower, lower), max(frame.upper, upper)
        if lower >= task.target:
            frame.decided, frame.upper = 1, frame.known_upper
    else:
        if upper < frame.upper or frame.next == frame.first + 1:
            frame.best = frame.action
        frame.lower, frame.upper = min(frame.lower, lower), min(frame.upper, upper)
        if upper < task.target:
            frame.decided, frame.lower = 1, frame.known_lower


@njit
def _close_node(memory, table, depth):
    """Store the bounds of the decision at `depth` in the table and in `lower` and `upper` of the task."""
    task, frame = memory.task[0], memory.frames[depth]
    task.lower = max(frame.lower, frame.known_lower)
    task.upper = min(frame.upper, frame.known_upper)
    if frame.key == NONE:
        return
    entry = table[slot_for(table, frame.key)]
    entry.lower, entry.upper = task.lower, task.upper
    entry.action = frame.best
    entry.work += task.nodes - frame.nodes + 1
    if task.lower < task.target <= task.upper:
        entry.unresolved = task.target
        entry.unresolved_depth = task.horizon - depth if task.cuts > frame.cuts else _FOREVER


@njit
def begin_proof(rules, memory, table):
    """Begin to prove that the value of `memory.states[0]` reaches the target of the task, or that it misses it.

    Forced actions are played in `memory.states[0]`. `continue_proof` does the rest; if `depth` of the task is -1, nothing
    is left to do.
    """
    task = memory.task[0]
    task.depth = 0 if _open_node(rules, memory, table, np.int64(0), np.int64(0)) else -1


@njit
def continue_proof(rules, memory, table, max_nodes):
    """Search up to `max_nodes` nodes of the proof that `begin_proof` has begun.

    The search is over when `depth` of the task is -1. Then `lower` and `upper` of the task are bounds on the value of
    the first state. They prove the target reached (`lower` >= target) or missed (`upper` < target) unless it depends on
    unknown values.
    """
    task = memory.task[0]
    end = task.nodes + max_nodes
    while task.depth >= 0 and task.nodes < end:
        depth = task.depth
        frame = memory.frames[depth]
        if frame.decided == 0 and frame.next < frame.end:
            frame.action = _next_action(memory, frame)
            task.nodes += 1
            state = memory.states[depth + 1]
            copy_record(state, memory.states[depth])
            ops.apply_action(rules, state, np.int64(frame.action))
            if state.rng != memory.states[depth].rng:
                _add_bounds(memory, frame, task.least, task.greatest)
            elif _open_node(rules, memory, table, depth + 1, np.int64(frame.end)):
                task.depth = depth + 1
            else:
                _add_bounds(memory, frame, task.lower, task.upper)
        else:
            _close_node(memory, table, depth)
            task.depth = depth - 1
            if depth > 0:
                _add_bounds(memory, memory.frames[depth - 1], task.lower, task.upper)
