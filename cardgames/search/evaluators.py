"""Leaf evaluators of searches: by playouts, or by a network that runs in Numba kernels, in torch on the CPU or on CUDA.

A search may collect leaves from all its trees and from several games, and evaluates them in one call. A value estimates a
seat's `utility`, in [0, 1]; for a finished round it is the `utility` itself.
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
DEVICE_DEFAULT = {"device": "auto"}
"""Default of the option `device` (where a network runs, one of `DEVICES`) of agents, as keyword arguments."""
MAX_KERNEL_PARAMETERS = 2_000_000
"""Largest number of weights of a perceptron that `device=auto` runs in Numba kernels (one core).

Torch runs larger perceptrons, on several cores.
"""
MIN_CUDA_WORK = 20_000_000
"""Smallest product of a network's number of weights and its batch size for which `device=auto` chooses CUDA.

For larger products CUDA is faster; one core takes about 0.2 ms for this one (docs/research/speed.md). Updates of a network
with hidden layers of 512 and 512 units therefore stay in kernels for batches of 32 and run on CUDA for batches of 64.
"""

_MAX_PLAYOUTS = 2**31 - 1


class Evaluator(Protocol):
    """Interface of leaf evaluators: any object with this method can evaluate the leaves of a search."""

    def evaluate(self, states: NDArray[Any], players: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the value of each state for one seat.

        Args:
            states: State records [n]. Some may be finished rounds, whose value is
                `ops.utility(game.kernel_rules, states[i], players[i])`.
            players: Seats [n] int64; `players[i]` is the seat for which to evaluate `states[i]`.

        Returns:
            [n] float64 in [0, 1].
        """
        ...


@njit
def mean_playout_values(rules, states, players, policy_id, weights, playouts, scratch, stream, out):
    """Write the mean utility for seat `players[i]` of `playouts` playouts from `states[i]` into `out[i]`, for each i.

    The random streams of the playouts are derived from the random stream in `states[i]`.
    """
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
    """Return the evaluator's values of `states` for the seats `players`, checked for shape and range.

    Raises:
        InvalidInput: If the result is not a value in [0, 1] for each state.
    """
    result = evaluator.evaluate(states, players)
    try:
        values = np.asarray(result, np.float64)
    except (TypeError, ValueError):
        raise InvalidInput(f"an evaluator returns a float for each state, not {result!r:.60}") from None
    if values.shape != players.shape or not np.isfinite(values).all():
        problem = f"an array {list(values.shape)}" if values.shape != players.shape else "values that are not finite"
        raise InvalidInput(f"an evaluator returns a value for each of {len(players)} states, not {problem}")
    if len(values) and not 0 <= values.min() <= values.max() <= 1:
        raise InvalidInput(f"an evaluator returns values from 0 to 1, not from {values.min():g} to {values.max():g}")
    return values


def check_evaluator_game(evaluator: Evaluator, game: GameDefinition) -> None:
    """Raise `InvalidInput` if the evaluator has an attribute `game` that differs from `game`."""
    evaluator_game = getattr(evaluator, "game", None)
    if isinstance(evaluator_game, Game) and not evaluator_game.is_same_game(game):
        raise InvalidInput(f"the evaluator is for {evaluator_game!r}, not for {game!r}")


class PlayoutEvaluator:
    """Evaluator that plays each state to the end by a rule-based policy and returns the mean utility.

    All chance events come from the states' own random streams, so equal states have equal values in every batch.
    """

    def __init__(self, game: Game, policy: str = "", playouts: int = 1):
        """Create an evaluator.

        Args:
            game: Game of the states.
            policy: Name of the rollout policy; by default the game's default policy.
            playouts: Number of playouts per state.

        Raises:
            InvalidInput: If there is no such policy, or `playouts` is out of range.
        """
        self._playouts = check_integer_in("playouts", playouts, 1, _MAX_PLAYOUTS)
        self.game, self._policy = game, find_policy(game, policy or game.default_policy, "playout")

    def evaluate(self, states: NDArray[Any], players: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return for each state the mean utility of its playouts for the seat `players[i]` ([n] float64 in [0, 1]).

        Raises:
            InvalidInput: If an array has a wrong type or shape.
        """
        check_batch(self.game, states, players)
        out, scratch = np.empty(len(states)), np.zeros(1, self.game.state_dtype)
        rules, stream = self.game.kernel_rules, rng.stream(0)
        mean_playout_values(rules, states, players, *self._policy, self._playouts, scratch, stream, out)
        return out


class NetworkWithPlayoutFallback:
    """Evaluator that uses a network, and playouts for the states for which the network has no value.

    A Q-network has no value for a state if the seat to evaluate is not to move, or no legal action has a Q.
    """

    def __init__(self, network: NetworkEvaluator, playouts: PlayoutEvaluator):
        self.game, self._network, self._playouts = network.game, network, playouts

    def evaluate(self, states: NDArray[Any], players: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the network's value of each state, the mean utility of playouts where it has none ([n] float64 in [0, 1]).

        Raises:
            InvalidInput: If an array has a wrong type or shape.
        """
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
    """Return an evaluator that uses a network.

    Args:
        game: Game of the states.
        network: A network file, the name of a pretrained network, an `Mlp`, or a torch module. Kernels work on a copy of
            the module's weights made now; with `device="cpu"` or `"cuda"` the module itself is evaluated, so training
            it further changes the values.
        device: One of `DEVICES`.
        encoding: Name of the encoding that a torch module takes as input; for torch modules only.
        reward: Outputs of a torch module that mean a lost and a won round, by default (0, 1) (see `Mlp`); for torch
            modules only.
        batch: Expected number of leaves per call, from which `device="auto"` chooses a device.

    Raises:
        InvalidInput: If the network does not fit the game or evaluates single actions instead of states, or an option is
            wrong.
    """
    if device not in DEVICES:
        raise unknown_name("device", device, DEVICES)
    if not isinstance(network, (str, PathLike, Mlp)):
        return _module_evaluator(game, network, device, encoding, reward or (0.0, 1.0), batch)
    if encoding or reward is not None:
        raise InvalidInput("encoding and reward are for torch modules: a file or an Mlp has its own, so leave them out")
    mlp = _value_network(game, network if isinstance(network, Mlp) else load_named_network(game, str(network)))
    if device == "auto":
        device = choose_device(mlp.parameters, batch)
    if device == "kernel":
        return KernelEvaluator(game, mlp)
    return TorchEvaluator(game, to_torch_module(mlp), mlp.encoding, mlp.reward, device)


def _module_evaluator(
    game: Game, module: Any, device: str, encoding: str, reward: tuple[float, float], batch: int
) -> NetworkEvaluator:
    """Return an evaluator that runs a torch module on `device`; with `device="kernel"`, a copy of its weights in kernels.

    Raises:
        InvalidInput: If the arguments are wrong, or `device` is `kernel` and kernels cannot run such a module.
    """
    _check_module(game, module, encoding)
    perceptron = from_torch_module(module, encoding, game.name, reward=reward)
    mlp = _value_network(game, perceptron) if perceptron is not None else None
    if device == "auto":
        device = choose_device(_num_parameters(module), batch, perceptron=mlp is not None)
    if device != "kernel":
        return TorchEvaluator(game, module, encoding, reward, device)
    if mlp is None:
        raise InvalidInput(
            "device=kernel needs a Sequential that alternates Linear and ReLU or Tanh, and takes no other module"
        )
    return KernelEvaluator(game, mlp)


def _value_network(game: Game, network: Mlp) -> Mlp:
    """Return the part of a network that evaluates states (`Mlp.value_network`), after checking that it fits the game.

    Raises:
        InvalidInput: If the network does not fit the game, or evaluates single actions instead of states.
    """
    network.check(game)
    if network.encoding in game.action_encodings:
        raise InvalidInput(
            f"the network evaluates one action at a time ({network.encoding}), not states: use it with cutoff=N or as "
            "a policy"
        )
    return network.value_network


def choose_device(parameters: int, batch: int, *, perceptron: bool = True) -> str:
    """Return the fastest device for a network with `parameters` weights and batches of `batch` leaves.

    `perceptron` is true if the network is one that kernels can run.
    """
    if perceptron and find_spec("torch") is None:
        return "kernel"
    if parameters * batch >= MIN_CUDA_WORK and has_cuda():
        return "cuda"
    return "kernel" if perceptron and parameters <= MAX_KERNEL_PARAMETERS else "cpu"


def _check_module(game: Game, module: Any, encoding: str) -> None:
    """Raise `InvalidInput` unless `module` is a torch module and `encoding` an encoding of the game."""
    if find_spec("torch") is None or not isinstance(module, import_torch().nn.Module):
        raise InvalidInput(f"a network is the path of a file, an Mlp or a torch module, not {type(module).__name__}")
    if not encoding:
        raise InvalidInput("a torch module needs the name of its input encoding: encoding=NAME")
    game.encoding(encoding)


def _num_parameters(module: Any) -> int:
    return sum(part.numel() for part in module.parameters())
