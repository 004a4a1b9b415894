"""Flat Monte Carlo search by sequential halving (Karnin, Koren, Somekh 2013), with common random numbers.

The budget is divided into rounds; after each round the worse half of the root's actions is dropped. Within a round every
remaining action is tried on the same determinizations with the same chance events, so that differences between the values
come from the actions alone. A prior can decide between actions that the playouts do not separate: `bias * log(prior)` is
added to the total of an action, as if it were a number of wins before the first simulation. This follows Danihelka et al.
2022, except that the weight of the prior fades as simulations come in.
"""

import math

import numpy as np

from cardgames.core import ops
from cardgames.kernels.copying import copy_record
from cardgames.kernels.jit import njit
from cardgames.kernels.record_type import record_type
from cardgames.kernels.rng import below, mix, next_word
from cardgames.search.mcts.simulation import DONE, FRESH, OWN, STOP, descend, set_root_priors
from cardgames.search.playout import finish_simulation

_GOLDEN_RATIO = 0.618034
ACTION_TOTALS = record_type(__name__, "ACTION_TOTALS", [("visits", "i8"), ("total", "f8")])
"""Record of one root action at one moment of a search: its visits and the sum of their values."""


@njit
def _simulate_action(rules, config, policies, workspace, root, chance_seed, tree, num_nodes, node, rng):
    """Run a simulation that starts with the action of `node` in the state `root`; return the tree's new number of nodes.

    `chance_seed` fixes all chance events of the simulation.
    """
    state = workspace.scratch[0]
    copy_record(state, root)
    if config.chance == FRESH:
        state.rng = chance_seed
    rng.rng = mix(chance_seed)
    ops.apply_action(rules, state, np.int64(tree[node].action))
    workspace.path[0], workspace.path[1] = 0, node
    depth = np.int64(2)
    if config.nodes != OWN:
        depth, num_nodes = descend(
            rules, config, policies, state, tree, num_nodes, workspace.path, depth, workspace.legal, rng
        )
    finish_simulation(
        rules,
        config,
        policies,
        workspace.solver,
        workspace.evaluator,
        workspace.bounds,
        state,
        tree,
        workspace.path,
        depth,
        rng,
    )
    return num_nodes


@njit
def golden_stride(n):
    """Return a stride that visits all `n` positions of a ring, and whose first visits are already spread evenly.

    It is n times the golden ratio (0.618), rounded down, or the next larger number coprime to n.
    """
    step = max(1, int(_GOLDEN_RATIO * n))
    while math.gcd(step, n) != 1:
        step += 1
    return step


@njit
def _biased_mean(node, bias):
    """Return the mean value of a node with the bonus of its prior included; without a visit its value counts as 0."""
    bonus = bias * math.log(node.prior) if bias > 0 else 0.0
    return (node.total + bonus) / max(1, node.visits)


@njit
def _sort_best_first(tree, candidates, n, bias):
    """Sort the first `n` node indices of `candidates` by `_biased_mean`, best first; ties keep their order."""
    for i in range(1, n):
        node, at = candidates[i], i
        while at > 0 and _biased_mean(tree[candidates[at - 1]], bias) < _biased_mean(tree[node], bias):
            candidates[at] = candidates[at - 1]
            at -= 1
        candidates[at] = node


@njit
def _drop_worse_half(tree, candidates, n, bias):
    """Sort the first `n` node indices of `candidates`, best first; return how many remain: half of them, rounded up."""
    _sort_best_first(tree, candidates, n, bias)
    return (n + 1) // 2


@njit
def _order_candidates(tree, candidates, bias, rng):
    """Sort the node indices `candidates` by `_biased_mean`, best first, with ties in random order.

    A budget too small to try all of them then goes to the most promising ones. Before the first simulation this is the
    order of the priors; if `bias` is 0, it is a random order.
    """
    for i in range(len(candidates) - 1, 0, -1):
        j = below(rng, i + 1)
        candidates[i], candidates[j] = candidates[j], candidates[i]
    _sort_best_first(tree, candidates, len(candidates), bias)


@njit
def _record_totals(tree, convergence, recorded, done, budget):
    """Record the visits and total values of the root's actions in `convergence` (ACTION_TOTALS [points, actions]).

    Point i is due once `done`, the number of simulations so far, reaches (i + 1) / points of `budget`. Fills all due points
    after the `recorded` ones that are filled already, and returns the new number of filled points.
    """
    while recorded < len(convergence) and done * len(convergence) >= (recorded + 1) * budget:
        for i in range(convergence.shape[1]):
            convergence[recorded, i].visits, convergence[recorded, i].total = tree[i + 1].visits, tree[i + 1].total
        recorded += 1
    return recorded


@njit
def halve(rules, config, policies, workspace, roots, tree, num_nodes, n, budget, rng, convergence, control):
    """Run sequential halving on the `n` children of the root, which are nodes 1 to n of `tree`.

    Runs `budget` simulations, or slightly fewer if they do not divide evenly; the last one starts with the best action.
    Determinizations are taken from `roots` with a large stride from a random start: in a sample of weighted particles equal
    and related ones are neighbors, and a small budget uses only some of them. If the budget is too small to try all
    actions, `_order_candidates` decides which ones are tried.

    `convergence` (ACTION_TOTALS [points, n], points may be 0) is filled with the visits and total values of the root's
    actions at evenly spaced points of the search. The other arguments are those of `simulation.search`, for one tree.

    Returns:
        The new number of nodes of the tree, and the index of the best action's node, 0 if the search was stopped.
    """
    candidates = np.arange(1, n + 1)
    if tree[0].visits == 0:
        set_root_priors(rules, config, policies, roots[0], tree, n)
    rounds = max(1, math.ceil(math.log2(n)))
    num_drawn = spent = recorded = 0
    total_budget, budget = budget, budget - 1
    if budget < n:
        _order_candidates(tree, candidates, config.bias, rng)
    base = next_word(rng)
    first, step = below(rng, len(roots)), golden_stride(len(roots))
    for round_index in range(rounds):
        for _ in range(max(1, (budget - spent) // ((rounds - round_index) * n))):
            chance_seed = mix(base + np.uint64(num_drawn))
            root = roots[(first + num_drawn * step) % len(roots)]
            num_drawn += 1
            for i in range(min(n, budget - spent)):
                num_nodes = _simulate_action(
                    rules, config, policies, workspace, root, chance_seed, tree, num_nodes, candidates[i], rng
                )
                control[DONE] += 1
                spent += 1
            recorded = _record_totals(tree, convergence, recorded, spent, total_budget)
            if control[STOP] and spent > 0:
                return num_nodes, np.int64(0)
        n = _drop_worse_half(tree, candidates, n, config.bias)
    root = roots[(first + num_drawn * step) % len(roots)]
    chance_seed = next_word(rng)
    num_nodes = _simulate_action(
        rules, config, policies, workspace, root, chance_seed, tree, num_nodes, candidates[0], rng
    )
    control[DONE] += 1
    _record_totals(tree, convergence, recorded, total_budget, total_budget)
    return num_nodes, candidates[0]
