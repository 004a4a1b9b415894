"""Tree reuse: a search starts from the subtrees of the player's last search below the actions it has played since then.

In an open-loop tree the searching player's own actions lead from node to node, whatever the other players did and whichever
cards were hidden. The statistics of a reused node come from the old determinizations, which later events may have ruled
out; simulations on new determinizations are added to them.
"""

import numpy as np

from cardgames.kernels.copying import copy_record
from cardgames.kernels.jit import njit
from cardgames.search.tree import NO_NODE, add_root, add_visits, find_child


@njit
def copy_subtree(tree, path, legal, out):
    """Copy the subtree of `tree` below the actions `path` (int64 [n]) into `out`; return the subtree's number of nodes.

    The new root gets only children whose action is legal (`legal`: bool [actions]), and its visits are the sum of theirs.
    Nodes are stored breadth first, so a child comes after its parent. If `tree` has no node at the end of `path`, `out`
    becomes a root without children.
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
        # until its own turn comes, the `child` field of a copied node holds an index of the old tree
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
