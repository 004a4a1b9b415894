"""Evaluation of states by a network: encode what a player sees, run the network, turn its outputs into values."""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames.core import ops
from cardgames.core.game import Game
from cardgames.kernels.jit import njit
from cardgames.networks.mlp import mlp_batch
from cardgames.networks.network import Mlp, check_reward
from cardgames.support.errors import InvalidInput


@njit
def normalize_value(value, low, high):
    """Map a network's V or Q linearly from [low, high] (lost, won round) to [0, 1]; values outside are clipped."""
    return min(1.0, max(0.0, (value - low) / (high - low)))


@njit
def state_value(rules, state, player, symmetry_id, outputs, low, high, legal):
    """Return the value of a state for `player`, in [0, 1], from the outputs of a network.

    The value of a finished round is its utility. From a Q-network it is the greatest Q of a legal action, or NaN if `player`
    is not to move or no legal action has a Q.

    Args:
        rules: Kernel rules of the game.
        state: State record.
        player: Seat for which to evaluate.
        symmetry_id: Id of the symmetry (such as a permutation of colors) that `ops.encode` applied to the network's input.
        outputs: One output (V), or one for each action id from 0 to n - 1 (Q).
        low: Output that means a lost round.
        high: Output that means a won round.
        legal: Scratch array for legal actions.
    """
    if ops.is_terminal(rules, state):
        return ops.utility(rules, state, player)
    best = -np.inf
    if len(outputs) == 1:
        best = np.float64(outputs[0])
    elif ops.current_player(rules, state) == player:
        for i in range(ops.legal_actions(rules, state, legal)):
            if legal[i] < len(outputs):
                best = max(best, np.float64(outputs[ops.apply_symmetry(rules, symmetry_id, legal[i])]))
    return np.nan if best == -np.inf else normalize_value(best, low, high)


@njit
def _encode_all(rules, states, players, encoding_id, inputs, symmetry_ids):
    for i in range(len(states)):
        symmetry_ids[i] = ops.encode(rules, states[i], players[i], encoding_id, inputs[i])


@njit
def _read_all(rules, states, players, symmetry_ids, outputs, low, high, legal, out):
    for i in range(len(states)):
        out[i] = state_value(rules, states[i], players[i], symmetry_ids[i], outputs[i], low, high, legal)


def check_batch(game: Game, states: NDArray[Any], players: NDArray[np.int64]) -> None:
    """Raise `InvalidInput` unless `states` are state records of `game` and `players` has a seat for each of them."""
    if not isinstance(states, np.ndarray) or states.dtype != game.state_dtype or states.ndim != 1:
        raise InvalidInput(f"states are an array [n] of the records of {game.name}'s states")
    if not isinstance(players, np.ndarray) or players.dtype != np.int64 or players.shape != states.shape:
        raise InvalidInput(f"players are an int64 array [{len(states)}], a seat for each state")
    if len(players) and not 0 <= players.min() <= players.max() < game.num_players:
        raise InvalidInput(f"players are seats from 0 to {game.num_players - 1}")


class NetworkEvaluator(ABC):
    """Base class of evaluators that encode what a player sees of a state and turn a network's outputs into values."""

    def __init__(self, game: Game, encoding: str, reward: tuple[float, float]):
        encoding_spec = game.encoding(encoding)
        check_reward(reward)
        self.encoding, self.reward = encoding, reward
        self.game = game
        self._encoding_id, self._inputs = encoding_spec.encoding_id, encoding_spec.inputs

    @abstractmethod
    def outputs(self, inputs: NDArray[np.int8]) -> NDArray[np.float32]:
        """Return the network's outputs ([n, outputs] float32) for `inputs` ([n, inputs] int8)."""

    def evaluate(self, states: NDArray[Any], players: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the value of each state for its player ([n] float64 in [0, 1]).

        Raises:
            InvalidInput: If a Q-network has no value for a state: the player is not to move, or no legal action has a Q.
        """
        values = self.values(states, players)
        if np.isnan(values).any():
            raise InvalidInput(
                "the network has no value for a state: its player is not to move, or no legal action has a Q"
            )
        return values

    def values(self, states: NDArray[Any], players: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the value of each state for its player ([n] float64 in [0, 1]), NaN where a Q-network has none.

        A Q-network has no value if the player is not to move, or no legal action has a Q.

        Raises:
            InvalidInput: If an array has a wrong type or shape, or an output is not finite.
        """
        check_batch(self.game, states, players)
        rules = self.game.kernel_rules
        inputs, symmetry_ids = np.empty((len(states), self._inputs), np.int8), np.empty(len(states), np.int64)
        _encode_all(rules, states, players, self._encoding_id, inputs, symmetry_ids)
        outputs = self.finite_outputs(inputs)
        values, legal = np.empty(len(states)), np.empty(self.game.max_legal_actions, np.int32)
        _read_all(rules, states, players, symmetry_ids, outputs, *self.reward, legal, values)
        return values

    def finite_outputs(self, inputs: NDArray[np.int8]) -> NDArray[np.float32]:
        """Return the network's outputs ([n, outputs] float32) for `inputs` ([n, inputs] int8).

        Raises:
            InvalidInput: If the outputs are not all finite numbers.
        """
        outputs = self.outputs(inputs)
        if not np.isfinite(outputs).all():
            raise InvalidInput("the network's outputs are not all finite numbers")
        return outputs


class KernelEvaluator(NetworkEvaluator):
    """Evaluator that runs a perceptron in kernels, which is fastest for small networks at every batch size."""

    def __init__(self, game: Game, network: Mlp):
        super().__init__(game, network.encoding, network.reward)
        self._weights, self._outputs = network.weights, network.sizes[-1]
        self._sizes, self._activations = network.kernel_sizes, network.kernel_activations

    def outputs(self, inputs: NDArray[np.int8]) -> NDArray[np.float32]:
        """Return the network's outputs ([n, outputs] float32) for `inputs` ([n, inputs] int8)."""
        out = np.empty((len(inputs), self._outputs), np.float32)
        mlp_batch(self._weights, self._sizes, self._activations, inputs, out)
        return out
