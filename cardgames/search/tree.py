"""Search trees stored as arrays of node records, and the kernels that add nodes, find children and back up values.

Node 0 is the root. The children of a node form a linked list.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames.kernels.jit import njit
from cardgames.kernels.record_type import record_type
from cardgames.search.objective import outcome_value

NO_NODE = -1

NODE = record_type(
    __name__,
    "NODE",
    [
        ("total", "f8"),  # sum of the values of its simulations, for the seat that chose its action
        ("squares", "f8"),  # sum of their squares
        ("visits", "i4"),
        ("available", "i4"),  # how often its action was legal when its parent was visited
        ("action", "i4"),  # the action that leads here from the parent's decision
        ("child", "i4"),  # first child
        ("sibling", "i4"),  # next child of the same parent
        ("mover", "i4"),  # the seat that chose its action
        ("prior", "f4"),  # prior probability of its action, 0 without a prior
    ],
    align=True,
)
"""Record of a tree node: the decision reached by `action` from the parent node, with the statistics of that action."""


def with_capacity(trees: NDArray[Any], capacity: int) -> NDArray[Any]:
    """Return a copy of `trees` (NODE [trees, nodes]) enlarged to `capacity` nodes each."""
    larger = np.zeros((len(trees), capacity), NODE)
    larger[:, : trees.shape[1]] = trees
    return larger


@njit
def _clear(node):
    node.total = node.squares = 0.0
    node.visits = node.available = 0
    node.action = node.child = node.sibling = NO_NODE
    node.mover = 0
    node.prior = 0.0


@njit
def add_root(tree, player):
    """Make node 0 of `tree` a root without children and visits; its values are those for the seat `player`."""
    _clear(tree[0])
    tree[0].mover = player


@njit
def add_child(tree, num_nodes, parent, action, mover, prior):
    """Make node `num_nodes` of `tree` a new child of the node `parent`, for `action` of seat `mover`; return its index."""
    node = tree[num_nodes]
    _clear(node)
    node.action = action
    node.mover = mover
    node.prior = prior
    node.sibling = tree[parent].child
    tree[parent].child = num_nodes
    return num_nodes


@njit
def find_child(tree, node, action):
    """Return the index of the child of `node` for `action`, NO_NODE if there is none."""
    child = tree[node].child
    while child != NO_NODE and tree[child].action != action:
        child = tree[child].sibling
    return child


@njit
def find_child_of_mover(tree, node, action, mover):
    """Return the index of the child of `node` for `action` taken by the seat `mover`, NO_NODE if there is none."""
    child = tree[node].child
    while child != NO_NODE and (tree[child].action != action or tree[child].mover != mover):
        child = tree[child].sibling
    return child


@njit
def add_visits(node, visits, total, squares):
    """Add visits to the statistics of a node: their number, the sum of their values (`total`) and of squared values."""
    node.visits += visits
    node.total += total
    node.squares += squares


@njit
def _add_visit(node, value):
    add_visits(node, 1, value, value * value)


@njit
def backward(tree, path, depth, value):
    """Back up one simulation: add a visit with value `value` to each of the nodes `path[:depth]`."""
    for i in range(depth):
        _add_visit(tree[path[i]], value)


@njit
def backward_outcome(rules, state, tree, path, depth, objective, bounds):
    """Back up the result of the finished round `state` to the nodes `path[:depth]`.

    Each node gets a visit whose value is that of the round for the seat that took the node's action
    (`search.objective.outcome_value`, which has the arguments `objective` and `bounds`).
    """
    seat, value = -1, 0.0
    for i in range(depth):
        node = tree[path[i]]
        if node.mover != seat:
            seat = node.mover
            value = outcome_value(rules, state, seat, objective, bounds)
        _add_visit(node, value)


@njit
def add_root_children(trees, out):
    """Add the statistics of the root's actions in all trees to `out` (float64 [actions, 4]).

    The columns are number of visits, sum of values, sum of squared values, and the greatest prior over the trees.
    """
    for i in range(len(trees)):
        child = trees[i][0].child
        while child > 0:
            node = trees[i][child]
            row = out[node.action]
            row[3] = max(row[3], np.float64(node.prior))
            if node.visits > 0:
                row[0] += node.visits
                row[1] += node.total
                row[2] += node.squares
            child = node.sibling
