"""Exact value of a state as a kernel, for use inside other kernels: within a node limit, or unknown."""

import numpy as np

from cardgames.core import ops
from cardgames.kernels.copying import copy_record
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import mix
from cardgames.search.exact.null_window import begin_proof, continue_proof
from cardgames.search.exact.solver_memory import WIN


@njit
def set_question(task, player, objective):
    """Set the seat and the objective of a task, and all that depends on them."""
    task.player, task.objective = player, objective
    task.salt = mix(np.uint64(1 + player + 64 * objective))
    task.least, task.greatest = (0.0, 1.0) if objective == WIN else (-np.inf, np.inf)


@njit
def next_target(lower, upper, best):
    """Return the target of the next proof about a value in [`lower`, `upper`], NaN if none is needed.

    None is needed if the value is known, or known to be less than `best`.
    """
    if lower == upper or upper < best:
        return np.nan
    if lower < best:
        return best
    if lower == -np.inf:
        return np.nextafter(0.0, 1.0) if upper == np.inf else upper
    return np.nextafter(lower, np.inf) if upper == np.inf else upper


@njit
def state_value(rules, state, player, objective, max_nodes, table, memory):
    """Return the exact value of a state for a seat, or NaN if it is not proved within a limit.

    The value is what the side of the seat can force against all other seats. Future chance events count as the random
    stream of `state` decides them, as far as the game can fix them (`ops.fix_chance`).

    Args:
        rules: Rules of the game.
        state: State; it is not changed.
        player: Seat.
        objective: Id of an objective (`solver_memory.OBJECTIVES`).
        max_nodes: Maximum number of nodes.
        table: Transposition table (`transposition_table.new_table`) for states of the same game under the same rules.
            It may be used for other states, seats and objectives before and after.
        memory: Memory (`solver_memory.new_memory`).
    """
    task = memory.task[0]
    set_question(task, player, objective)
    task.horizon, task.nodes, task.cuts = len(memory.frames), 0, 0
    lower, upper = task.least, task.greatest
    target = next_target(lower, upper, -np.inf)
    while not np.isnan(target):
        task.target = target
        copy_record(memory.states[0], state)
        ops.fix_chance(rules, memory.states[0])
        begin_proof(rules, memory, table)
        continue_proof(rules, memory, table, max_nodes - task.nodes)
        if task.depth >= 0:
            return np.nan
        lower, upper = max(lower, task.lower), min(upper, task.upper)
        if lower < target <= upper:
            return np.nan
        target = next_target(lower, upper, -np.inf)
    return lower
