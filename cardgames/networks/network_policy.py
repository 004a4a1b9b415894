"""Policy that follows a network: greedy in Q, or the softmax of the logits, over the legal actions.

A game's verbs `policy` and `likelihood` call `action_probabilities` or, if its networks evaluate one action at a time
(`Game.action_encodings`), `action_probabilities_by_q`.

The weights of the policy are one array. It begins with a header of two cache lines: id of the encoding, flag for the
softmax, number of sizes, sizes, activations of the hidden layers, and the places of the heads. The weights of the network
follow (`networks.mlp.pack`), then each head with its own header; the game's own policy combines the heads.
"""

import functools
import math

import numpy as np
from numpy.typing import NDArray

from cardgames.core import ops
from cardgames.core.encoding import sees_hidden
from cardgames.core.game_definition import GameDefinition
from cardgames.kernels.jit import njit
from cardgames.kernels.sparse_matmul import aligned
from cardgames.networks.mlp import mlp_batch, mlp_value
from cardgames.networks.network import Mlp
from cardgames.networks.pretrained import load_named_network, network_path
from cardgames.support.errors import InvalidInput, error_context

_ENCODING, _SOFTMAX, _COUNT, _SIZES, _ACTIVATIONS = 0, 1, 2, 3, 16
_MAX_SIZES = _ACTIVATIONS - _SIZES
_MAX_EXACT_INT = 2**24  # float32 represents every whole number up to this
HEAD_SAMPLES, FIRST_HEAD, SECOND_HEAD, HEADER = 29, 30, 31, 32
"""Indices, in the header of a policy's weights, of `Mlp.head_samples` and the offsets of two heads; length of the header.

All three numbers are 0 without heads.
"""


def policy_weights(game: GameDefinition, name: str, *, greedy: bool = False) -> NDArray[np.float32]:
    """Return the array of weights (header and network) of the policy that follows a network given by name.

    Args:
        game: Game to play.
        name: Pretrained network, network file or folder of a training run (`networks.pretrained.network_path`).
        greedy: Take the action of greatest output even if the outputs are logits.

    Raises:
        InvalidInput: If there is no such network, or it is not fit for a policy (see `network_weights`).
    """
    network = load_named_network(game, name)
    with error_context(network_path(game, name)):
        return _cached_weights(game, network, greedy)


@functools.lru_cache(maxsize=16)
def _cached_weights(game: GameDefinition, network: Mlp, greedy: bool) -> NDArray[np.float32]:
    """Return `network_weights` from a cache, since a match makes new agents for every deal."""
    return network_weights(game, network, greedy=greedy)


def network_weights(game: GameDefinition, network: Mlp, *, greedy: bool = False) -> NDArray[np.float32]:
    """Return the array of weights (headers, the network and its heads) of the policy that follows a network.

    Args:
        game: Game to play.
        network: The network, with its heads.
        greedy: Take the action of greatest output even if the outputs are logits.

    Raises:
        InvalidInput: If the network does not fit the game and its rules, sees hidden cards, has only the value of states
            as output, or has too many layers.
    """
    network.check(game)
    _check(game, network)
    parts = [network, *network.heads.values()]
    blocks = [_with_header(game, part, greedy) for part in parts]
    if network.heads:
        first, second, _ = np.cumsum([len(part) for part in blocks])
        if second > _MAX_EXACT_INT:
            raise InvalidInput(
                f"the networks before the last head have {second:,} weights; a policy may have at most {_MAX_EXACT_INT:,}"
            )
        blocks[0][[HEAD_SAMPLES, FIRST_HEAD, SECOND_HEAD]] = network.head_samples, first, second
    return aligned(np.concatenate(blocks))


def _with_header(game: GameDefinition, network: Mlp, greedy: bool) -> NDArray[np.float32]:
    """Return one array of a header (encoding, softmax, sizes, activations) and the weights of a network.

    Raises `InvalidInput` if the network has too many layers.
    """
    count = len(network.sizes)
    if count > _MAX_SIZES:
        raise InvalidInput(f"the network has {count - 1} layers; a policy may have at most {_MAX_SIZES - 1}")
    header = np.zeros(HEADER, np.float32)
    header[_ENCODING], header[_COUNT] = game.network_encoding(network.encoding).encoding_id, count
    header[_SOFTMAX] = network.has_logits and not greedy
    header[_SIZES : _SIZES + count] = network.sizes
    header[_ACTIVATIONS : _ACTIVATIONS + count - 2] = network.kernel_activations
    return np.concatenate([header, network.weights])


def _check(game: GameDefinition, network: Mlp) -> None:
    if game.action_encodings and network.has_logits:
        raise InvalidInput(
            f"the network's outputs are logits ({network.algorithm}); a policy of {game.name} needs the Q of an action"
        )
    if game.action_encodings and network.encoding not in game.action_encodings:
        raise InvalidInput(
            f"the network's encoding is {network.encoding}; a policy of {game.name} needs one that evaluates an action at a "
            f"time, with the encoding {', '.join(game.action_encodings)}"
        )
    if sees_hidden(network.encoding):
        raise InvalidInput(f"the network sees hidden cards ({network.encoding}): it cannot be a policy")
    if network.sizes[-1] == 1 and not game.action_encodings:
        raise InvalidInput("the network has one output, the value of a state; a policy needs the Q of each action")


@njit
def unpack_policy_weights(weights):
    """Split the array of a policy's weights: return encoding id, sizes, activations and weights of its network.

    The weights of its heads, if any, follow in the last array.
    """
    header = weights[:HEADER].astype(np.int64)
    count = header[_COUNT]
    sizes, activations = header[_SIZES : _SIZES + count], header[_ACTIVATIONS : _ACTIVATIONS + count - 2]
    return header[_ENCODING], sizes, activations, weights[HEADER:]


@njit
def q_of_actions(rules, state, encoding, layers, sizes, activations, actions, inputs, outputs):
    """Write the Q values of actions of the player to move, by a network that evaluates one action at a time.

    Args:
        rules: Rules as kernels take them.
        state: State, or observation of the player to move.
        encoding: Id of the encoding of actions.
        layers: Weights of the network.
        sizes: Sizes of the network.
        activations: Activations of the network.
        actions: Actions, int32 [n].
        inputs: Working memory for the encoded actions, int8 [n, inputs].
        outputs: Output: the Q values, float32 [n, 1].

    Returns:
        False, with nothing written, if the encoding does not cover the phase of the round; else True.
    """
    if not ops.encode_actions(rules, state, ops.current_player(rules, state), encoding, actions, inputs):
        return False
    mlp_batch(layers, sizes, activations, inputs, outputs)
    return True


@njit
def action_probabilities_by_q(rules, state, weights, actions, probs):
    """Write the legal actions of greatest Q, equally likely, by a network that evaluates one action at a time.

    Writes the action ids into `actions` and their probabilities into `probs` (both as long as there are legal actions),
    and returns their number; 0 if the encoding does not cover the phase of the round. A single legal action is taken
    without the network.
    """
    encoding, sizes, activations, layers = unpack_policy_weights(weights)
    n = ops.legal_actions(rules, state, actions)
    if n == 1:
        probs[0] = 1.0
        return 1
    inputs, outputs = np.empty((n, sizes[0]), np.int8), np.empty((n, 1), np.float32)
    if not q_of_actions(rules, state, encoding, layers, sizes, activations, actions[:n], inputs, outputs):
        return 0
    for i in range(n):
        probs[i] = outputs[i, 0]
    return keep_argmax(actions, probs, n)


@njit
def action_probabilities(rules, state, weights, actions, probs):
    """Write the actions that the policy of a network may take, and their probabilities.

    By the softmax of its logits these are all legal actions with an output, by its Q values only those of greatest Q.

    Args:
        rules: Rules as kernels take them.
        state: State, or observation of the player to move.
        weights: Weights of the policy (`network_weights`).
        actions: Output: the actions, int32 [at least the number of legal actions].
        probs: Output: the probabilities of these actions, float64 of the same length.

    Returns:
        The number of actions; 0 if the network has no output for any legal action.
    """
    encoding, sizes, activations, layers = unpack_policy_weights(weights)
    n = ops.legal_actions(rules, state, actions)
    if n == 1:
        probs[0] = 1.0
        return 1
    while n > 0 and actions[n - 1] >= sizes[-1]:
        n -= 1
    if n == 0:
        return 0
    inputs, outputs = np.empty(sizes[0], np.int8), np.empty(sizes[-1], np.float32)
    symmetry_id = ops.encode(rules, state, ops.current_player(rules, state), encoding, inputs)
    mlp_value(layers, sizes, activations, inputs, outputs)
    for i in range(n):
        probs[i] = outputs[ops.apply_symmetry(rules, symmetry_id, actions[i])]
    if weights[_SOFTMAX] == 0.0:
        return keep_argmax(actions, probs, n)
    _softmax(probs, n)
    return n


@njit
def _softmax(values, n):
    """Replace the first `n` of `values` by their softmax, in place."""
    top, total = values[:n].max(), 0.0
    for i in range(n):
        values[i] = math.exp(values[i] - top)
        total += values[i]
    for i in range(n):
        values[i] /= total


@njit
def keep_argmax(actions, values, n):
    """Move those of the first `n` actions that have the greatest value to the front; return how many there are.

    In `values` they get equal probabilities.
    """
    top, count = values[:n].max(), 0
    for i in range(n):
        if values[i] == top:
            actions[count] = actions[i]
            count += 1
    values[:count] = 1.0 / count
    return count
