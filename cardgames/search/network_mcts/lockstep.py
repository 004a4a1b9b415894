"""One step of a search in lock step: many trees are walked to their leaves, which somebody else evaluates, and backed up.

The trees are those of `search.mcts.simulation`: nodes are the searching player's own decisions, everything between two of them
is played by a rule-based policy. A walk ends at a new node, after its action, where the searching player decides next.
Several walks in one tree are kept apart by a virtual loss: on its way down a walk counts as a visit worth nothing
(Chaslot, Winands, van den Herik, "Parallel Monte-Carlo Tree Search", 2008).
"""

import numpy as np

from cardgames.core import ops
from cardgames.kernels.copying import copy_record
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import below, next_word
from cardgames.search.playout import play_to_turn
from cardgames.search.selection import ucb1
from cardgames.search.tree import NO_NODE, add_child, backward, find_child

MAX_DEPTH = 64
"""Nodes of a walk, its root among them, after which it is evaluated wherever it is."""


@njit
def _choose(tree, node, legal, n, c, rng):
    """Return the legal action to go on with: a random untried one, else that of the greatest upper confidence bound."""
    best, best_bound, untried = -1, -1.0, 0
    for i in range(n):
        child = find_child(tree, node, legal[i])
        if child == NO_NODE:
            untried += 1
            if below(rng, untried) == 0:
                best = legal[i]
        elif untried == 0:
            child_node = tree[child]
            bound = ucb1(child_node.total / child_node.visits, child_node.visits, tree[node].visits, c)
            if bound > best_bound:
                best, best_bound = legal[i], bound
    return np.int64(best)


@njit
def _play_to_decision(rules, state, player, policy_id, weights, legal, rng):
    """Play on until `player` has a choice or the round is over; return the number of his actions, 0 at the end."""
    play_to_turn(rules, state, player, policy_id, weights, rng)
    while not ops.is_terminal(rules, state):
        n = ops.legal_actions(rules, state, legal)
        if n > 1:
            return n
        ops.apply_action(rules, state, np.int64(legal[0]))
        play_to_turn(rules, state, player, policy_id, weights, rng)
    return 0


@njit
def _walk(rules, state, player, tree, num_nodes, c, policy_id, weights, path, legal, rng):
    """Walk down to a new node, adding it, and play `state` on to what it is judged by; return depth and nodes used."""
    path[0] = 0
    tree[0].visits += 1
    node, depth = 0, 1
    n = ops.legal_actions(rules, state, legal)
    while n > 0 and depth < len(path):
        action = _choose(tree, node, legal, n, c, rng)
        child = find_child(tree, node, action)
        if child == NO_NODE:
            child = add_child(tree, num_nodes, node, action, player, 0.0)
        node = child
        tree[node].visits += 1
        path[depth] = node
        depth += 1
        ops.apply_action(rules, state, action)
        n = _play_to_decision(rules, state, player, policy_id, weights, legal, rng)
        if node == num_nodes:
            return depth, num_nodes + 1
    return depth, num_nodes


@njit
def select_leaves(
    rules,
    roots,
    players,
    trees,
    num_nodes,
    budgets,
    c,
    policy_id,
    weights,
    streams,
    states,
    owners,
    paths,
    depths,
    legal,
):
    """Walk tree i `budgets[i]` times from `roots[i]`; return how many leaves there are.

    Leaf k is `states[k]`, of tree `owners[k]`, reached by the nodes `paths[k, :depths[k]]`, which count it as a visit
    without value until `back_up_leaves`. `trees` is NODE [trees, capacity], `streams` STREAM [trees].
    """
    leaves = 0
    for i in range(len(trees)):
        for _ in range(budgets[i]):
            state = states[leaves]
            copy_record(state, roots[i])
            state.rng = next_word(streams[i])
            depths[leaves], num_nodes[i] = _walk(
                rules,
                state,
                players[i],
                trees[i],
                num_nodes[i],
                c,
                policy_id,
                weights,
                paths[leaves],
                legal,
                streams[i],
            )
            owners[leaves] = i
            leaves += 1
    return leaves


@njit
def back_up_leaves(trees, owners, paths, depths, values):
    """Put the leaves' values in the place of their virtual losses."""
    for k in range(len(values)):
        tree = trees[owners[k]]
        for step in range(depths[k]):
            tree[paths[k, step]].visits -= 1
        backward(tree, paths[k], depths[k], values[k])
