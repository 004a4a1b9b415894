"""The single-player tree of paper 000 (section III-B, Algorithm 1), one simulation in each of many trees at a time.

Only states in which the root's player is to move are nodes, forced moves included; between two of them the others follow
a policy, and so does he where no legal action has a Q. A simulation walks down by equation 3 to a state that is new, or
to the end of the round; somebody else predicts the Q of every legal action of the new states (its first simulation
predicts a tree's root); then equation 4 is applied from there back to the root. A parent is handed the best Q of its
child as the child has just been updated.

What follows an action depends on chance and on the others, so it leads to several states. They are told apart by what
their player sees: a hash of the encoded inputs and the legal actions. States a network cannot tell apart are one node,
but only behind the same action of the same node: nodes form a tree.
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
        ("first", "i4"),  # its edges are edges[first : first + count]; none before the state is predicted
        ("count", "i4"),
        ("parent", "i4"),  # the edge that leads here
        ("sibling", "i4"),  # next state behind the same edge
    ],
    align=True,
)

EDGE = record_type(
    __name__,
    "EDGE",
    [
        ("q", "f8"),  # Q_m(s, a): the prediction, then the mean of Q_back
        ("squares", "f8"),  # sum of the squares of Q_back
        ("visits", "i4"),  # N(s, a)
        ("action", "i4"),
        ("node", "i4"),  # the state it is taken in
        ("child", "i4"),  # first state found behind it
    ],
    align=True,
)

WALK_END = record_type(__name__, "WALK_END", [("edge", "i8"), ("node", "i8"), ("naming", "i8"), ("reward", "f8")])
"""Where a walk ended: its last edge, then a new state and by which renaming it is encoded, or NONE and the reward of
the finished round.
"""

COUNTS = record_type(__name__, "COUNTS", [("nodes", "i8"), ("edges", "i8")])

QTREE_CONFIG = record_type(
    __name__,
    "QTREE_CONFIG",
    [
        ("c", "f8"),  # equation 3's c_puct
        ("discount", "f8"),
        ("low", "f8"),  # the reward of a lost round
        ("high", "f8"),  # and of a won one
        ("encoding", "i8"),  # number of the encoding that keys are made of
        ("outputs", "i8"),  # actions that have a Q: ids below this
        ("reshuffle", "i8"),  # whether every simulation has chance of its own
    ],
)
"""How trees grow."""


@njit
def _encode_state(rules, config, state, player, hash_words, inputs, legal):
    """Encode what `player` sees into `inputs`; return how many of his actions have a Q, the key of his state, and the
    renaming it is encoded by.
    """
    naming = ops.encode(rules, state, player, config.encoding, inputs)
    n = ops.legal_actions(rules, state, legal)
    # what looks the same under another renaming is another state: its actions are others
    key = np.uint64(naming)
    for i in range(len(inputs)):
        key += np.uint64(inputs[i]) * hash_words[i]
    for i in range(n):
        key += hash_words[len(inputs) + legal[i]]
    while n > 0 and legal[n - 1] >= config.outputs:
        n -= 1
    return n, key, naming


@njit
def _choose(node, edges, c):
    """Return the edge of greatest Q + UCT (equation 3), the first of equals."""
    best, greatest = node.first, -np.inf
    for edge in range(node.first, node.first + node.count):
        bound = edges[edge].q + c * math.sqrt(node.visits / (1 + edges[edge].visits))
        if bound > greatest:
            best, greatest = edge, bound
    return best


@njit
def _best(node, edges):
    """Return the greatest Q of a state."""
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
    """Return the state with this key behind an edge, a new one if there is none."""
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
    """Play on by a policy until `player` is to move and some action has a Q; return what `_encode_state` does, no actions at the end
    of the round.
    """
    n, key, naming = 0, np.uint64(0), 0
    play_to_turn(rules, state, player, policy_id, weights, stream)
    while n == 0 and not ops.is_terminal(rules, state):
        n, key, naming = _encode_state(rules, config, state, player, hash_words, inputs, legal)
        if n == 0:
            apply_policy(rules, state, policy_id, weights, stream)
            play_to_turn(rules, state, player, policy_id, weights, stream)
    return n, key, naming


@njit
def _walk(
    rules, config, state, player, root, nodes, edges, counts, policy_id, weights, hash_words, inputs, legal, stream, end
):
    """Walk from `state` to a new state, giving it its edges, or to the end of the round; write where into `end`."""
    end.edge, end.node, end.reward = NO_INDEX, root, 0.0
    n = 0
    if nodes[root].count == 0:
        n, nodes[root].key, end.naming = _encode_state(rules, config, state, player, hash_words, inputs, legal)
    while nodes[end.node].count > 0:
        end.edge = _choose(nodes[end.node], edges, config.c)
        ops.apply_action(rules, state, np.int64(edges[end.edge].action))
        n, key, end.naming = _play_to_node(
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
    """Make the first nodes the roots, one a tree, and note who is to move in each of `roots` (states [trees, deals])."""
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
    """Walk down every tree once, from deal `number` of its `roots` (taken in turn); return how many states are new.

    New state k is that of tree `owners[k]`, its record `states[k]`, what its player sees `inputs[k]` (int8). Returns -1 if
    no legal action of a root has a Q. `hash_words` are uint64 [inputs + actions] for the keys, `ends` END [trees].
    """
    new = 0
    for i in range(len(roots)):
        state, end = states[new], ends[i]
        copy_record(state, roots[i, number % roots.shape[1]])
        if config.reshuffle:
            state.rng = next_word(streams[i])
        seat, rng, own_inputs = players[i], streams[i], inputs[new]
        _walk(
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
    """Apply equation 4 from the end of a walk back to the root."""
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
    """Give the new states their Q (`predicted`, float [new, outputs]), back up, and add what ended walks earned to
    `rewards` (float64 [trees]).
    """
    for k in range(len(owners)):
        end = ends[owners[k]]
        node = nodes[end.node]
        for at in range(node.first, node.first + node.count):
            edges[at].q = predicted[k, ops.apply_symmetry(rules, end.naming, edges[at].action)]
    for i in range(len(ends)):
        _back_up(config, nodes, edges, ends[i])
        rewards[i] += ends[i].reward


@njit
def read_roots(nodes, edges, q, visits):
    """Write Q_m and N of the roots' actions into `q` (float64 [trees, actions]) and `visits` (int64, likewise)."""
    for i in range(len(q)):
        for at in range(nodes[i].first, nodes[i].first + nodes[i].count):
            q[i, edges[at].action] = edges[at].q
            visits[i, edges[at].action] = edges[at].visits


@njit
def value(config, q):
    """Return a Q as a value in [0, 1]."""
    return normalize_value(q, config.low, config.high)


@njit
def merge_states(config, nodes, edges, num_nodes, player, merged_nodes, tree):
    """Write the tree of root 0 as a `search.tree`: states behind the same actions are one node, Q values in [0, 1].

    `num_nodes` nodes are those of `nodes` there are, `merged_nodes` int64 [used] is room; `tree` holds NODE for all edges and one
    more. Returns how many it has.
    """
    add_root(tree, player)
    size = 1
    for i in range(num_nodes):
        # a state is always found after the one it is reached from
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
