"""Open-loop Monte Carlo tree search (paper 001, 3.1 and 3.2.1): nodes are the searching player's own decisions.

Everything between two of his decisions (other players, chance) is played by a simulator, so the same node is reached
with different cards; which of its actions are legal is looked up anew each time. Each tree has one determinization of
the hidden cards; the order of the draw pile is drawn anew for every simulation.
"""

import numpy as np

from cardgames.core import ops
from cardgames.core.jit import njit
from cardgames.core.records import copy_record
from cardgames.core.rng import below, next_word
from cardgames.search.tree import NO_NODE, add_child, backward, ucb1

STOP, DONE = 0, 1
"""Places in the `control` array (int64 [2]) a running search shares with other threads: set to stop it; simulations so
far."""


@njit
def _untried(tree, node, legal, n, rng):
    """Return a random one of the legal actions that have no child yet, -1 if all have."""
    left = n
    child = tree[node].child
    while child != NO_NODE:
        for i in range(left):
            if legal[i] == tree[child].action:
                left -= 1
                legal[i], legal[left] = legal[left], legal[i]
                break
        child = tree[child].sibling
    return np.int64(legal[below(rng, left)]) if left > 0 else -1


@njit
def _best_child(tree, node, legal, n, c):
    """Return the child with the greatest upper confidence bound among those whose action is legal now."""
    best, best_bound = NO_NODE, -1.0
    child = tree[node].child
    while child != NO_NODE:
        for i in range(n):
            if legal[i] == tree[child].action:
                bound = ucb1(tree, node, child, c)
                if bound > best_bound:
                    best, best_bound = child, bound
                break
        child = tree[child].sibling
    return best


@njit
def playout(rules, state, which, rng):
    """Play a round to its end by the rule-based policy `which`."""
    while not ops.is_terminal(rules, state):
        ops.apply_action(rules, state, ops.policy(rules, state, which, rng))


@njit
def _descend(rules, state, player, tree, used, c, which, path, legal, rng):
    """Walk down the tree until a new node is added or the round ends; return the depth of the path and the nodes used."""
    node, depth = 0, 1
    path[0] = 0
    while not ops.is_terminal(rules, state):
        if ops.current_player(rules, state) != player:
            ops.apply_action(rules, state, ops.policy(rules, state, which, rng))
            continue
        n = ops.legal_actions(rules, state, legal)
        if n == 1 and node != 0:
            ops.apply_action(rules, state, np.int64(legal[0]))
            continue
        action = _untried(tree, node, legal, n, rng)
        if action < 0:
            node = _best_child(tree, node, legal, n, c)
            action = np.int64(tree[node].action)
        else:
            node = add_child(tree, used, node, action)
            used += 1
        path[depth] = node
        depth += 1
        ops.apply_action(rules, state, action)
        if tree[node].visits == 0:
            break
    return depth, used


@njit
def simulate(rules, root, player, tree, used, c, which, scratch, path, legal, rng):
    """Run one simulation from the state `root` and return the number of nodes the tree has then."""
    state = scratch[0]
    copy_record(state, root)
    state.rng = next_word(rng)
    depth, used = _descend(rules, state, player, tree, used, c, which, path, legal, rng)
    playout(rules, state, which, rng)
    backward(tree, path, depth, ops.evaluate(rules, state, player))
    return used


@njit
def search(rules, roots, player, trees, used, budgets, c, which, scratch, path, legal, rng, control):
    """Run `budgets[i]` simulations on tree i from the determinization `roots[i]`, turn about, until done or told to
    stop.

    `trees` is NODE [trees, capacity], `used` int64 [trees] the nodes each tree has, `path` int64 [capacity + 1],
    `legal` int16 [actions], `scratch` one state record.
    """
    rounds = 0
    for i in range(len(budgets)):
        rounds = max(rounds, budgets[i])
    for turn in range(rounds):
        for i in range(len(budgets)):
            if control[STOP]:
                return
            if turn < budgets[i]:
                used[i] = simulate(rules, roots[i], player, trees[i], used[i], c, which, scratch, path, legal, rng)
                control[DONE] += 1
