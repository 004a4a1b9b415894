"""Torch modules as leaf evaluators on CPU or CUDA, and their conversion to and from perceptrons for kernels.

Functions import torch only when they are called, so that the package works without torch installed.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain, pairwise
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames.core.game import Game
from cardgames.networks.network import Mlp, check_outputs
from cardgames.networks.network_file import network_of
from cardgames.search.network_evaluator import NetworkEvaluator
from cardgames.support.errors import InvalidInput


def import_torch(device: str = "cpu") -> Any:
    """Import torch and return the module.

    Raises:
        InvalidInput: If torch is not installed, or `device` is `cuda` and torch finds no CUDA device.
    """
    try:
        import torch
    except ImportError:
        raise InvalidInput("torch is not installed: pip install 'cardgames[torch]'") from None
    if device == "cuda" and not torch.cuda.is_available():
        raise InvalidInput("device=cuda: torch finds no CUDA device here; choose from auto, kernel, cpu")
    return torch


def has_cuda() -> bool:
    """Return whether torch finds a CUDA device. Raises `InvalidInput` if torch is not installed."""
    available: bool = import_torch().cuda.is_available()
    return available


class TorchEvaluator(NetworkEvaluator):
    """Evaluator that runs a torch module which maps float32 [n, inputs] to [n, outputs].

    The module is moved to `device` and evaluated in `eval()` mode.
    """

    def __init__(
        self, game: Game, module: Any, encoding: str, reward: tuple[float, float] = (0.0, 1.0), device: str = "cpu"
    ):
        super().__init__(game, encoding, reward)
        self._torch, self._module, self._device = import_torch(device), module.to(device), device
        self._module_lock = Lock()
        """Lock held while the module is in `eval()` mode, since several threads may call the evaluator."""
        self._check_outputs()

    def _check_outputs(self) -> None:
        """Run the module once and raise `InvalidInput` unless it has one output (V), or at most one (Q) per action."""
        try:
            num_outputs = self.outputs(np.zeros((2, self._inputs), np.int8)).shape[1]
        except Exception as error:  # a user's module may raise anything
            reason = str(error).partition("\n")[0]
            raise InvalidInput(f"the module does not map [n, {self._inputs}] to [n, outputs]: {reason}") from error
        check_outputs(self.game, self.encoding, num_outputs, "module")

    def outputs(self, inputs: NDArray[np.int8]) -> NDArray[np.float32]:
        """Return the module's outputs ([n, outputs] float32 on the CPU), computed without gradients."""
        with self._module_lock, _evaluation_mode(self._module), self._torch.inference_mode():
            # transferred as int8, converted to float on the device
            out = self._module(self._torch.from_numpy(inputs).to(self._device).float())
            result: NDArray[np.float32] = out.float().reshape(len(inputs), -1).cpu().numpy()
        return result


@contextmanager
def _evaluation_mode(module: Any) -> Iterator[None]:
    """Put a module and its submodules into `eval()` mode inside the `with` block, then restore the mode of each."""
    before = [(part, part.training) for part in module.modules()]
    module.eval()
    try:
        yield
    finally:
        for part, training in before:
            part.training = training


def to_torch_module(network: Mlp) -> Any:
    """Return a perceptron as a torch `Sequential` with the same weights."""
    torch, kinds = import_torch(), _activation_layers()
    layers = [torch.nn.Linear(inputs, outputs) for inputs, outputs in pairwise(network.sizes)]
    activations = [kinds[name]() for name in network.activations]
    module = torch.nn.Sequential(*chain.from_iterable(zip(layers, activations, strict=False)), layers[-1])
    module.load_state_dict({name: torch.from_numpy(tensor) for name, tensor in network.tensors().items()})
    return module


def from_torch_module(module: Any, encoding: str, game: str, **options: Any) -> Mlp | None:
    """Convert a torch `Sequential` that alternates `Linear` and `ReLU` or `Tanh` to an `Mlp`, a perceptron for kernels.

    Returns None for any other module, and for a module with hooks, since hooks may change its outputs. `options` are further
    fields of the `Mlp`.
    """
    nn, names = import_torch().nn, {kind: name for name, kind in _activation_layers().items()}
    # not `children()`: they list a layer that is used twice only once
    parts = list(module) if type(module) is nn.Sequential else []
    layers, activations = parts[::2], [names.get(type(part), "") for part in parts[1::2]]
    if (
        len(layers) != len(activations) + 1
        or not all(activations)
        or any(type(part) is not nn.Linear for part in layers)
    ):
        return None
    if any(part._forward_hooks or part._forward_pre_hooks for part in (module, *parts)):
        return None
    if any({name for name, _ in part.named_parameters()} != {"weight", "bias"} for part in layers):
        return None
    tensors = {
        f"{2 * number}.{name}": tensor.detach().float().cpu().numpy()
        for number, part in enumerate(layers)
        for name, tensor in part.named_parameters()
    }
    return network_of(tensors, encoding, game, activations=tuple(activations), **options)


def _activation_layers() -> dict[str, Any]:
    """Return the torch layer class for each activation name in `networks.network.ACTIVATIONS`."""
    nn = import_torch().nn
    return {"relu": nn.ReLU, "tanh": nn.Tanh}
