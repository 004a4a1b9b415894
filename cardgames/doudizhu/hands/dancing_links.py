"""The decompositions of a hand as a multiset exact cover, solved with dancing links: the referee of `decompose`.

Items are the ranks, each to be covered as often as it is held; options are the moves. Column (rank, n) links the moves
that need exactly n cards of that rank. Choosing a move lowers the counts of its ranks and *covers* the columns that ask
for more than is left: their moves leave all other columns. A move passed over leaves all of them until its lowest rank
is done with. The lowest rank left is branched on, so its columns hold every move there is: no slots, nothing lost,
nothing twice. Sources: Knuth, "Dancing Links", 2000; The Art of Computer Programming 7.2.2.1, algorithm M; paper 004.
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
"""A move has a node for each rank it needs, side by side, then a spacer whose `up` is the first of them."""
COLUMNS = 4 * NUM_RANKS
"""Column 4 rank + n - 1 holds the moves that need n cards of a rank. Nodes below are the columns' heads."""
SPACER = -1
"""The column of a spacer."""
_MOST_NODES = 13
"""Of a move: the longest chain has 12 ranks."""


@njit
def link(ids):
    """Return moves, given by ascending ids, as nodes; in each column from the highest id down."""
    nodes = np.zeros(COLUMNS + _MOST_NODES * len(ids), NODE)
    for head in range(COLUMNS):
        nodes[head].up = nodes[head].down = head
    node = COLUMNS
    for action in ids[::-1]:
        first, left = node, MOVE_CARDS[action]
        while left:
            rank = lowest_bit(left) >> 2
            needed = rank_count(left, rank)
            left -= np.uint64(needed) << np.uint64(4 * rank)
            head = 4 * rank + needed - 1
            nodes[node].action, nodes[node].column = action, head
            nodes[node].up, nodes[node].down = nodes[head].up, head
            relink(nodes, node)
            node += 1
        nodes[node].column, nodes[node].up = SPACER, first
        node += 1
    return nodes


@njit
def unlink(nodes, node):
    """Take a node out of its column."""
    up, down = nodes[node].up, nodes[node].down
    nodes[up].down, nodes[down].up = down, up


@njit
def relink(nodes, node):
    """Put a node back where it was."""
    nodes[nodes[node].up].down = node
    nodes[nodes[node].down].up = node


@njit
def hide(nodes, node):
    """Take the other nodes of a node's move out of their columns."""
    other = node + 1
    while other != node:
        if nodes[other].column == SPACER:
            other = nodes[other].up
        else:
            unlink(nodes, other)
            other += 1


@njit
def unhide(nodes, node):
    """Undo `hide`."""
    other = node + 1
    while other != node:
        if nodes[other].column == SPACER:
            other = nodes[other].up
        else:
            relink(nodes, other)
            other += 1


@njit
def cover(nodes, head):
    """Hide the moves of a column."""
    node = nodes[head].down
    while node != head:
        hide(nodes, node)
        node = nodes[node].down


@njit
def uncover(nodes, head):
    """Undo `cover`, in the opposite order."""
    node = nodes[head].up
    while node != head:
        unhide(nodes, node)
        node = nodes[node].up


@njit
def choose(nodes, first, left):
    """Cover the columns that ask for more than a move (its first node) leaves of the hand `left`."""
    node = first
    while nodes[node].column != SPACER:
        rank, needed = nodes[node].column >> 2, (nodes[node].column & 3) + 1
        end = 4 * rank + rank_count(left, rank)
        for head in range(end - needed, end):
            cover(nodes, head)
        node += 1


@njit
def unchoose(nodes, first, left):
    """Undo `choose`, in the opposite order."""
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
    """Return the first node to try for the lowest rank of the hand `left`, in the column of its most cards."""
    rank = lowest_bit(left) >> 2
    return nodes[4 * rank + rank_count(left, rank) - 1].down


@njit
def exact_covers(rules, hand):
    """Return the groups of a hand's decompositions one after the other, and where each begins (and the last one ends).

    Shapes [groups] int32 and [decompositions + 1] int64.
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
            node[depth] = nodes[current - 1].down  # on to the moves that need a card less of the rank
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
    """Return every decomposition of a hand, as `decompose.decompositions` does. Raises `InvalidInput` likewise."""
    return Decompositions(*exact_covers(rules, checked_hand(hand)))
