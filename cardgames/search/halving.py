"""Flat Monte Carlo search by sequential halving (Karnin, Koren, Somekh 2013), on common random numbers.

The budget is spent in rounds; after each the worse half of the root's actions is dropped. Within a round every action
left is tried on the same determinizations with the same chance, so that what differs is the action alone.
"""

import math

import numpy as np

from cardgames.core import ops
from cardgames.core.jit import njit
from cardgames.core.records import copy_record
from cardgames.core.rng import mix, next_word
from cardgames.search.simulate import DONE, FRESH, STOP, playout
from cardgames.search.tree import backward_outcome


@njit
def _try(rules, how, root, word, tree, node, which, weights, scratch, path, rng):
    """Play the action of `node` from the state `root` and to the end, all chance fixed by `word`."""
    state = scratch[0]
    copy_record(state, root)
    if how.chance == FRESH:
        state.rng = word
    rng.rng = mix(word)
    ops.apply_action(rules, state, np.int64(tree[node].action))
    playout(rules, how, state, which, weights, rng)
    path[0], path[1] = 0, node
    backward_outcome(rules, state, tree, path, 2)


@njit
def _drop_worse_half(tree, left, n):
    """Sort the first `n` nodes of `left` by mean, best first, and return how many of them stay."""
    for i in range(1, n):
        node, at = left[i], i
        while at > 0 and tree[left[at - 1]].total * tree[node].visits < tree[node].total * tree[left[at - 1]].visits:
            left[at] = left[at - 1]
            at -= 1
        left[at] = node
    return (n + 1) // 2


@njit
def halve(rules, how, roots, tree, n, budget, which, weights, scratch, path, rng, control):
    """Spend `budget` simulations on the `n` actions that are nodes 1 to n of `tree`, children of its root.

    The arguments are those of `simulate.search`.
    """
    left = np.arange(1, n + 1)
    rounds = max(1, math.ceil(math.log2(n)))
    drawn = spent = 0
    base = next_word(rng)
    for _ in range(rounds):
        for _ in range(max(1, budget // (rounds * n))):
            if control[STOP]:
                return
            word = mix(base + np.uint64(drawn))
            root = roots[drawn % len(roots)]
            drawn += 1
            for i in range(min(n, budget - spent)):
                _try(rules, how, root, word, tree, left[i], which, weights, scratch, path, rng)
                control[DONE] += 1
                spent += 1
        n = _drop_worse_half(tree, left, n)
