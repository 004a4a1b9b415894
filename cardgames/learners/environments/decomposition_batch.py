"""What networks of features are asked about many decompositions at once: their groups, what may be played of them, and the
greatest of each feature.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames.core import ops
from cardgames.doudizhu.hands.decomposition import NO_GROUP
from cardgames.doudizhu.hands.shapes import MAX_HAND_SIZE
from cardgames.doudizhu.moves.move_table import PASS
from cardgames.doudizhu.policies.combination_policy import list_moves
from cardgames.doudizhu.policies.compiled_policies import greedy_combination_move, new_combination_outputs
from cardgames.kernels.copying import copy_row
from cardgames.kernels.jit import njit


class DecompositionBatch(NamedTuple):
    """Some cases: each a position and one decomposition of the mover's hand."""

    inputs: NDArray[np.int8]
    """[groups, inputs] the groups of all cases, one case after the other; before those of each, where one may, passing."""
    starts: NDArray[np.int64]
    """[cases] where those of each begin."""
    ends: NDArray[np.int64]
    """[cases] where its groups end, passing apart."""
    moves: NDArray[np.int32]
    """[moves] what may be played of all cases, one case after the other."""
    input_row_of: NDArray[np.int64]
    """[moves] where each move stands in `inputs`."""
    case_of: NDArray[np.int64]
    """[moves] of which case it is."""

    def indices_of(self, taken: NDArray[np.int32]) -> NDArray[np.int64]:
        """Return where each case's move `taken` [cases] stands among `moves`."""
        return np.flatnonzero(self.moves == taken[self.case_of])


@njit
def decompose_next(rules, memory, rows, weights):
    """Return which of the `rows` of a memory are not the last of their rounds (int64 [n]), and the decomposition of the next
    position that networks of these `weights` find best (int32 [n, MOST_CARDS]).
    """
    after = np.flatnonzero(~memory.last[rows])
    decompositions = np.empty((len(after), MAX_HAND_SIZE), np.int32)
    _, moves, q = new_combination_outputs()
    for i in range(len(after)):
        state = memory.states[(rows[after[i]] + 1) % len(memory.taken)]
        greedy_combination_move(rules, state, weights, decompositions[i], moves, q)
    return after, decompositions


@njit
def _list_groups(row, last, actions, places):
    """Write a pass, where there is a move to beat, then the groups of a decomposition into `actions`, and where each of
    these stands there into `places`; return how many actions there are.
    """
    count = 0
    if last != PASS:
        actions[0], count = PASS, 1
    for k in range(MAX_HAND_SIZE):
        if row[k] == NO_GROUP:
            break
        actions[count], places[k] = row[k], count
        count += 1
    return count


@njit
def encode_cases(rules, states, groups, encoding, inputs):
    """Return the cases of these states [cases] and decompositions (int32 [cases, MOST_CARDS]); so many `inputs` of each
    group are seen.
    """
    most = len(groups) * (MAX_HAND_SIZE + 1)
    seen, moves = np.empty((most, inputs), np.int8), np.empty(most, np.int32)
    input_row_of, case_of = np.empty(most, np.int64), np.empty(most, np.int64)
    starts, ends = np.empty(len(groups), np.int64), np.empty(len(groups), np.int64)
    actions, places = np.empty(MAX_HAND_SIZE + 1, np.int32), np.empty(MAX_HAND_SIZE, np.int32)
    legal, found = np.empty(MAX_HAND_SIZE + 1, np.int32), np.empty(MAX_HAND_SIZE + 1, np.int32)
    at = n = 0
    for case in range(len(groups)):
        state, last = states[case], np.int64(states[case].last)
        count = _list_groups(groups[case], last, actions, places)
        ops.encode_actions(rules, state, np.int64(state.to_move), encoding, actions[:count], seen[at : at + count])
        for i in range(list_moves(groups[case], places, last, legal, found)):
            moves[n], input_row_of[n], case_of[n] = legal[i], at + found[i], case
            n += 1
        starts[case] = at + (last != PASS)
        at += count
        ends[case] = at
    return DecompositionBatch(seen[:at], starts, ends, moves[:n], input_row_of[:n], case_of[:n])


@njit
def max_pool(features, starts, ends):
    """Return the greatest of each feature over the groups of each case (float32 [cases, features]), and where it stands
    (int64, of equals the first).
    """
    cases, width = len(starts), features.shape[1]
    pooled, places = np.empty((cases, width), np.float32), np.empty((cases, width), np.int64)
    for case in range(cases):
        copy_row(pooled[case], features[starts[case]])
        places[case] = starts[case]
        for place in range(starts[case] + 1, ends[case]):
            for j in range(width):
                if features[place, j] > pooled[case, j]:
                    pooled[case, j], places[case, j] = features[place, j], place
    return pooled, places


@njit
def max_unpool(slopes, places, gradient):
    """Add the slopes of what was pooled ([cases, features]) to those of where it came from, in place."""
    for case in range(len(places)):
        for j in range(places.shape[1]):
            gradient[places[case, j], j] += slopes[case, j]


@njit
def argmax_per_case(values, case_of, cases):
    """Return the place of the greatest of the `values` [moves] of each case, the first of equals (int64 [cases])."""
    best = np.full(cases, -1, np.int64)
    for i in range(len(values)):
        case = case_of[i]
        if best[case] < 0 or values[i] > values[best[case]]:
            best[case] = i
    return best
