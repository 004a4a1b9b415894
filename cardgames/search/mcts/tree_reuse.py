"""Tree reuse between moves: a search begins with that part of the last one's trees which the round has come to.

In an open-loop tree the searching player's own actions lead from node to node, whatever the others did and whichever
cards were hidden. What a node then holds was found for determinizations that may meanwhile be refuted; new simulations,
on new ones, add to it.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Optional

import numpy as np

from cardgames.core.events import ACTION
from cardgames.core.observation import Observation
from cardgames.kernels.copying import copy_record
from cardgames.kernels.jit import njit
from cardgames.search.tree import NO_NODE, add_many, add_root, child_by

if TYPE_CHECKING:
    from cardgames.search.mcts.forest import Forest


@dataclass(frozen=True)
class Memory:
    """An agent's last search, and where its player has gone since."""

    forest: "Forest"
    seen: Observation
    """What the player saw when last asked."""
    path: tuple[int, ...] = ()
    """The actions that lead from the roots to that decision's nodes, or, if it was `forced`, to those of the next one."""
    forced: bool = False
    """Whether that decision had one action only: such decisions are no nodes."""

    def follow(self, seen: Observation) -> Optional["Memory"]:
        """Return the memory of the same player asked again, None unless `seen` is his next decision in the same round
        and the cards were not dealt again since.
        """
        if not _continues(self.seen, seen):
            return None
        news = seen.events[len(self.seen.events) :]
        own = [int(value) for kind, seat, value in news if kind == ACTION and seat == seen.player]
        if len(own) != 1 or any(kind == seen.game.belief.redeal_event for kind, _, _ in news):
            return None
        path = self.path if self.forced else (*self.path, own[0])
        return replace(self, seen=seen, path=path, forced=len(seen.legal_actions) == 1)


def _continues(before: Observation, after: Observation) -> bool:
    """Return whether `after` is what the player of `before` sees later in the same round."""
    if (before.player, before.first) != (after.player, after.first):
        return False
    past = after.events[: len(before.events)]
    return before.origin.tobytes() == after.origin.tobytes() and np.array_equal(before.events, past)


@njit
def take_over(tree, path, legal, out):
    """Copy what `tree` holds below the actions `path` (int64 [n]) into the tree `out`, and return how many nodes it has.

    The root's children are those whose action is `legal` (bool [actions]); the root counts their visits alone. Nodes
    lie breadth first: a child comes after its parent.
    """
    add_root(out, tree[0].mover)
    node = np.int64(0)
    for action in path:
        node = np.int64(child_by(tree, node, action))
        if node == NO_NODE:
            return 1
    out[0].child = tree[node].child
    used, at = 1, 0
    while at < used:
        # a copied node's child is still that of the old tree, until its own turn comes
        old, out[at].child = out[at].child, NO_NODE
        while old != NO_NODE:
            kid = tree[old]
            if at > 0 or legal[kid.action]:
                copy_record(out[used], kid)
                out[used].sibling, out[at].child = out[at].child, used
                used += 1
                if at == 0:
                    add_many(out[0], kid.visits, kid.total, kid.squares)
            old = kid.sibling
        at += 1
    return used
