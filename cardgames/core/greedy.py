"""A Q-network's greedy policy: the legal actions of greatest Q by what the mover sees.

A game calls `greedy_actions` from its verbs `policy` and `likelihood`. The policy's weights are a header of one cache
line, the number of the encoding, of the sizes, and the sizes, then those of the network (`core.mlp.pack`).
"""

import functools
import os
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cardgames.core import ops
from cardgames.core.errors import InvalidInput
from cardgames.core.jit import njit
from cardgames.core.mlp import aligned, mlp_value
from cardgames.core.network import Mlp
from cardgames.core.shipped import named_network, network_path

if TYPE_CHECKING:
    from cardgames.core.game import Game

_ENCODING, _COUNT, _SIZES, _HEADER = 0, 1, 2, 16


def greedy_weights(game: "Game", name: str) -> NDArray[np.float32]:
    """Return the weights of the policy that follows the network in a file, or one that comes with the game.

    Raises `InvalidInput` if the network is not for `game` and its rules, sees hidden cards, has no Q values or too many
    layers.
    """
    path = network_path(game, name)
    try:
        status = os.stat(path)
    except OSError as error:
        raise InvalidInput(f"cannot read {path}: {error.strerror}") from None
    return _read(game, path, status.st_mtime_ns, status.st_size)


@functools.lru_cache(maxsize=16)
def _read(game: "Game", path: str, modified: int, size: int) -> NDArray[np.float32]:
    """Return the weights; searches ask for them at every decision, so a file is read once for as long as it is the same."""
    network = named_network(game, path)
    try:
        return network_weights(game, network)
    except InvalidInput as error:
        raise InvalidInput(f"{path}: {error}") from None


def network_weights(game: "Game", network: Mlp) -> NDArray[np.float32]:
    """Return the weights of the policy that follows a network.

    Raises `InvalidInput` if the network is not for `game` and its rules, sees hidden cards, has no Q values or too many
    layers.
    """
    network.check(game)
    _check(network)
    count = len(network.sizes)
    header = np.zeros(_HEADER, np.float32)
    header[_ENCODING], header[_COUNT] = game.encodings[network.encoding][0], count
    header[_SIZES : _SIZES + count] = network.sizes
    return aligned(np.concatenate([header, network.weights]))


def _check(network: Mlp) -> None:
    count = len(network.sizes)
    if network.encoding.startswith("cheating-"):
        raise InvalidInput(f"the network sees hidden cards ({network.encoding}), which no policy may")
    if network.sizes[-1] == 1:
        raise InvalidInput("the network has one output, the value of a state; a policy needs the Q of each action")
    if count > _HEADER - _SIZES:
        raise InvalidInput(f"the network has {count - 1} layers, a policy at most {_HEADER - _SIZES - 1}")


@njit
def greedy_actions(rules, state, weights, best):
    """Write the legal actions of greatest Q for the player to move into `best` (int32, room for all) and return how many; 0
    where no legal action has a Q.
    """
    sizes = weights[_SIZES : _SIZES + np.int64(weights[_COUNT])].astype(np.int64)
    n = ops.legal_actions(rules, state, best)
    if n == 1:
        return 1
    if best[0] >= sizes[-1]:
        return 0
    inputs, q = np.empty(sizes[0], np.int8), np.empty(sizes[-1], np.float32)
    seat, encoding = ops.current_player(rules, state), np.int64(weights[_ENCODING])
    naming = ops.encode(rules, state, seat, encoding, inputs)
    mlp_value(weights[_HEADER:], sizes, inputs, q)
    found, top = 0, -np.inf
    for i in range(n):
        action = best[i]
        if action >= len(q):
            break
        value = q[ops.renamed(rules, naming, action)]
        if value >= top:
            found = 0 if value > top else found
            best[found] = action
            found += 1
            top = value
    return found
