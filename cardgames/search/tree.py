"""Search trees as arrays of node records; node 0 is the root, a node's children are a linked list."""

import math

import numpy as np

from cardgames.core.jit import njit

NO_NODE = -1

NODE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("total", "f8"),  # sum of the values of its simulations
                ("squares", "f8"),  # sum of their squares
                ("visits", "i4"),
                ("action", "i4"),  # the action that leads here from the parent's decision
                ("child", "i4"),  # first child
                ("sibling", "i4"),  # next child of the same parent
            ],
            align=True,
        ),
    )
)


@njit
def add_root(tree):
    """Make node 0 an empty root."""
    root = tree[0]
    root.total = root.squares = 0.0
    root.visits = 0
    root.action = root.child = root.sibling = NO_NODE


@njit
def add_child(tree, used, parent, action):
    """Make node `used` a child of `parent` and return it."""
    node = tree[used]
    node.total = node.squares = 0.0
    node.visits = 0
    node.action = action
    node.child = NO_NODE
    node.sibling = tree[parent].child
    tree[parent].child = used
    return used


@njit
def backward(tree, path, depth, value):
    """Add the value of one simulation to the nodes `path[:depth]`."""
    for i in range(depth):
        node = tree[path[i]]
        node.visits += 1
        node.total += value
        node.squares += value * value


@njit
def ucb1(tree, parent, node, c):
    """Return the upper confidence bound of a visited child (paper 001, equation 1)."""
    n = tree[node].visits
    return tree[node].total / n + c * math.sqrt(math.log(tree[parent].visits) / n)
