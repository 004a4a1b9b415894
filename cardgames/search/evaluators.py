"""What a leaf is worth: by a network inside kernels, by a torch module on CPU or CUDA, or by playing it out.

A search collects leaves over its trees and over games and asks for all their values at once. Whatever makes it, a value
estimates the verb `evaluate`; a finished round has the value `evaluate` gives it.
"""

from abc import ABC, abstractmethod
from importlib.util import find_spec
from itertools import pairwise
from os import PathLike
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from cardgames.core import ops, rng
from cardgames.core.errors import InvalidInput, unknown
from cardgames.core.game import Game
from cardgames.core.jit import njit
from cardgames.core.mlp import mlp_batch
from cardgames.core.network import Mlp, check_outputs, network_of
from cardgames.core.records import copy_record
from cardgames.core.rng import mix, next_word
from cardgames.core.shipped import named_network

DEVICES = ("auto", "kernel", "cpu", "cuda")
KERNEL_PARAMETERS = 1_000_000
"""Larger perceptrons are left to torch, whose matrix products then win over sums of rows on one core too."""
CUDA_WORK = 10_000_000
"""Parameters times leaves a call from which the way to a CUDA device and back pays: what a core does in 0.4 ms."""


class Evaluator(Protocol):
    """Anything that tells what states are worth."""

    def evaluate(self, states: NDArray[Any], players: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the value in [0, 1] of each of `states` (records [n]) for the seat `players[i]` (int64 [n])."""
        ...


@njit
def act(rules, state, which, weights, rng):
    """Play the action of the policy `which`."""
    ops.apply_action(rules, state, ops.policy(rules, state, which, weights, rng))


@njit
def play_out_all(rules, states, players, which, weights, playouts, scratch, stream, out):
    """Write into `out` the mean `evaluate` of so many rounds played from each state; streams start from the states' own."""
    state = scratch[0]
    for i in range(len(states)):
        total = 0.0
        for number in range(playouts):
            copy_record(state, states[i])
            stream.rng = mix(np.uint64(state.rng + np.uint64(number)))
            state.rng = next_word(stream)
            while not ops.is_terminal(rules, state):
                act(rules, state, which, weights, stream)
            total += ops.evaluate(rules, state, players[i])
        out[i] = total / playouts


@njit
def read_value(rules, state, player, naming, outputs, low, high, legal):
    """Return a state's value in [0, 1] from a network's `outputs`, its value or each action's Q, between `low` and `high`,
    by the names of renaming `naming`.

    By Q a state is worth the best legal action; NaN where that is no answer: `player` is not to move, or no legal
    action has a Q.
    """
    if ops.is_terminal(rules, state):
        return ops.evaluate(rules, state, player)
    best = -np.inf
    if len(outputs) == 1:
        best = np.float64(outputs[0])
    elif ops.current_player(rules, state) == player:
        for i in range(ops.legal_actions(rules, state, legal)):
            if legal[i] < len(outputs):
                best = max(best, np.float64(outputs[ops.renamed(rules, naming, legal[i])]))
    return np.nan if best == -np.inf else min(1.0, max(0.0, (best - low) / (high - low)))


@njit
def _encode_all(rules, states, players, which, inputs, namings):
    for i in range(len(states)):
        namings[i] = ops.encode(rules, states[i], players[i], which, inputs[i])


@njit
def _read_all(rules, states, players, namings, outputs, low, high, legal, out):
    for i in range(len(states)):
        out[i] = read_value(rules, states[i], players[i], namings[i], outputs[i], low, high, legal)


def _check_batch(game: Game, states: NDArray[Any], players: NDArray[np.int64]) -> None:
    """Raise `InvalidInput` unless `states` are records of `game` and `players` a seat for each of them."""
    if not isinstance(states, np.ndarray) or states.dtype != game.state_dtype or states.ndim != 1:
        raise InvalidInput(f"states are an array [n] of the records of {game.name}'s states")
    if not isinstance(players, np.ndarray) or players.dtype != np.int64 or players.shape != states.shape:
        raise InvalidInput(f"players are an int64 array [{len(states)}], a seat for each state")
    if len(players) and not 0 <= players.min() <= players.max() < game.num_players:
        raise InvalidInput(f"players are seats from 0 to {game.num_players - 1}")


class PlayoutEvaluator:
    """Plays every state to its end by a rule-based policy.

    All chance comes from the states' own random streams: equal states have equal values, in any company and order.
    """

    def __init__(self, game: Game, policy: str = "reflex", playouts: int = 1):
        if playouts < 1:
            raise InvalidInput(f"playouts is at least 1, not {playouts}")
        self._game, self._policy, self._playouts = game, game.policy(policy, "playout"), playouts
        self._scratch, self._stream = np.zeros(1, game.state_dtype), rng.stream(0)

    def evaluate(self, states: NDArray[Any], players: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the mean `evaluate` of the play-outs of each state, in [0, 1]. Raises `InvalidInput`."""
        _check_batch(self._game, states, players)
        out, rules = np.empty(len(states)), self._game.kernel_rules
        play_out_all(rules, states, players, *self._policy, self._playouts, self._scratch, self._stream, out)
        return out


class NetworkEvaluator(ABC):
    """An evaluator that encodes what the players see, asks a network, and reads its outputs as `read_value` does."""

    def __init__(self, game: Game, encoding: str, reward: tuple[float, float]):
        if encoding not in game.encodings:
            raise unknown("encoding", encoding, game.encodings)
        self.encoding, self.reward = encoding, reward
        self._game = game
        self._which, shape = game.encodings[encoding]
        self._inputs = int(np.prod(shape))

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
        """Return what `evaluate` does, NaN where a network of Q has no answer. Raises `InvalidInput` for wrong arrays."""
        _check_batch(self._game, states, players)
        rules = self._game.kernel_rules
        inputs, namings = np.empty((len(states), self._inputs), np.int8), np.empty(len(states), np.int64)
        _encode_all(rules, states, players, self._which, inputs, namings)
        outputs = self.outputs(inputs)
        values, legal = np.empty(len(states)), np.empty(self._game.most_legal, np.int32)
        _read_all(rules, states, players, namings, outputs, *self.reward, legal, values)
        return values


class NetworkOrPlayouts:
    """A network's values; where it has none, those of play-outs."""

    def __init__(self, network: NetworkEvaluator, playouts: PlayoutEvaluator):
        self._network, self._playouts = network, playouts

    def evaluate(self, states: NDArray[Any], players: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the states' values, in [0, 1]. Raises `InvalidInput` for wrong arrays."""
        values = self._network.values(states, players)
        untold = np.isnan(values)
        if untold.any():
            values[untold] = self._playouts.evaluate(states[untold], players[untold])
        return values


class KernelEvaluator(NetworkEvaluator):
    """A perceptron inside kernels: the quickest for small ones, at every size of batch."""

    def __init__(self, game: Game, network: Mlp):
        super().__init__(game, network.encoding, network.reward)
        self._weights, self._sizes, self._outputs = network.weights, network.kernel_sizes, network.sizes[-1]

    def outputs(self, inputs: NDArray[np.int8]) -> NDArray[np.float32]:
        """Return the network's outputs."""
        out = np.empty((len(inputs), self._outputs), np.float32)
        mlp_batch(self._weights, self._sizes, inputs, out)
        return out


class TorchEvaluator(NetworkEvaluator):
    """A torch module that maps float32 [n, inputs] to [n, outputs]; it is moved to `device`, and evaluated as `eval()`
    has it.
    """

    def __init__(
        self, game: Game, module: Any, encoding: str, reward: tuple[float, float] = (0.0, 1.0), device: str = "cpu"
    ):
        super().__init__(game, encoding, reward)
        torch = _torch()
        if device == "cuda" and not torch.cuda.is_available():
            raise InvalidInput("device=cuda: torch finds no CUDA device here; choose from auto, kernel, cpu")
        self._torch, self._module, self._device = torch, module.to(device), device
        self._probe()

    def _probe(self) -> None:
        """Raise `InvalidInput` unless the module maps inputs to a value, or to at most a Q for each action."""
        try:
            found = self.outputs(np.zeros((2, self._inputs), np.int8)).shape[1]
        except Exception as error:  # whatever a stranger's module does
            reason = str(error).partition("\n")[0]
            raise InvalidInput(f"the module does not map [n, {self._inputs}] to [n, outputs]: {reason}") from error
        check_outputs(self._game, self.encoding, found, "module")

    def outputs(self, inputs: NDArray[np.int8]) -> NDArray[np.float32]:
        """Return the module's outputs, as float32 on the CPU; nothing is kept for gradients."""
        training = self._module.training
        self._module.eval()
        try:
            with self._torch.inference_mode():
                # inputs travel as bytes and become floats on the device
                out = self._module(self._torch.from_numpy(inputs).to(self._device).float())
                found: NDArray[np.float32] = out.float().reshape(len(inputs), -1).cpu().numpy()
        finally:
            self._module.train(training)
        return found


def as_module(network: Mlp) -> Any:
    """Return a perceptron as a torch `Sequential` with the same weights."""
    torch = _torch()
    parts: list[Any] = []
    for inputs, outputs in pairwise(network.sizes):
        parts += [torch.nn.Linear(inputs, outputs), torch.nn.ReLU()]
    module = torch.nn.Sequential(*parts[:-1])
    module.load_state_dict({name: torch.from_numpy(tensor) for name, tensor in network.tensors().items()})
    return module


def as_network(module: Any, encoding: str, game: str, **options: Any) -> Mlp | None:
    """Return a torch `Sequential` of `Linear` and `ReLU` in turn as a perceptron, None if `module` is anything else.

    `options` are fields of `Mlp`.
    """
    nn = _torch().nn
    kinds = [type(part) for part in module.children()] if type(module) is nn.Sequential else []
    if len(kinds) % 2 == 0 or kinds != [nn.Linear, nn.ReLU] * (len(kinds) // 2) + [nn.Linear]:
        return None
    if any(part.bias is None for part in module.children() if type(part) is nn.Linear):
        return None
    tensors = {name: tensor.detach().float().cpu().numpy() for name, tensor in module.state_dict().items()}
    return network_of(tensors, encoding, game, **options)


def make_evaluator(
    game: Game,
    network: "str | PathLike[str] | Mlp | Any",
    device: str = "auto",
    *,
    encoding: str = "",
    reward: tuple[float, float] = (0.0, 1.0),
    batch: int = 64,
    any_rules: bool = False,
) -> NetworkEvaluator:
    """Return the evaluator that asks a network: a file or one that comes with the game, an `Mlp`, or a torch module.

    A module needs its `encoding`, and its `reward` if its values or Q are not those of losing 0 and winning 1 (see
    `Mlp`); `device` is one of `DEVICES`, for `auto` a `batch` of so many leaves is expected. Raises `InvalidInput`.
    """
    if device not in DEVICES:
        raise unknown("device", device, DEVICES)
    if isinstance(network, (str, PathLike)):
        network = named_network(game, str(network), any_rules=any_rules)
    if not isinstance(network, Mlp):
        _check_module(game, network, encoding)
    mlp = network if isinstance(network, Mlp) else as_network(network, encoding, game.name, reward=reward)
    if mlp is not None:
        mlp.check(game, any_rules=any_rules)
        mlp = mlp.judge
    if device == "auto":
        parameters = mlp.parameters if mlp is not None else _count(network)
        device = choose_device(parameters, batch, perceptron=mlp is not None)
    if device == "kernel":
        if mlp is None:
            raise InvalidInput("device=kernel: kernels know a Sequential of Linear and ReLU in turn, no other module")
        return KernelEvaluator(game, mlp)
    if isinstance(network, Mlp) and mlp is not None:
        return TorchEvaluator(game, as_module(mlp), mlp.encoding, mlp.reward, device)
    return TorchEvaluator(game, network, encoding, reward, device)


def choose_device(parameters: int, batch: int, *, perceptron: bool = True) -> str:
    """Return where batches of so many leaves are evaluated soonest; kernels know nothing but a `perceptron`."""
    if perceptron and find_spec("torch") is None:
        return "kernel"
    if parameters * batch >= CUDA_WORK and _torch().cuda.is_available():
        return "cuda"
    return "kernel" if perceptron and parameters <= KERNEL_PARAMETERS else "cpu"


def _check_module(game: Game, module: Any, encoding: str) -> None:
    """Raise `InvalidInput` unless this is a torch module with an encoding."""
    if find_spec("torch") is None or not isinstance(module, _torch().nn.Module):
        raise InvalidInput(f"a network is the path of a file, an Mlp or a torch module, not {type(module).__name__}")
    if encoding not in game.encodings:
        raise unknown("encoding", encoding, game.encodings)


def _torch() -> Any:
    try:
        import torch
    except ImportError:
        raise InvalidInput("torch is not installed: pip install '.[torch]' in a clone of cardgames") from None
    return torch


def _count(module: Any) -> int:
    return sum(part.numel() for part in module.parameters())
