"""All decompositions of a hand by dancing links (a multiset exact cover): an independent reference for `decomposition`.

Items are the ranks, each to be covered as many times as the hand has cards of it; options are the moves. Column (rank,
n) links the moves that need exactly n cards of the rank. Choosing a move lowers the card counts of its ranks and
*covers* the columns that need more cards than are left: the moves of a covered column are removed from all other
columns. A move that was tried is removed until the search has finished with its lowest rank. The search branches on the
lowest rank left, whose columns contain every move that can cover it. So each decomposition is visited exactly once,
without the 60 card slots that paper 004 links.

Sources: Knuth, "Dancing Links", 2000; The Art of Computer Programming 7.2.2.1, algorithm M; paper 004.
"""

from typing import Any

import numpy as np

from cardgames.doudizhu.cards import NUM_RANKS, rank_count
from cardgames.doudizhu.hands.decomposition import Decompositions, checked_hand, grow_arrays, list_leads
from cardgames.doudizhu.hands.shapes import MAX_HAND_SIZE
from cardgames.doudizhu.moves.move_table import MOVE_CARDS
from cardgames.kernels.bits import lowest_bit
from cardgames.kernels.jit import njit
from cardgames.kernels.record_type import record_type

NODE = record_type(__name__, "NODE", [("up", "i4"), ("down", "i4"), ("column", "i4"), ("action", "i4")])
"""Record type of a node of the linked lists. A move has one node per rank it needs, at consecutive indices, then a spacer.

The field `up` of a spacer holds the index of the first node of the spacer's move.
"""
COLUMNS = 4 * NUM_RANKS
"""Number of columns of the linked matrix. The first `COLUMNS` nodes are the heads of the columns.

The column of index 4 rank + n - 1 links the moves that need exactly n cards of a rank.
"""
SPACER = -1
"""Value of the field `column` in a spacer, the node that ends the nodes of a move."""
_MOST_NODES = 13
"""Upper bound on the number of nodes of a move: 12 ranks of the longest chain, and the spacer."""


@njit
def link(ids):
    """Build the linked nodes of the moves `ids` (ascending action ids). Each column lists its moves by descending id.

    Returns:
        [nodes] array of type `NODE`: the heads of the columns, then the nodes of each move.
    """
    nodes = np.zeros(COLUMNS + _MOST_NODES * len(ids), NODE)
    for head in range(COLUMNS):
        nodes[head].up = nodes[head].down = head
    node = COLUMNS
    for action in ids[::-1]:
        first_node, remaining = node, MOVE_CARDS[action]
        while remaining:
            rank = lowest_bit(remaining) >> 2
            needed = rank_count(remaining, rank)
            remaining -= np.uint64(needed) << np.uint64(4 * rank)
            head = 4 * rank + needed - 1
            nodes[node].action, nodes[node].column = action, head
            nodes[node].up, nodes[node].down = nodes[head].up, head
            relink(nodes, node)
            node += 1
        nodes[node].column, nodes[node].up = SPACER, first_node
        node += 1
    return nodes


@njit
def unlink(nodes, node):
    """Remove a node from the linked list of its column; its own links stay, so that `relink` can put it back."""
    up, down = nodes[node].up, nodes[node].down
    nodes[up].down, nodes[down].up = down, up


@njit
def relink(nodes, node):
    """Put a node that `unlink` removed back in its place in the linked list of its column."""
    nodes[nodes[node].up].down = node
    nodes[nodes[node].down].up = node


@njit
def hide(nodes, node):
    """Remove all nodes of a move except `node` itself from the linked lists of their columns."""
    other = node + 1
    while other != node:
        if nodes[other].column == SPACER:
            other = nodes[other].up
        else:
            unlink(nodes, other)
            other += 1


@njit
def unhide(nodes, node):
    """Put all nodes of a move except `node` itself back in their columns, after `hide` removed them."""
    other = node + 1
    while other != node:
        if nodes[other].column == SPACER:
            other = nodes[other].up
        else:
            relink(nodes, other)
            other += 1


@njit
def cover(nodes, head):
    """Remove every move in the column `head` from all its other columns, so that it cannot be chosen there."""
    node = nodes[head].down
    while node != head:
        hide(nodes, node)
        node = nodes[node].down


@njit
def uncover(nodes, head):
    """Put every move in the column `head` back in its other columns, in the reverse of the order used by `cover`."""
    node = nodes[head].up
    while node != head:
        unhide(nodes, node)
        node = nodes[node].up


@njit
def choose(nodes, first, left):
    """Cover the columns that need more cards of a rank than remain when a move is taken from the hand `left`.

    `first` is the index of the move's first node.
    """
    node = first
    while nodes[node].column != SPACER:
        rank, needed = nodes[node].column >> 2, (nodes[node].column & 3) + 1
        end = 4 * rank + rank_count(left, rank)
        for head in range(end - needed, end):
            cover(nodes, head)
        node += 1


@njit
def unchoose(nodes, first, left):
    """Uncover, in reverse order, the columns that `choose` covered for the same move and hand `left`.

    `first` is the index of the move's first node.
    """
    node = first
    while nodes[node].column != SPACER:
        node += 1
    while node > first:
        node -= 1
        rank, needed = nodes[node].column >> 2, (nodes[node].column & 3) + 1
        end = 4 * rank + rank_count(left, rank)
        for head in range(end - 1, end - needed - 1, -1):
            uncover(nodes, head)


@njit
def branch(nodes, left):
    """Return the node of the first move to try for the lowest rank of the hand `left`.

    It is the first node in the column of moves that use all cards of that rank.
    """
    rank = lowest_bit(left) >> 2
    return nodes[4 * rank + rank_count(left, rank) - 1].down


@njit
def exact_covers(rules, hand):
    """Return all decompositions of a hand into moves the rules allow, by dancing links.

    Returns:
        The move ids of all decompositions, one decomposition after the other, [groups] int32; and the index in it at
        which each decomposition starts, followed by its total length, [decompositions + 1] int64.
    """
    ids = list_leads(rules, hand)
    nodes = link(ids)
    left, node = np.empty(MAX_HAND_SIZE, np.uint64), np.empty(MAX_HAND_SIZE, np.int64)
    skipped, skipped_before = np.empty(len(ids), np.int64), np.empty(MAX_HAND_SIZE, np.int64)
    flat_groups, starts = np.empty(1 << 16, np.int32), np.empty(1 << 13, np.int64)
    starts[0] = count = end = num_skipped = depth = 0
    left[0], node[0], skipped_before[0] = hand, branch(nodes, hand), 0
    while True:
        current = node[depth]
        if current < COLUMNS and current & 3:
            node[depth] = nodes[current - 1].down  # next column: moves that need one card less of the rank
        elif current < COLUMNS:
            while num_skipped > skipped_before[depth]:
                num_skipped -= 1
                relink(nodes, skipped[num_skipped])
                unhide(nodes, skipped[num_skipped])
            if depth == 0:
                return flat_groups[:end], starts[: count + 1]
            depth -= 1
            current = node[depth]
            unchoose(nodes, current, left[depth])
            hide(nodes, current)
            unlink(nodes, current)
            skipped[num_skipped] = current
            num_skipped += 1
            node[depth] = nodes[current].down
        elif left[depth] != MOVE_CARDS[nodes[current].action]:
            choose(nodes, current, left[depth])
            depth += 1
            left[depth] = left[depth - 1] - MOVE_CARDS[nodes[current].action]
            node[depth], skipped_before[depth] = branch(nodes, left[depth]), num_skipped
        else:
            flat_groups, starts = grow_arrays(flat_groups, starts, end, count)
            for k in range(depth + 1):
                flat_groups[end + k] = nodes[node[k]].action
            end += depth + 1
            count += 1
            starts[count] = end
            node[depth] = nodes[current].down


def dancing_links_decompositions(rules: Any, hand: int) -> Decompositions:
    """Return all decompositions of a hand into moves, found by dancing links: the same set as `decompositions` returns.

    Raises:
        InvalidInput: If the hand does not have 1 to 20 cards.
    """
    return Decompositions(*exact_covers(rules, checked_hand(hand)))
