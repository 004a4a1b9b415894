"""Two decisions in place of one: how to split the hand, then which of these groups to play (paper 004, 4.2).

Three perceptrons judge, so that no network ever has to compare the thousands of legal moves. The first turns a position and
one group of cards into features. Max-pooling, the greatest of each feature over the groups of a decomposition, sums that
decomposition up, in whatever order they stand. The second network says from that what the decomposition is worth, the third
from that and the features of one of its groups what the group is worth as a move. Where there is a move to beat, only
decompositions count in which something beats it, and passing is a move of each.

Of very many decompositions a sample is judged, as random as any other and always the same for the same hand and move to
beat: so what is played follows from what is seen. All of it is one kernel, `combination_move`, which others call by its address
(`considered`): it is long.
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
from cardgames.networks.network_policy import FIRST_END, SAMPLED, SECOND_END, unpack_policy_weights


class Perceptron(NamedTuple):
    """One of the three, as kernels take it (`networks.mlp`)."""

    encoding: int
    sizes: NDArray[np.int64]
    activations: NDArray[np.int64]
    weights: NDArray[np.float32]


class Workspace(NamedTuple):
    """What is judged, and what came of it."""

    rows: NDArray[np.int32]
    """[sampled, MOST_CARDS] the groups of each decomposition, then `NO_GROUP`s."""
    group_indices: NDArray[np.int32]
    """[sampled, MOST_CARDS] where each of them stands in `groups`, then `NO_GROUP`s."""
    groups: NDArray[np.int32]
    """[most] all of them, each once; where one may pass, that comes first."""
    inputs: NDArray[np.int8]
    """[most, inputs] what the first perceptron sees of each."""
    features: NDArray[np.float32]
    """[most, features] what it makes of each, none negative."""
    pooled: NDArray[np.float32]
    """[sampled, features] the greatest of each over the groups of a decomposition."""
    decomposition_values: NDArray[np.float32]
    """[sampled, 1] Q of each decomposition."""
    moves: NDArray[np.int32]
    """[MOST_CARDS + 1] what one of them leaves to play."""
    move_inputs: NDArray[np.float32]
    """[MOST_CARDS + 1, 2 * features] the features of each of these moves, then the decomposition's."""
    move_values: NDArray[np.float32]
    """[MOST_CARDS + 1, 1] Q of each."""


@njit
def new_workspace(sampled, inputs, features):
    """Return room for so many decompositions at a time."""
    most = sampled * MAX_HAND_SIZE + 1
    return Workspace(
        np.empty((sampled, MAX_HAND_SIZE), np.int32),
        np.empty((sampled, MAX_HAND_SIZE), np.int32),
        np.empty(most, np.int32),
        np.empty((most, inputs), np.int8),
        np.empty((most, features), np.float32),
        np.empty((sampled, features), np.float32),
        np.empty((sampled, 1), np.float32),
        np.empty(MAX_HAND_SIZE + 1, np.int32),
        np.empty((MAX_HAND_SIZE + 1, 2 * features), np.float32),
        np.empty((MAX_HAND_SIZE + 1, 1), np.float32),
    )


@njit
def unpack_networks(weights):
    """Return the three perceptrons in the weights of a combination (`networks.network_policy`)."""
    first, second = np.int64(weights[FIRST_END]), np.int64(weights[SECOND_END])
    return (
        Perceptron(*unpack_policy_weights(weights[:first])),
        Perceptron(*unpack_policy_weights(weights[first:second])),
        Perceptron(*unpack_policy_weights(weights[second:])),
    )


@njit
def sample_splits(rules, hand, last, rows):
    """Fill `rows` with decompositions of a hand in which something beats the move `last` (`PASS`: any); return how many."""
    return _sample_splits(rules, hand, last, np.zeros(1, STREAM), rows)


@njit
def _sample_splits(rules, hand, last, streams, rows):
    # whoever makes an array and keeps a record of it alone has a record of memory that is free again
    streams[0].rng = mix(hand + mix(np.uint64(last)))
    return min(len(rows), sample_decompositions(rules, hand, last, streams[0], rows))


@njit
def index_groups(rows, last, group_indices, groups):
    """Write the groups of all `rows` into `groups`, each once, and into `group_indices` where each stands; return how many there
    are. After a move to beat, passing is the first.
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
    """Set what is negative to 0, in place."""
    for i in range(len(features)):
        for j in range(features.shape[1]):
            features[i, j] = max(features[i, j], np.float32(0))


@njit
def max_pool(features, group_indices, out):
    """Write into each row of `out` the greatest of each feature over the rows named by `group_indices`, up to `NO_GROUP`."""
    for row in range(len(group_indices)):
        copy_row(out[row], features[group_indices[row, 0]])
        for place in group_indices[row, 1:]:
            if place == NO_GROUP:
                break
            for j in range(out.shape[1]):
                out[row, j] = max(out[row, j], features[place, j])


@njit
def encode_groups(rules, state, encoding, workspace):
    """Write decompositions of the mover's hand, their groups, and what is seen of each of these, into `workspace`; return how
    many decompositions and groups there are.
    """
    seat, last = np.int64(state.to_move), np.int64(state.last)
    count = sample_splits(rules, state.hands[seat], last, workspace.rows)
    n = index_groups(workspace.rows[:count], last, workspace.group_indices[:count], workspace.groups)
    ops.encode_actions(rules, state, seat, encoding, workspace.groups[:n], workspace.inputs[:n])
    return count, n


@njit
def evaluate_decompositions(rules, state, group_network, decomposition_network, workspace):
    """Write decompositions of the mover's hand with their Q into `workspace`, and return how many; the phase is the play."""
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
    """Write the moves a decomposition leaves, and their places among all groups, and return how many: its groups, each once,
    that beat `last` and, if that is not `PASS`, a pass.
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
    """Write the moves that decomposition number `row` leaves with their Q into `workspace`, and return how many."""
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
    """Return the place of the greatest of the first `n` values [n, 1], the first of equals, or with chance `epsilon` any."""
    if epsilon > 0.0 and uniform(stream) < epsilon:
        return below(stream, n)
    best = 0
    for i in range(1, n):
        if values[i, 0] > values[best, 0]:
            best = i
    return best


@njit
def combination_move(rules, state, weights, epsilon, stream, groups, moves, q):
    """Return the move that a combination of these `weights` (`networks.network_policy`) plays, in the play, with a choice.

    With chance `epsilon` the decomposition is a random one, with that chance the move is. The decomposition is written into
    `groups` (int32 [MOST_CARDS]), what it leaves to play into `moves` (int32 [MOST_CARDS + 1]), `NO_GROUP`s behind both, and
    into `q` (float32 [MOST_CARDS + 2]) its Q, then that of each move.
    """
    group_network, decomposition_network, move_network = unpack_networks(weights)
    workspace = new_workspace(np.int64(weights[SAMPLED]), group_network.sizes[0], group_network.sizes[-1])
    count = evaluate_decompositions(rules, state, group_network, decomposition_network, workspace)
    best = _epsilon_greedy(workspace.decomposition_values, count, epsilon, stream)
    n = evaluate_moves(state, move_network, best, workspace)
    copy_row(groups, workspace.rows[best])
    moves[:] = NO_GROUP
    copy_row(moves[:n], workspace.moves)
    q[0] = workspace.decomposition_values[best, 0]
    copy_row(q[1 : n + 1], workspace.move_values[:, 0])
    return np.int64(workspace.moves[_epsilon_greedy(workspace.move_values, n, epsilon, stream)])
