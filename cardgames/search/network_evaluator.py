"""What a network makes of states: encoded as their players see them, its outputs read as values."""

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
    """Return a V or Q between `low` and `high` as a value in [0, 1]."""
    return min(1.0, max(0.0, (value - low) / (high - low)))


@njit
def state_value(rules, state, player, symmetry_id, outputs, low, high, legal):
    """Return a state's value in [0, 1] from a network's `outputs`, its value or each action's Q, between `low` and `high`,
    by the names of renaming `symmetry_id`.

    By Q a state is worth the best legal action; NaN where that is no answer: `player` is not to move, or no legal
    action has a Q.
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
    """Raise `InvalidInput` unless `states` are records of `game` and `players` a seat for each of them."""
    if not isinstance(states, np.ndarray) or states.dtype != game.state_dtype or states.ndim != 1:
        raise InvalidInput(f"states are an array [n] of the records of {game.name}'s states")
    if not isinstance(players, np.ndarray) or players.dtype != np.int64 or players.shape != states.shape:
        raise InvalidInput(f"players are an int64 array [{len(states)}], a seat for each state")
    if len(players) and not 0 <= players.min() <= players.max() < game.num_players:
        raise InvalidInput(f"players are seats from 0 to {game.num_players - 1}")


class NetworkEvaluator(ABC):
    """An evaluator that encodes what the players see, asks a network, and reads its outputs as `state_value` does."""

    def __init__(self, game: Game, encoding: str, reward: tuple[float, float]):
        encoding_spec = game.encoding(encoding)
        check_reward(reward)
        self.encoding, self.reward = encoding, reward
        self.game = game
        self._encoding_id, self._inputs = encoding_spec.encoding_id, encoding_spec.inputs

    @abstractmethod
    def outputs(self, inputs: NDArray[np.int8]) -> NDArray[np.float32]:
        """Return what the network makes of `inputs` ([n, inputs]): float32 [n, outputs], in the same names."""

    def evaluate(self, states: NDArray[Any], players: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the states' values, in [0, 1].

        Raises `InvalidInput` if a network of Q has no answer: the player is not to move, or no legal action has a Q.
        """
        values = self.values(states, players)
        if np.isnan(values).any():
            raise InvalidInput(
                "the network has no value for a state: its player is not to move, or no legal action has a Q"
            )
        return values

    def values(self, states: NDArray[Any], players: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return what `evaluate` does, NaN where a network of Q has no answer.

        Raises `InvalidInput` for wrong arrays and for outputs that are not finite.
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
        """Return `outputs`. Raises `InvalidInput` if they are not all finite numbers."""
        outputs = self.outputs(inputs)
        if not np.isfinite(outputs).all():
            raise InvalidInput("the network's outputs are not all finite numbers")
        return outputs


class KernelEvaluator(NetworkEvaluator):
    """A perceptron inside kernels: the quickest for small ones, at every size of batch."""

    def __init__(self, game: Game, network: Mlp):
        super().__init__(game, network.encoding, network.reward)
        self._weights, self._outputs = network.weights, network.sizes[-1]
        self._sizes, self._activations = network.kernel_sizes, network.kernel_activations

    def outputs(self, inputs: NDArray[np.int8]) -> NDArray[np.float32]:
        """Return the network's outputs."""
        out = np.empty((len(inputs), self._outputs), np.float32)
        mlp_batch(self._weights, self._sizes, self._activations, inputs, out)
        return out
