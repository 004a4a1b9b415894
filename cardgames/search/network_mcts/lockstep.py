"""Kernels of a tree search in lockstep: descend many trees to new leaves, and back up the values of the leaves.

The caller evaluates the leaves between the two kernels. The nodes of a tree are the searching player's own decisions, as in
`search.mcts.simulation` by default, and a rule-based policy plays everything between two of them. A descent adds one node,
plays its action and goes on to the searching player's next decision, which is the leaf. Virtual losses lead several descents
in one tree to different leaves: until it is backed up, a descent counts as a visit of value 0 (Chaslot, Winands, van den
Herik, "Parallel Monte-Carlo Tree Search", 2008).
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
"""Largest number of nodes on the path of a descent, root included; a descent this long ends there and is evaluated."""


@njit
def _choose(tree, node, legal, n, c, rng):
    """Return the action to follow from `node`: a random untried one of the `n` legal actions in `legal`.

    If all of them are tried, return the one with the greatest UCB1 bound.
    """
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
    """Play on in `state` until `player` has at least two legal actions, or the round is over.

    The other players follow the policy `policy_id`. Returns the number of legal actions, 0 if the round is over.
    """
    play_to_turn(rules, state, player, policy_id, weights, rng)
    while not ops.is_terminal(rules, state):
        n = ops.legal_actions(rules, state, legal)
        if n > 1:
            return n
        ops.apply_action(rules, state, np.int64(legal[0]))
        play_to_turn(rules, state, player, policy_id, weights, rng)
    return 0


@njit
def _descend(rules, state, player, tree, num_nodes, c, policy_id, weights, path, legal, rng):
    """Descend from the root to a new node, add it, and play on in `state` to the player's next decision, the leaf.

    Writes the nodes passed into `path` and adds a visit to each. Returns the number of nodes in `path` and the new number of
    nodes of the tree.
    """
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
    """Descend tree i `budgets[i]` times from the state `roots[i]`, for every i; return the number of leaves in all trees.

    Leaf k is the state `states[k]` of tree `owners[k]`, reached through the nodes `paths[k, :depths[k]]`. Until
    `back_up_leaves` is called, the leaf counts as a visit of value 0 in each of these nodes.

    Args:
        rules: Kernel rules of the game.
        roots: Determinizations (states [trees]).
        players: Searching seat of each tree (int64 [trees]).
        trees: NODE [trees, capacity].
        num_nodes: Number of nodes of each tree (int64 [trees]), updated.
        budgets: Number of descents in each tree (int64 [trees]).
        c: Exploration constant.
        policy_id: Id of the policy that plays between two decisions of the searching player.
        weights: Weights of the policy `policy_id`.
        streams: Random stream of each tree (STREAM [trees]).
        states: Output, state of each leaf [leaves].
        owners: Output, index of each leaf's tree (int64 [leaves]).
        paths: Output, indices of the nodes on the way to each leaf (int64 [leaves, MAX_DEPTH]).
        depths: Output, number of nodes on the way to each leaf (int64 [leaves]).
        legal: Scratch array for legal actions.
    """
    leaves = 0
    for i in range(len(trees)):
        for _ in range(budgets[i]):
            state = states[leaves]
            copy_record(state, roots[i])
            state.rng = next_word(streams[i])
            depths[leaves], num_nodes[i] = _descend(
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
    """Back up the values of the leaves (`values`: float64 [leaves]) in place of their virtual losses.

    `owners`, `paths` and `depths` are outputs of `select_leaves`: tree, nodes on the way and their number for each leaf.
    """
    for k in range(len(values)):
        tree = trees[owners[k]]
        for step in range(depths[k]):
            tree[paths[k, step]].visits -= 1
        backward(tree, paths[k], depths[k], values[k])
