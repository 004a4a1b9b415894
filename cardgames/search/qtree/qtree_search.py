"""Kernels of paper 000's single-player tree search (section III-B, Algorithm 1), one simulation per tree at a time.

The nodes are the states in which the root's player is to move, forced actions included. Between two of them the other
players follow a policy, and so does the root's player where no legal action has a Q. A simulation descends by equation 3
to a new state or to the end of the round. The caller predicts the Q of every legal action of the new states; in the first
simulation the new state is the root. Then equation 4 is applied from there back to the root, where each parent receives the
greatest Q of the child that was just updated.

Chance and the other players can lead from one action to several states. A state is identified by a hash of the encoded
view of its player and the legal actions. States with equal hashes share a node only behind the same action of the same
node, so the nodes form a tree.
"""

import math

import numpy as np

from cardgames.core import ops
from cardgames.kernels.copying import copy_record
from cardgames.kernels.jit import njit
from cardgames.kernels.record_type import record_type
from cardgames.kernels.rng import next_word
from cardgames.search.network_evaluator import normalize_value
from cardgames.search.playout import apply_policy, play_to_turn
from cardgames.search.tree import NO_NODE, add_child, add_root, add_visits, find_child

NO_INDEX = -1

STATE_NODE = record_type(
    __name__,
    "STATE_NODE",
    [
        ("key", "u8"),  # hash of what the player sees
        ("visits", "i4"),  # N(s)
        ("first", "i4"),  # its edges are edges[first : first + count]; none before its Q are predicted
        ("count", "i4"),
        ("parent", "i4"),  # the edge that leads here
        ("sibling", "i4"),  # next state behind the same edge
    ],
    align=True,
)
"""Record of a node: a state in which the root's player is to move."""

EDGE = record_type(
    __name__,
    "EDGE",
    [
        ("q", "f8"),  # Q_m(s, a): the prediction, after the first visit the mean of Q_back
        ("squares", "f8"),  # sum of the squares of Q_back
        ("visits", "i4"),  # N(s, a)
        ("action", "i4"),
        ("node", "i4"),  # the state in which it is taken
        ("child", "i4"),  # first state reached by it
    ],
    align=True,
)
"""Record of an edge: a legal action in the state of a node, with its Q and visit count."""

WALK_END = record_type(__name__, "WALK_END", [("edge", "i8"), ("node", "i8"), ("symmetry_id", "i8"), ("reward", "f8")])
"""Record of where a descent of a tree ended.

`edge` is the last edge, NO_INDEX at the root. `node` is the new state and `symmetry_id` the symmetry under which it was
encoded; if the round ended instead, `node` is NO_INDEX and `reward` the reward of the round.
"""

COUNTS = record_type(__name__, "COUNTS", [("nodes", "i8"), ("edges", "i8")])
"""Record of how many nodes and edges of the shared arrays are in use."""

QTREE_CONFIG = record_type(
    __name__,
    "QTREE_CONFIG",
    [
        ("c", "f8"),  # equation 3's c_puct
        ("discount", "f8"),
        ("low", "f8"),  # reward of a lost round
        ("high", "f8"),  # reward of a won round
        ("encoding", "i8"),  # id of the encoding that keys are computed from
        ("outputs", "i8"),  # actions with an id below this have a Q
        ("reshuffle", "i8"),  # whether every simulation draws its own chance events
    ],
)
"""Options of a single-player tree search as a record for kernels; see `search.qtree.batched_qtree.QForestSettings`."""


@njit
def _encode_state(rules, config, state, player, hash_words, inputs, legal):
    """Write the encoded view of `player` into `inputs`, and the legal actions into `legal`.

    Returns the number of legal actions that have a Q, the hash key that identifies the state, and the id of the symmetry
    under which it was encoded.
    """
    symmetry_id = ops.encode(rules, state, player, config.encoding, inputs)
    n = ops.legal_actions(rules, state, legal)
    # equal inputs under different symmetries are different states: their actions differ
    key = np.uint64(symmetry_id)
    for i in range(len(inputs)):
        key += np.uint64(inputs[i]) * hash_words[i]
    for i in range(n):
        key += hash_words[len(inputs) + legal[i]]
    while n > 0 and legal[n - 1] >= config.outputs:
        n -= 1
    return n, key, symmetry_id


@njit
def _choose(node, edges, c):
    """Return the index of the edge of `node` with the greatest Q + c * sqrt(N(s) / (1 + N(s, a))) (paper 000, equation 3).

    Among equals it is the first one.
    """
    best, greatest = node.first, -np.inf
    for edge in range(node.first, node.first + node.count):
        bound = edges[edge].q + c * math.sqrt(node.visits / (1 + edges[edge].visits))
        if bound > greatest:
            best, greatest = edge, bound
    return best


@njit
def _best(node, edges):
    """Return the greatest Q among the edges (actions) of `node`."""
    best = -np.inf
    for edge in range(node.first, node.first + node.count):
        best = max(best, edges[edge].q)
    return best


@njit
def _add_node(nodes, at, edge, key, sibling):
    node = nodes[at]
    node.key = key
    node.visits = node.first = node.count = 0
    node.parent = edge
    node.sibling = sibling


@njit
def _add_edges(nodes, edges, counts, at, legal, n):
    nodes[at].first, nodes[at].count = counts.edges, n
    for i in range(n):
        edge = edges[counts.edges + i]
        edge.q = edge.squares = 0.0
        edge.visits = 0
        edge.action = legal[i]
        edge.node = at
        edge.child = NO_INDEX
    counts.edges += n


@njit
def _find_or_add_state(nodes, edges, counts, edge, key):
    """Return the index of the node with hash `key` among the states reached by `edge`; add one if there is none."""
    node = edges[edge].child
    while node != NO_INDEX and nodes[node].key != key:
        node = nodes[node].sibling
    if node == NO_INDEX:
        node = counts.nodes
        _add_node(nodes, node, edge, key, edges[edge].child)
        edges[edge].child = node
        counts.nodes += 1
    return node


@njit
def _play_to_node(rules, config, state, player, policy_id, weights, hash_words, inputs, legal, stream):
    """Play on by the policy `policy_id` until `player` is to move with a legal action that has a Q, or the round ends.

    Returns the number of legal actions that have a Q (0 if the round ended), the hash key of the state, and the id of the
    symmetry under which it was encoded.
    """
    n, key, symmetry_id = 0, np.uint64(0), 0
    play_to_turn(rules, state, player, policy_id, weights, stream)
    while n == 0 and not ops.is_terminal(rules, state):
        n, key, symmetry_id = _encode_state(rules, config, state, player, hash_words, inputs, legal)
        if n == 0:
            apply_policy(rules, state, policy_id, weights, stream)
            play_to_turn(rules, state, player, policy_id, weights, stream)
    return n, key, symmetry_id


@njit
def _descend(
    rules, config, state, player, root, nodes, edges, counts, policy_id, weights, hash_words, inputs, legal, stream, end
):
    """Descend from the node `root` to a new state, or to the end of the round, and play the actions in `state`.

    The edges of a new state are added to `edges`. `end` (a WALK_END record) receives where the descent ended.
    """
    end.edge, end.node, end.reward = NO_INDEX, root, 0.0
    n = 0
    if nodes[root].count == 0:
        n, nodes[root].key, end.symmetry_id = _encode_state(rules, config, state, player, hash_words, inputs, legal)
    while nodes[end.node].count > 0:
        end.edge = _choose(nodes[end.node], edges, config.c)
        ops.apply_action(rules, state, np.int64(edges[end.edge].action))
        n, key, end.symmetry_id = _play_to_node(
            rules, config, state, player, policy_id, weights, hash_words, inputs, legal, stream
        )
        if n == 0:
            end.node = NO_INDEX
            end.reward = config.low + (config.high - config.low) * ops.utility(rules, state, player)
            return
        end.node = _find_or_add_state(nodes, edges, counts, end.edge, key)
    _add_edges(nodes, edges, counts, end.node, legal, n)


@njit
def initialize_roots(rules, roots, players, nodes, counts):
    """Make node i the root of tree i, and write the seat to move in `roots` (states [trees, deals]) into `players`."""
    for i in range(len(roots)):
        players[i] = ops.current_player(rules, roots[i, 0])
        _add_node(nodes, i, NO_INDEX, np.uint64(0), NO_INDEX)
    counts.nodes, counts.edges = len(roots), 0


@njit
def walk_trees(
    rules,
    config,
    roots,
    number,
    players,
    nodes,
    edges,
    counts,
    policy_id,
    weights,
    hash_words,
    streams,
    states,
    inputs,
    owners,
    ends,
    legal,
):
    """Descend every tree i once, from the state `roots[i, number % deals]`; return the number of new states reached.

    New state k was reached in tree `owners[k]`; its record is `states[k]`, and `inputs[k]` (int8) is the encoded view of its
    player. `ends` (WALK_END [trees]) receives where each descent ended. `hash_words` (uint64 [inputs + actions]) are the
    random coefficients of the hash keys of states. Returns -1 if no legal action of a root has a Q.
    """
    new = 0
    for i in range(len(roots)):
        state, end = states[new], ends[i]
        copy_record(state, roots[i, number % roots.shape[1]])
        if config.reshuffle:
            state.rng = next_word(streams[i])
        seat, rng, own_inputs = players[i], streams[i], inputs[new]
        _descend(
            rules,
            config,
            state,
            seat,
            i,
            nodes,
            edges,
            counts,
            policy_id,
            weights,
            hash_words,
            own_inputs,
            legal,
            rng,
            end,
        )
        if end.node != NO_INDEX:
            if nodes[end.node].count == 0:
                return -1
            owners[new] = i
            new += 1
    return new


@njit
def _back_up(config, nodes, edges, end):
    """Update Q and visit counts on the path from the `end` of a descent back to the root (paper 000, equation 4).

    Each edge averages in the discounted greatest Q of the state that it led to, or the reward of a finished round.
    """
    back = end.reward if end.node == NO_INDEX else config.discount * _best(nodes[end.node], edges)
    at = end.edge
    while at != NO_INDEX:
        edge = edges[at]
        edge.q = (edge.q * edge.visits + back) / (edge.visits + 1)
        edge.squares += back * back
        edge.visits += 1
        node = nodes[edge.node]
        node.visits += 1
        back = config.discount * _best(node, edges)
        at = node.parent


@njit
def back_up_trees(rules, config, nodes, edges, ends, owners, predicted, rewards):
    """Set the Q of the new states' actions from the predictions, and back up the last descent of every tree.

    `predicted` (float [new states, outputs]) belongs to the states of the trees `owners`; `ends` says where each descent
    ended. The rewards of finished rounds are added to `rewards` (float64 [trees]).
    """
    for k in range(len(owners)):
        end = ends[owners[k]]
        node = nodes[end.node]
        for at in range(node.first, node.first + node.count):
            edges[at].q = predicted[k, ops.apply_symmetry(rules, end.symmetry_id, edges[at].action)]
    for i in range(len(ends)):
        _back_up(config, nodes, edges, ends[i])
        rewards[i] += ends[i].reward


@njit
def read_roots(nodes, edges, q, visits):
    """Copy Q and visit counts of the roots' actions into `q` (float64 [trees, actions]) and `visits` (int64, same shape)."""
    for i in range(len(q)):
        for at in range(nodes[i].first, nodes[i].first + nodes[i].count):
            q[i, edges[at].action] = edges[at].q
            visits[i, edges[at].action] = edges[at].visits


@njit
def value(config, q):
    """Map a Q linearly to [0, 1], from `config.low` (lost round) to `config.high` (won round), clipped."""
    return normalize_value(q, config.low, config.high)


@njit
def merge_states(config, nodes, edges, num_nodes, player, merged_nodes, tree):
    """Convert the tree of root 0 to the node records of `search.tree`, and return the number of nodes written into `tree`.

    States reached by the same actions become one node, and each Q becomes a value in [0, 1]. `num_nodes` is the number of
    `nodes` in use, `merged_nodes` (int64 [num_nodes]) is scratch, and `tree` (NODE) has room for all edges and the root.
    """
    add_root(tree, player)
    size = 1
    for i in range(num_nodes):
        # a state always has a greater index than the one before it, whose merged node is therefore known
        merged_nodes[i] = 0 if i == 0 else merged_nodes[edges[nodes[i].parent].node]
        if i > 0:
            merged_nodes[i] = find_child(tree, merged_nodes[i], edges[nodes[i].parent].action)
        for at in range(nodes[i].first, nodes[i].first + nodes[i].count):
            edge = edges[at]
            if edge.visits == 0:
                continue
            child = find_child(tree, merged_nodes[i], edge.action)
            if child == NO_NODE:
                child = add_child(tree, size, merged_nodes[i], edge.action, player, 0.0)
                size += 1
            mean = value(config, edge.q)
            variance = (edge.squares / edge.visits - edge.q * edge.q) / (config.high - config.low) ** 2
            squares = mean * mean + max(0.0, variance)
            add_visits(tree[child], edge.visits, edge.visits * mean, edge.visits * squares)
            if i == 0:
                add_visits(tree[0], edge.visits, edge.visits * mean, edge.visits * squares)
    return size
