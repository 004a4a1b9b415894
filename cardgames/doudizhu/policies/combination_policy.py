"""Combination policy of paper 004 (4.2): choose a decomposition of the hand, then one of its groups to play.

Three perceptrons evaluate the two choices, so that no network has to compare the thousands of legal moves. The first
network maps a position and one group of cards to features. Max-pooling over the groups of a decomposition gives the
features of the decomposition, in which the order of the groups does not matter. The second network maps the features of
a decomposition to its Q. The third network maps them, with the features of one of the groups, to the Q of playing that
group. When there is a move to beat, only decompositions with a group that beats it are considered, and passing is also
a choice.

If there are more decompositions than the network is to evaluate, a uniform sample is evaluated. The seed of the sample
depends only on the hand and the move to beat, so the action is a function of what the player sees. The whole policy is
one long kernel, `combination_move`, which other kernels call by its address (`compiled_policies`).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardgames.core import ops
from cardgames.doudizhu.hands.decomposition import NO_GROUP, sample_decompositions
from cardgames.doudizhu.hands.shapes import MAX_HAND_SIZE
from cardgames.doudizhu.moves.move_generation import beats
from cardgames.doudizhu.moves.move_table import PASS
from cardgames.kernels.copying import copy_row
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import STREAM, below, mix, uniform
from cardgames.networks.mlp import mlp_batch
from cardgames.networks.network_policy import FIRST_HEAD, HEAD_SAMPLES, SECOND_HEAD, unpack_policy_weights


class Perceptron(NamedTuple):
    """One of the three networks (for groups, decompositions, moves) as arrays: arguments of kernels in `networks.mlp`."""

    encoding: int
    sizes: NDArray[np.int64]
    activations: NDArray[np.int64]
    weights: NDArray[np.float32]


class Workspace(NamedTuple):
    """Preallocated arrays for one decision of the combination policy: decompositions, network inputs and outputs.

    In the shapes below, `sampled` is the maximum number of decompositions evaluated.
    """

    rows: NDArray[np.int32]
    """[sampled, MAX_HAND_SIZE] groups (move ids) of each decomposition, filled up with `NO_GROUP`."""
    group_indices: NDArray[np.int32]
    """[sampled, MAX_HAND_SIZE] index in `groups` of each element of `rows`, filled up with `NO_GROUP`."""
    groups: NDArray[np.int32]
    """[max_groups] distinct groups (move ids) of all decompositions; if passing is legal, `PASS` is the first element."""
    inputs: NDArray[np.int8]
    """[max_groups, inputs] input of the first network for each group."""
    features: NDArray[np.float32]
    """[max_groups, features] output of the first network for each group, with negative values set to 0."""
    pooled: NDArray[np.float32]
    """[sampled, features] maximum of each feature over the groups of each decomposition."""
    decomposition_values: NDArray[np.float32]
    """[sampled, 1] Q of each decomposition."""
    moves: NDArray[np.int32]
    """[MAX_HAND_SIZE + 1] ids of the legal moves in the chosen decomposition."""
    move_inputs: NDArray[np.float32]
    """[MAX_HAND_SIZE + 1, 2 * features] features of each move in `moves`, followed by those of the decomposition."""
    move_values: NDArray[np.float32]
    """[MAX_HAND_SIZE + 1, 1] Q of each move in `moves`."""


@njit
def new_workspace(sampled, inputs, features):
    """Allocate a workspace for `sampled` decompositions.

    `inputs` and `features` are the numbers of inputs and outputs of the network for groups.
    """
    max_groups = sampled * MAX_HAND_SIZE + 1
    return Workspace(
        np.empty((sampled, MAX_HAND_SIZE), np.int32),
        np.empty((sampled, MAX_HAND_SIZE), np.int32),
        np.empty(max_groups, np.int32),
        np.empty((max_groups, inputs), np.int8),
        np.empty((max_groups, features), np.float32),
        np.empty((sampled, features), np.float32),
        np.empty((sampled, 1), np.float32),
        np.empty(MAX_HAND_SIZE + 1, np.int32),
        np.empty((MAX_HAND_SIZE + 1, 2 * features), np.float32),
        np.empty((MAX_HAND_SIZE + 1, 1), np.float32),
    )


@njit
def unpack_networks(weights):
    """Split the flat weights of a combined network (`networks.network_policy`) into its three perceptrons.

    Returns the perceptrons that evaluate groups, decompositions and moves, in this order.
    """
    first, second = np.int64(weights[FIRST_HEAD]), np.int64(weights[SECOND_HEAD])
    return (
        Perceptron(*unpack_policy_weights(weights[:first])),
        Perceptron(*unpack_policy_weights(weights[first:second])),
        Perceptron(*unpack_policy_weights(weights[second:])),
    )


@njit
def sample_splits(rules, hand, last, rows):
    """Fill `rows` with decompositions of a hand, one per row, and return the number of rows filled.

    If there are more decompositions than rows, they are sampled uniformly. Unless `last` is `PASS`, only decompositions
    with a group that beats the move `last` are used.
    """
    return _sample_splits(rules, hand, last, np.zeros(1, STREAM), rows)


@njit
def _sample_splits(rules, hand, last, streams, rows):
    # the caller keeps the array `streams` alive: a record taken from a local array would point to freed memory
    """Fill `rows` with decompositions as `sample_splits` does, with `streams` [1] as the random stream to seed and use."""
    streams[0].rng = mix(hand + mix(np.uint64(last)))
    return min(len(rows), sample_decompositions(rules, hand, last, streams[0], rows))


@njit
def index_groups(rows, last, group_indices, groups):
    """List the distinct groups of several decompositions, and the index of each decomposition's groups in that list.

    Args:
        rows: [decompositions, MAX_HAND_SIZE] groups (move ids) of each decomposition, then `NO_GROUP`.
        last: Id of the move to beat, or `PASS`.
        group_indices: Output of the shape of `rows`: index in `groups` of each group.
        groups: Output, the distinct groups in ascending order; if there is a move to beat, `PASS` comes first.

    Returns:
        The number of distinct groups.
    """
    sorted_groups = np.sort(rows.ravel())
    n = 0
    if last != PASS:
        groups[0], n = PASS, 1
    for group in sorted_groups:
        if group != NO_GROUP and (n == 0 or groups[n - 1] != group):
            groups[n] = group
            n += 1
    for row in range(len(rows)):
        for k in range(MAX_HAND_SIZE):
            group_indices[row, k] = NO_GROUP
            if rows[row, k] != NO_GROUP:
                group_indices[row, k] = np.searchsorted(groups[:n], rows[row, k])
    return n


@njit
def relu_in_place(features):
    """Apply ReLU to the array `features` [groups, features] in place: set negative values to 0."""
    for i in range(len(features)):
        for j in range(features.shape[1]):
            features[i, j] = max(features[i, j], np.float32(0))


@njit
def max_pool(features, group_indices, out):
    """Write the maximum of each feature over the groups of each decomposition.

    Args:
        features: [groups, features] features of each group.
        group_indices: [decompositions, MAX_HAND_SIZE] indices in `features` of the decomposition's groups, then `NO_GROUP`.
        out: Output [decompositions, features], the maxima.
    """
    for row in range(len(group_indices)):
        copy_row(out[row], features[group_indices[row, 0]])
        for index in group_indices[row, 1:]:
            if index == NO_GROUP:
                break
            for j in range(out.shape[1]):
                out[row, j] = max(out[row, j], features[index, j])


@njit
def encode_groups(rules, state, encoding, workspace):
    """Write decompositions of the moving seat's hand, their distinct groups and the encoded groups into `workspace`.

    Returns:
        The number of decompositions and the number of distinct groups.
    """
    seat, last = np.int64(state.to_move), np.int64(state.last)
    count = sample_splits(rules, state.hands[seat], last, workspace.rows)
    n = index_groups(workspace.rows[:count], last, workspace.group_indices[:count], workspace.groups)
    ops.encode_actions(rules, state, seat, encoding, workspace.groups[:n], workspace.inputs[:n])
    return count, n


@njit
def evaluate_decompositions(rules, state, group_network, decomposition_network, workspace):
    """Write decompositions of the moving seat's hand and their Q into `workspace`, and return their number.

    The state must be in the phase of play, not in the auction.
    """
    count, n = encode_groups(rules, state, group_network.encoding, workspace)
    mlp_batch(
        group_network.weights,
        group_network.sizes,
        group_network.activations,
        workspace.inputs[:n],
        workspace.features[:n],
    )
    relu_in_place(workspace.features[:n])
    max_pool(workspace.features, workspace.group_indices[:count], workspace.pooled)
    second = decomposition_network
    mlp_batch(
        second.weights,
        second.sizes,
        second.activations,
        workspace.pooled[:count],
        workspace.decomposition_values[:count],
    )
    return count


@njit
def list_moves(row, group_indices, last, moves, feature_rows):
    """List the legal moves of one decomposition: its distinct groups that beat `last` and, unless `last` is `PASS`, a pass.

    Args:
        row: [MAX_HAND_SIZE] groups of the decomposition, then `NO_GROUP`.
        group_indices: [MAX_HAND_SIZE] index of each group in the list of all groups.
        last: Id of the move to beat, or `PASS` for a lead.
        moves: Output, ids of the legal moves.
        feature_rows: Output, index of each legal move in the list of all groups.

    Returns:
        The number of moves.
    """
    n = 0
    if last != PASS:
        moves[0], feature_rows[0], n = PASS, 0, 1
    for k in range(MAX_HAND_SIZE):
        if row[k] == NO_GROUP:
            break
        if (n == 0 or moves[n - 1] != row[k]) and (last == PASS or beats(row[k], last)):
            moves[n], feature_rows[n] = row[k], group_indices[k]
            n += 1
    return n


@njit
def evaluate_moves(state, move_network, row, workspace):
    """Write the legal moves of the decomposition with index `row` and their Q into `workspace`, and return their number."""
    feature_rows = np.empty(MAX_HAND_SIZE + 1, np.int32)
    n = list_moves(
        workspace.rows[row], workspace.group_indices[row], np.int64(state.last), workspace.moves, feature_rows
    )
    features = workspace.features.shape[1]
    for i in range(n):
        copy_row(workspace.move_inputs[i, :features], workspace.features[feature_rows[i]])
        copy_row(workspace.move_inputs[i, features:], workspace.pooled[row])
    mlp_batch(
        move_network.weights,
        move_network.sizes,
        move_network.activations,
        workspace.move_inputs[:n],
        workspace.move_values[:n],
    )
    return n


@njit
def _epsilon_greedy(values, n, epsilon, stream):
    """Return the index of the largest of the first `n` rows of `values` [n, 1].

    With probability `epsilon`, return a random index below `n` instead. Among equal values, the first counts as the
    largest.
    """
    if epsilon > 0.0 and uniform(stream) < epsilon:
        return below(stream, n)
    best = 0
    for i in range(1, n):
        if values[i, 0] > values[best, 0]:
            best = i
    return best


@njit
def combination_move(rules, state, weights, epsilon, stream, groups, moves, q):
    """Return the move id that the combination policy plays: the best group of the best decomposition.

    The decomposition, and then the move in it, is chosen at random with probability `epsilon`. The state must be in the
    phase of play and have more than one legal action.

    Args:
        rules: Record of type `DOUDIZHU_RULES`.
        state: State record; only what the player to move may know is used.
        weights: Flat weights of the three networks (`networks.network_policy`).
        epsilon: Probability of a random choice.
        stream: Random stream.
        groups: Output [MAX_HAND_SIZE] int32, the groups of the chosen decomposition, then `NO_GROUP`.
        moves: Output [MAX_HAND_SIZE + 1] int32, the legal moves in the chosen decomposition, then `NO_GROUP`.
        q: Output [MAX_HAND_SIZE + 2] float32, Q of the chosen decomposition, then Q of each of `moves`.
    """
    group_network, decomposition_network, move_network = unpack_networks(weights)
    workspace = new_workspace(np.int64(weights[HEAD_SAMPLES]), group_network.sizes[0], group_network.sizes[-1])
    count = evaluate_decompositions(rules, state, group_network, decomposition_network, workspace)
    best = _epsilon_greedy(workspace.decomposition_values, count, epsilon, stream)
    n = evaluate_moves(state, move_network, best, workspace)
    copy_row(groups, workspace.rows[best])
    moves[:] = NO_GROUP
    copy_row(moves[:n], workspace.moves)
    q[0] = workspace.decomposition_values[best, 0]
    copy_row(q[1 : n + 1], workspace.move_values[:, 0])
    return np.int64(workspace.moves[_epsilon_greedy(workspace.move_values, n, epsilon, stream)])
