"""Batches of hand decompositions for combinational Q-learning: encoded groups, legal moves, and max pooling of features."""

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
    """Batch of cases; a case is a position with one decomposition of the mover's hand into groups."""

    inputs: NDArray[np.int8]
    """Encoded groups of all cases, case by case ([groups, inputs]); a pass, where legal, precedes the groups of a case."""
    starts: NDArray[np.int64]
    """First row of each case's groups in `inputs`, after any pass ([cases])."""
    ends: NDArray[np.int64]
    """Row after the last group of each case in `inputs` ([cases])."""
    moves: NDArray[np.int32]
    """Legal moves of all cases, case by case ([moves])."""
    input_row_of: NDArray[np.int64]
    """Row of each move in `inputs` ([moves])."""
    case_of: NDArray[np.int64]
    """Index of the case to which each move belongs ([moves])."""

    def indices_of(self, taken: NDArray[np.int32]) -> NDArray[np.int64]:
        """Return the index in `moves` of the move `taken` in each case ([cases])."""
        return np.flatnonzero(self.moves == taken[self.case_of])


@njit
def decompose_next(rules, memory, rows, weights):
    """Decompose the hand at the decision that follows each of some recorded decisions.

    The decomposition is the one of greatest Q by the networks.


    Args:
        rules: Kernel rules of the game.
        memory: Decisions (`cql_rounds.Decisions`).
        rows: Rows of the recorded decisions in the memory ([rows] int64).
        weights: Weights of the networks in the layout of a network policy.

    Returns:
        The indices into `rows` of decisions that are not the last of their round ([n] int64), and the best decomposition
        of the seat's hand at its next decision ([n, MAX_HAND_SIZE] int32).
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
    """Write the actions of a decomposition into `actions`: a pass if there is a move to beat, then the groups in `row`.

    The index in `actions` of each group is written into `places`. Return the number of actions.
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
    """Return a batch of cases (positions with one decomposition of the hand each), with encoded groups and legal moves.


    Args:
        rules: Kernel rules of the game.
        states: States ([cases]).
        groups: Decompositions of the movers' hands ([cases, MAX_HAND_SIZE] int32).
        encoding: Id of the encoding of a group.
        inputs: Number of network inputs per group.
    """
    max_rows = len(groups) * (MAX_HAND_SIZE + 1)
    encoded, moves = np.empty((max_rows, inputs), np.int8), np.empty(max_rows, np.int32)
    input_row_of, case_of = np.empty(max_rows, np.int64), np.empty(max_rows, np.int64)
    starts, ends = np.empty(len(groups), np.int64), np.empty(len(groups), np.int64)
    actions, places = np.empty(MAX_HAND_SIZE + 1, np.int32), np.empty(MAX_HAND_SIZE, np.int32)
    legal, legal_places = np.empty(MAX_HAND_SIZE + 1, np.int32), np.empty(MAX_HAND_SIZE + 1, np.int32)
    at = n = 0
    for case in range(len(groups)):
        state, last = states[case], np.int64(states[case].last)
        count = _list_groups(groups[case], last, actions, places)
        ops.encode_actions(rules, state, np.int64(state.to_move), encoding, actions[:count], encoded[at : at + count])
        for i in range(list_moves(groups[case], places, last, legal, legal_places)):
            moves[n], input_row_of[n], case_of[n] = legal[i], at + legal_places[i], case
            n += 1
        starts[case] = at + (last != PASS)
        at += count
        ends[case] = at
    return DecompositionBatch(encoded[:at], starts, ends, moves[:n], input_row_of[:n], case_of[:n])


@njit
def max_pool(features, starts, ends):
    """Return the maximum of each feature over the groups of each case, and the row that has the maximum.


    Args:
        features: Features of the groups ([groups, features]).
        starts: First row of each case in `features` ([cases]).
        ends: Row after the last one of each case ([cases]).

    Returns:
        Maxima ([cases, features] float32) and their rows in `features` ([cases, features] int64, the first of equals).
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
    """Backpropagate through `max_pool`: add each gradient of a maximum to the feature that had it, in place.

    `slopes` is the gradient of the maxima ([cases, features]), `places` the rows they came from ([cases, features]),
    and `gradient` receives the sums ([groups, features]).
    """
    for case in range(len(places)):
        for j in range(places.shape[1]):
            gradient[places[case, j], j] += slopes[case, j]


@njit
def argmax_per_case(values, case_of, cases):
    """Return for each case the index in `values` ([moves]) of its greatest value ([cases] int64), the first of equals.

    `case_of` is the case to which each value belongs ([moves]).
    """
    best = np.full(cases, -1, np.int64)
    for i in range(len(values)):
        case = case_of[i]
        if best[case] < 0 or values[i] > values[best[case]]:
            best[case] = i
    return best
