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
from cardgames.search.mcts.simulation import DONE, FRESH, OWN, STOP, descend, give_priors
from cardgames.search.playout import finish

_GOLDEN = 0.618034
COURSE = np.dtype([("visits", "i8"), ("total", "f8")])
"""One of the root's actions at one moment of a search."""


@njit
def _try(rules, how, policies, room, root, word, tree, used, node, rng):
    """Run a simulation that begins with the action of `node` in the state `root`, all chance fixed by `word`; return how
    many nodes the tree has then.
    """
    state = room.scratch[0]
    copy_record(state, root)
    if how.chance == FRESH:
        state.rng = word
    rng.rng = mix(word)
    ops.apply_action(rules, state, np.int64(tree[node].action))
    room.path[0], room.path[1] = 0, node
    depth = np.int64(2)
    if how.nodes != OWN:
        depth, used = descend(rules, how, policies, state, tree, used, room.path, depth, room.legal, rng)
    finish(rules, how, policies, room.judge, state, tree, room.path, depth, rng)
    return used


@njit
def spread(n):
    """Return a step with which one comes by all of `n` places in a ring, wherever one stops having come by them evenly:
    the golden section of n, or the next number that shares no divisor with it.
    """
    step = max(1, int(_GOLDEN * n))
    while math.gcd(step, n) != 1:
        step += 1
    return step


@njit
def _worth(node, bias):
    """Return a node's mean, its prior counted in; untried it counts as lost."""
    bonus = bias * math.log(node.prior) if bias > 0 else 0.0
    return (node.total + bonus) / max(1, node.visits)


@njit
def _sort_best_first(tree, left, n, bias):
    """Sort the first `n` nodes of `left`, best first, equal ones as they were."""
    for i in range(1, n):
        node, at = left[i], i
        while at > 0 and _worth(tree[left[at - 1]], bias) < _worth(tree[node], bias):
            left[at] = left[at - 1]
            at -= 1
        left[at] = node


@njit
def _drop_worse_half(tree, left, n, bias):
    """Sort the first `n` nodes of `left`, best first, and return how many of them stay."""
    _sort_best_first(tree, left, n, bias)
    return (n + 1) // 2


@njit
def _choose_tried(tree, left, bias, rng):
    """Put those nodes of `left` first that are to be tried where there is no budget for all: those best so far, which at
    first are the likeliest by the prior, without `bias` any.
    """
    for i in range(len(left) - 1, 0, -1):
        j = below(rng, i + 1)
        left[i], left[j] = left[j], left[i]
    _sort_best_first(tree, left, len(left), bias)


@njit
def _note(tree, course, noted, done, budget):
    """Write how the root's actions stand into the rows of `course` that are due, and return how many are written."""
    while noted < len(course) and done * len(course) >= (noted + 1) * budget:
        for i in range(course.shape[1]):
            course[noted, i].visits, course[noted, i].total = tree[i + 1].visits, tree[i + 1].total
        noted += 1
    return noted


@njit
def halve(rules, how, policies, room, roots, tree, used, n, budget, rng, course, control):
    """Spend `budget` simulations, or one less where they do not divide evenly, on the `n` actions that are nodes 1 to n of
    `tree`, children of its root; the best one gets the last of them. Return how many nodes the tree has then, and the
    node of the best action, the root (0) if the search was stopped before that was told.

    The rows of `course` (COURSE [points, n], perhaps none) are filled in on the way, evenly.

    The other arguments are those of `simulate.search`. Roots are taken at a distance, from a random one on: drawn from
    weighted particles, equal and related ones lie side by side, and a small budget uses but some of them.
    Where there is no budget to try all actions it is `_choose_tried` that says which are.
    """
    left = np.arange(1, n + 1)
    if tree[0].visits == 0:
        give_priors(rules, how, policies, roots[0], tree, n)
    rounds = max(1, math.ceil(math.log2(n)))
    drawn = spent = noted = 0
    whole, budget = budget, budget - 1
    if budget < n:
        _choose_tried(tree, left, how.bias, rng)
    base = next_word(rng)
    first, step = below(rng, len(roots)), spread(len(roots))
    for ended in range(rounds):
        for _ in range(max(1, (budget - spent) // ((rounds - ended) * n))):
            word = mix(base + np.uint64(drawn))
            root = roots[(first + drawn * step) % len(roots)]
            drawn += 1
            for i in range(min(n, budget - spent)):
                used = _try(rules, how, policies, room, root, word, tree, used, left[i], rng)
                control[DONE] += 1
                spent += 1
            noted = _note(tree, course, noted, spent, whole)
            if control[STOP] and spent > 0:
                return used, np.int64(0)
        n = _drop_worse_half(tree, left, n, how.bias)
    root = roots[(first + drawn * step) % len(roots)]
    word = next_word(rng)
    used = _try(rules, how, policies, room, root, word, tree, used, left[0], rng)
    control[DONE] += 1
    _note(tree, course, noted, whole, whole)
    return used, left[0]
