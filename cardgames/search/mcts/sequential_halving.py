"""Flat Monte Carlo search by sequential halving (Karnin, Koren, Somekh 2013), on common random numbers.

The budget is spent in rounds; after each the worse half of the root's actions is dropped. Within a round every action
left is tried on the same determinizations with the same chance, so that what differs is the action alone. A prior may
speak where the playouts do not tell actions apart: `bias` times its logarithm counts like so many wins before the
first simulation (as in Danihelka et al. 2022, but fading as simulations come in).
"""

import math

import numpy as np

from cardgames.core import ops
from cardgames.kernels.copying import copy_record
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import below, mix, next_word
from cardgames.search.mcts.simulation import DONE, FRESH, OWN, STOP, descend, set_root_priors
from cardgames.search.playout import finish_simulation

_GOLDEN_RATIO = 0.618034
ACTION_TOTALS = np.dtype([("visits", "i8"), ("total", "f8")])
"""One of the root's actions at one moment of a search."""


@njit
def _simulate_action(rules, config, policies, workspace, root, chance_seed, tree, num_nodes, node, rng):
    """Run a simulation that begins with the action of `node` in the state `root`, all chance fixed by `chance_seed`; return how
    many nodes the tree has then.
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
    finish_simulation(rules, config, policies, workspace.evaluator, state, tree, workspace.path, depth, rng)
    return num_nodes


@njit
def golden_stride(n):
    """Return a step with which one comes by all of `n` places in a ring, wherever one stops having come by them evenly:
    the golden section of n, or the next number that shares no divisor with it.
    """
    step = max(1, int(_GOLDEN_RATIO * n))
    while math.gcd(step, n) != 1:
        step += 1
    return step


@njit
def _biased_mean(node, bias):
    """Return a node's mean, its prior counted in; untried it counts as lost."""
    bonus = bias * math.log(node.prior) if bias > 0 else 0.0
    return (node.total + bonus) / max(1, node.visits)


@njit
def _sort_best_first(tree, candidates, n, bias):
    """Sort the first `n` nodes of `candidates`, best first, equal ones as they were."""
    for i in range(1, n):
        node, at = candidates[i], i
        while at > 0 and _biased_mean(tree[candidates[at - 1]], bias) < _biased_mean(tree[node], bias):
            candidates[at] = candidates[at - 1]
            at -= 1
        candidates[at] = node


@njit
def _drop_worse_half(tree, candidates, n, bias):
    """Sort the first `n` nodes of `candidates`, best first, and return how many of them stay."""
    _sort_best_first(tree, candidates, n, bias)
    return (n + 1) // 2


@njit
def _order_candidates(tree, candidates, bias, rng):
    """Put those nodes of `candidates` first that are to be tried where there is no budget for all: those best so far, which at
    first are the likeliest by the prior, without `bias` any.
    """
    for i in range(len(candidates) - 1, 0, -1):
        j = below(rng, i + 1)
        candidates[i], candidates[j] = candidates[j], candidates[i]
    _sort_best_first(tree, candidates, len(candidates), bias)


@njit
def _record_totals(tree, convergence, recorded, done, budget):
    """Write how the root's actions stand into the rows of `convergence` that are due, and return how many are written."""
    while recorded < len(convergence) and done * len(convergence) >= (recorded + 1) * budget:
        for i in range(convergence.shape[1]):
            convergence[recorded, i].visits, convergence[recorded, i].total = tree[i + 1].visits, tree[i + 1].total
        recorded += 1
    return recorded


@njit
def halve(rules, config, policies, workspace, roots, tree, num_nodes, n, budget, rng, convergence, control):
    """Spend `budget` simulations, or one less where they do not divide evenly, on the `n` actions that are nodes 1 to n of
    `tree`, children of its root; the best one gets the last of them. Return how many nodes the tree has then, and the
    node of the best action, the root (0) if the search was stopped before that was told.

    The rows of `convergence` (COURSE [points, n], perhaps none) are filled in on the way, evenly.

    The other arguments are those of `simulate.search`. Roots are taken at a distance, from a random one on: drawn from
    weighted particles, equal and related ones lie side by side, and a small budget uses but some of them.
    Where there is no budget to try all actions it is `_order_candidates` that says which are.
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
