"""What a leaf is worth: by playing it out, or by a network on the device that suits it.

A search collects leaves over its trees and over games and asks for all their values at once. Whatever makes it, a value
estimates the verb `utility`; a finished round has the value `utility` gives it.
"""

from importlib.util import find_spec
from os import PathLike
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from cardgames.core import ops
from cardgames.core.game import Game
from cardgames.core.game_definition import GameDefinition
from cardgames.kernels import rng
from cardgames.kernels.copying import copy_record
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import mix, next_word
from cardgames.networks.network import Mlp
from cardgames.networks.policy_lookup import find_policy
from cardgames.networks.pretrained import load_named_network
from cardgames.search.network_evaluator import KernelEvaluator, NetworkEvaluator, check_batch
from cardgames.search.playout import apply_policy
from cardgames.search.torch_evaluator import TorchEvaluator, from_torch_module, has_cuda, import_torch, to_torch_module
from cardgames.support.errors import InvalidInput, check_integer_in, unknown_name

DEVICES = ("auto", "kernel", "cpu", "cuda")
MAX_KERNEL_PARAMETERS = 2_000_000
"""Larger perceptrons are left to torch, which has more than one core for them."""
MIN_CUDA_WORK = 20_000_000
"""Parameters times leaves a call from which CUDA pays (docs/results.md): what a core does in some 0.2 ms. Updates of 32 on
512-512 stay in kernels, those of 64 go to CUDA.
"""

_MAX_PLAYOUTS = 2**31 - 1


class Evaluator(Protocol):
    """Anything that tells what states are worth."""

    def evaluate(self, states: NDArray[Any], players: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the value in [0, 1] of each of `states` (records [n]) for the seat `players[i]` (int64 [n]).

        Rounds that are over are among them: these are worth `ops.utility(game.kernel_rules, states[i], players[i])`.
        """
        ...


@njit
def mean_playout_values(rules, states, players, policy_id, weights, playouts, scratch, stream, out):
    """Write into `out` the mean `utility` of so many rounds played from each state; streams start from the states' own."""
    state = scratch[0]
    for i in range(len(states)):
        total = 0.0
        for number in range(playouts):
            copy_record(state, states[i])
            stream.rng = mix(np.uint64(state.rng + np.uint64(number)))
            state.rng = next_word(stream)
            while not ops.is_terminal(rules, state):
                apply_policy(rules, state, policy_id, weights, stream)
            total += ops.utility(rules, state, players[i])
        out[i] = total / playouts


def checked_values(evaluator: Evaluator, states: NDArray[Any], players: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return what anybody's evaluator tells of states. Raises `InvalidInput` unless that is a value in [0, 1] for each."""
    result = evaluator.evaluate(states, players)
    try:
        values = np.asarray(result, np.float64)
    except (TypeError, ValueError):
        raise InvalidInput(f"an evaluator tells a float for each state, not {result!r:.60}") from None
    if values.shape != players.shape or not np.isfinite(values).all():
        problem = f"an array {list(values.shape)}" if values.shape != players.shape else "values that are not finite"
        raise InvalidInput(f"an evaluator tells a value for each of {len(players)} states, not {problem}")
    if len(values) and not 0 <= values.min() <= values.max() <= 1:
        raise InvalidInput(f"an evaluator's values lie from 0 to 1, not from {values.min():g} to {values.max():g}")
    return values


def check_evaluator_game(evaluator: Evaluator, game: GameDefinition) -> None:
    """Raise `InvalidInput` if an evaluator tells of what game it is, and that is not such a one."""
    evaluator_game = getattr(evaluator, "game", None)
    if isinstance(evaluator_game, Game) and not evaluator_game.is_same_game(game):
        raise InvalidInput(f"an evaluator for {evaluator_game!r} is none for {game!r}")


class PlayoutEvaluator:
    """Plays every state to its end by a rule-based policy.

    All chance comes from the states' own random streams: equal states have equal values, in any company and order.
    """

    def __init__(self, game: Game, policy: str = "", playouts: int = 1):
        """`policy` is the game's pacemaker if not given. Raises `InvalidInput`."""
        self._playouts = check_integer_in("playouts", playouts, 1, _MAX_PLAYOUTS)
        self.game, self._policy = game, find_policy(game, policy or game.default_policy, "playout")

    def evaluate(self, states: NDArray[Any], players: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the mean `evaluate` of the play-outs of each state, in [0, 1]. Raises `InvalidInput`."""
        check_batch(self.game, states, players)
        out, scratch = np.empty(len(states)), np.zeros(1, self.game.state_dtype)
        rules, stream = self.game.kernel_rules, rng.stream(0)
        mean_playout_values(rules, states, players, *self._policy, self._playouts, scratch, stream, out)
        return out


class NetworkWithPlayoutFallback:
    """A network's values; where it has none, those of play-outs."""

    def __init__(self, network: NetworkEvaluator, playouts: PlayoutEvaluator):
        self.game, self._network, self._playouts = network.game, network, playouts

    def evaluate(self, states: NDArray[Any], players: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the states' values, in [0, 1]. Raises `InvalidInput` for wrong arrays."""
        values = self._network.values(states, players)
        missing = np.isnan(values)
        if missing.any():
            values[missing] = self._playouts.evaluate(states[missing], players[missing])
        return values


def make_evaluator(
    game: Game,
    network: "str | PathLike[str] | Mlp | Any",
    device: str = "auto",
    *,
    encoding: str = "",
    reward: tuple[float, float] | None = None,
    batch: int = 64,
) -> NetworkEvaluator:
    """Return the evaluator that asks a network: a file or one that comes with the game, an `Mlp`, or a torch module.

    A module needs its `encoding`, and its `reward` if its values or Q are not those of losing 0 and winning 1 (see
    `Mlp`); `device` is one of `DEVICES`, for `auto` a `batch` of so many leaves is expected. Kernels copy a module's weights
    as they are now; with `device="cpu"` or `"cuda"` it is asked itself, and may go on learning. Raises `InvalidInput`.
    """
    if device not in DEVICES:
        raise unknown_name("device", device, DEVICES)
    if not isinstance(network, (str, PathLike, Mlp)):
        return _module_evaluator(game, network, device, encoding, reward or (0.0, 1.0), batch)
    if encoding or reward is not None:
        raise InvalidInput("encoding and reward are told of a module; a file or an Mlp knows its own: leave them out")
    mlp = _value_network(game, network if isinstance(network, Mlp) else load_named_network(game, str(network)))
    if device == "auto":
        device = choose_device(mlp.parameters, batch)
    if device == "kernel":
        return KernelEvaluator(game, mlp)
    return TorchEvaluator(game, to_torch_module(mlp), mlp.encoding, mlp.reward, device)


def _module_evaluator(
    game: Game, module: Any, device: str, encoding: str, reward: tuple[float, float], batch: int
) -> NetworkEvaluator:
    """Return the evaluator that asks a torch module, or kernels that have copied it."""
    _check_module(game, module, encoding)
    perceptron = from_torch_module(module, encoding, game.name, reward=reward)
    mlp = _value_network(game, perceptron) if perceptron is not None else None
    if device == "auto":
        device = choose_device(_num_parameters(module), batch, perceptron=mlp is not None)
    if device != "kernel":
        return TorchEvaluator(game, module, encoding, reward, device)
    if mlp is None:
        raise InvalidInput(
            "device=kernel: kernels know a Sequential of Linear and ReLU or Tanh in turn, no other module"
        )
    return KernelEvaluator(game, mlp)


def _value_network(game: Game, network: Mlp) -> Mlp:
    """Return what tells the values of a network. Raises `InvalidInput` if it does not fit the game or judges no states."""
    network.check(game)
    if network.encoding in game.action_encodings:
        raise InvalidInput(
            f"the network judges one action at a time ({network.encoding}), no states: searches take it with cutoff=N, or as "
            "a policy"
        )
    return network.value_network


def choose_device(parameters: int, batch: int, *, perceptron: bool = True) -> str:
    """Return where batches of so many leaves are evaluated soonest; kernels know nothing but a `perceptron`."""
    if perceptron and find_spec("torch") is None:
        return "kernel"
    if parameters * batch >= MIN_CUDA_WORK and has_cuda():
        return "cuda"
    return "kernel" if perceptron and parameters <= MAX_KERNEL_PARAMETERS else "cpu"


def _check_module(game: Game, module: Any, encoding: str) -> None:
    """Raise `InvalidInput` unless this is a torch module with an encoding."""
    if find_spec("torch") is None or not isinstance(module, import_torch().nn.Module):
        raise InvalidInput(f"a network is the path of a file, an Mlp or a torch module, not {type(module).__name__}")
    if not encoding:
        raise InvalidInput("of a torch module is to be said what it sees: encoding=NAME")
    game.encoding(encoding)


def _num_parameters(module: Any) -> int:
    return sum(part.numel() for part in module.parameters())
