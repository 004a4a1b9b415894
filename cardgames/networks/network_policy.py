"""The policy that follows a network by what the mover sees: the legal actions of greatest Q or, of a network of logits, each
legal action as likely as their softmax has it.

A game calls `action_probabilities` or, if its networks judge one action at a time (`Game.action_encodings`), `action_probabilities_by_q` from
its verbs `policy` and `likelihood`. The policy's weights are a header of two cache lines, the number of the encoding,
whether it goes by the softmax, the number of the sizes, the sizes and the hidden layers' activations, then those of the
network (`networks.mlp.pack`). A `Combination` is three of these one after the other, which the game asks itself.
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
_MAX_EXACT_INT = 2**24  # up to which float32 holds every whole number
SAMPLED, FIRST_END, SECOND_END, HEADER = 29, 30, 31, 32
"""How many decompositions a `Combination` judges, 0 for any other network, and where the first and the second of its three
networks end; how long the header is."""


def policy_weights(game: GameDefinition, name: str, *, greedy: bool = False) -> NDArray[np.float32]:
    """Return the weights of the policy that follows the network in a file, or one that comes with the game.

    A `greedy` one takes the greatest of the logits too.

    Raises `InvalidInput` if the network is not for `game` and its rules, sees hidden cards, has no Q values or too many
    layers.
    """
    network = load_named_network(game, name)
    with error_context(network_path(game, name)):
        return _cached_weights(game, network, greedy)


@functools.lru_cache(maxsize=16)
def _cached_weights(game: GameDefinition, network: Mlp, greedy: bool) -> NDArray[np.float32]:
    """Return the weights, laid out once: an arena makes new agents for every deal."""
    return network_weights(game, network, greedy=greedy)


def network_weights(game: GameDefinition, network: Mlp, *, greedy: bool = False) -> NDArray[np.float32]:
    """Return the weights of the policy that follows a network; see `policy_weights`.

    Raises `InvalidInput` if the network is not for `game` and its rules, sees hidden cards, has no Q values or too many
    layers.
    """
    network.check(game)
    _check(game, network)
    parts = [network]
    if network.combination is not None:
        parts += [network.combination.decompositions, network.combination.moves]
    blocks = [_with_header(game, part, greedy) for part in parts]
    if network.combination is not None:
        first, second, _ = np.cumsum([len(part) for part in blocks])
        if second > _MAX_EXACT_INT:
            raise InvalidInput(
                f"the networks have {second:,} weights before the last, a policy at most {_MAX_EXACT_INT:,}"
            )
        blocks[0][[SAMPLED, FIRST_END, SECOND_END]] = network.combination.sampled, first, second
    return aligned(np.concatenate(blocks))


def _with_header(game: GameDefinition, network: Mlp, greedy: bool) -> NDArray[np.float32]:
    """Return the header of a network and its weights. Raises `InvalidInput` if it has too many layers."""
    count = len(network.sizes)
    if count > _MAX_SIZES:
        raise InvalidInput(f"the network has {count - 1} layers, a policy at most {_MAX_SIZES - 1}")
    header = np.zeros(HEADER, np.float32)
    header[_ENCODING], header[_COUNT] = game.network_encoding(network.encoding).encoding_id, count
    header[_SOFTMAX] = network.has_logits and not greedy
    header[_SIZES : _SIZES + count] = network.sizes
    header[_ACTIVATIONS : _ACTIVATIONS + count - 2] = network.kernel_activations
    return np.concatenate([header, network.weights])


def _check(game: GameDefinition, network: Mlp) -> None:
    if game.action_encodings and network.has_logits:
        raise InvalidInput(f"the network's outputs are logits ({network.algorithm}), which single actions have none of")
    if game.action_encodings and network.encoding not in game.action_encodings:
        raise InvalidInput(
            f"the network sees {network.encoding}; a policy of {game.name} needs one that judges an action at a time, by "
            f"{', '.join(game.action_encodings)}"
        )
    if sees_hidden(network.encoding):
        raise InvalidInput(f"the network sees hidden cards ({network.encoding}), which no policy may")
    if network.sizes[-1] == 1 and not game.action_encodings:
        raise InvalidInput("the network has one output, the value of a state; a policy needs the Q of each action")


@njit
def unpack_policy_weights(weights):
    """Return the number of the encoding, the sizes, the activations and the weights of the network."""
    header = weights[:HEADER].astype(np.int64)
    count = header[_COUNT]
    sizes, activations = header[_SIZES : _SIZES + count], header[_ACTIVATIONS : _ACTIVATIONS + count - 2]
    return header[_ENCODING], sizes, activations, weights[HEADER:]


@njit
def q_of_actions(rules, state, encoding, layers, sizes, activations, actions, inputs, outputs):
    """Write Q of each of some actions of the player to move (int32 [n]) into `outputs` (float32 [n, 1]); `inputs` is room
    for what the network sees (int8 [n, inputs]). Return whether it knows the phase: in another nothing is written.
    """
    if not ops.encode_actions(rules, state, ops.current_player(rules, state), encoding, actions, inputs):
        return False
    mlp_batch(layers, sizes, activations, inputs, outputs)
    return True


@njit
def action_probabilities_by_q(rules, state, weights, actions, probs):
    """Do as `action_probabilities`, by a network that judges one action at a time; return 0 in a phase it knows nothing of."""
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
    """Write what the player to move may do by the policy into `actions` (int32, room for all), the chance of each into
    `probs` (float64, as long), and return how many; 0 where the network has no output for any legal action.
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
    """Turn the first `n` values into their softmax, in place."""
    top, total = values[:n].max(), 0.0
    for i in range(n):
        values[i] = math.exp(values[i] - top)
        total += values[i]
    for i in range(n):
        values[i] /= total


@njit
def keep_argmax(actions, values, n):
    """Keep those of the first `n` actions whose values are greatest, replace their values by equal chances, and return how
    many they are.
    """
    top, found = values[:n].max(), 0
    for i in range(n):
        if values[i] == top:
            actions[found] = actions[i]
            found += 1
    values[:found] = 1.0 / found
    return found
