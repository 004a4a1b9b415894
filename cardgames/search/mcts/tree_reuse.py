"""Tree reuse between moves: a search begins with that part of the last one's trees which the round has come to.

In an open-loop tree the searching player's own actions lead from node to node, whatever the others did and whichever
cards were hidden. What a node then holds was found for determinizations that may meanwhile be refuted; new simulations,
on new ones, add to it.
"""

import numpy as np

from cardgames.kernels.copying import copy_record
from cardgames.kernels.jit import njit
from cardgames.search.tree import NO_NODE, add_root, add_visits, find_child


@njit
def copy_subtree(tree, path, legal, out):
    """Copy what `tree` holds below the actions `path` (int64 [n]) into the tree `out`, and return how many nodes it has.

    The root's children are those whose action is `legal` (bool [actions]); the root counts their visits alone. Nodes
    lie breadth first: a child comes after its parent.
    """
    add_root(out, tree[0].mover)
    node = np.int64(0)
    for action in path:
        node = np.int64(find_child(tree, node, action))
        if node == NO_NODE:
            return 1
    out[0].child = tree[node].child
    num_nodes, at = 1, 0
    while at < num_nodes:
        # a copied node's child is still that of the old tree, until its own turn comes
        old, out[at].child = out[at].child, NO_NODE
        while old != NO_NODE:
            child_node = tree[old]
            if at > 0 or legal[child_node.action]:
                copy_record(out[num_nodes], child_node)
                out[num_nodes].sibling, out[at].child = out[at].child, num_nodes
                num_nodes += 1
                if at == 0:
                    add_visits(out[0], child_node.visits, child_node.total, child_node.squares)
            old = child_node.sibling
        at += 1
    return num_nodes
