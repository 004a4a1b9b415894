"""A perceptron that normalises what it sees by batches (Ioffe and Szegedy 2015), as the networks of RLCard's learners do.

While it learns, each input is shifted and scaled by the mean and deviation of its batch; at all other times by running
averages of these. A scale and a shift that are learned follow. Played, all that is fixed, and goes into the next layer.
"""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from cardgames.learners.networks.optimizers import Optimizer
from cardgames.learners.networks.torch_network import TorchTrainable
from cardgames.learners.networks.trainable import Inputs, Tensors, Wiring
from cardgames.networks.network_file import check_finite_float32, network_of
from cardgames.search.torch_evaluator import to_torch_module
from cardgames.support.errors import InvalidInput

_PREFIX = "normal."
_LEARNED = {f"{_PREFIX}scale": "weight", f"{_PREFIX}shift": "bias"}
_AVERAGED = {f"{_PREFIX}mean": "running_mean", f"{_PREFIX}variance": "running_var"}
"""What torch's `BatchNorm1d` calls these."""


class NormalisedTrainable(TorchTrainable):
    """Normalised inputs, then plain layers with one activation between them.

    A first layer that is bound (`Wiring`) stays as it is, ReLU behind it, and its units are normalised in place of the
    inputs.
    """

    fused = True

    def __init__(self, tensors: Tensors, optimizer: Optimizer, device: str, wiring: Wiring | None, activation: str):
        """`tensors` are what `tensors` returned or, of a network that begins, those of the layers alone."""
        layers, self._activation, self._bound = _layers_of(tensors), activation, int(wiring is not None)
        self.activations = ("relu",) * self._bound + (activation,) * (len(layers) // 2 - 1 - self._bound)
        super().__init__(layers, optimizer, device, wiring)
        if any(name.startswith(_PREFIX) for name in tensors):
            self.load_tensors(tensors)

    def copy(self) -> Self:
        """Return another network with the same weights, on the same device, and a fresh optimizer."""
        return type(self)(self.tensors(), self.optimizer, self.device, self.wiring, self._activation)

    def played(self) -> dict[str, NDArray[np.float32]]:
        """Return the weights with what normalises in them."""
        found = self.tensors()
        scale, shift, mean, variance = (found.pop(name) for name in (*_LEARNED, *_AVERAGED))
        scale /= np.sqrt(variance + np.float32(self._normal.eps))
        shift -= mean * scale
        weight, bias = (f"{2 * self._bound}.{part}" for part in ("weight", "bias"))
        found[bias] += found[weight] @ shift
        found[weight] *= scale
        return found

    def _built(self, tensors: Tensors) -> Any:
        nn, parts = self._torch.nn, list(to_torch_module(network_of(tensors, "", "", activations=self.activations)))
        parts.insert(2 * self._bound, nn.BatchNorm1d(self.sizes[self._bound]))
        return nn.Sequential(*parts).eval()

    @property
    def _normal(self) -> Any:
        return self._module[2 * self._bound]

    def _forward(self, inputs: Inputs) -> NDArray[np.float32]:
        if len(inputs) < 2:
            raise InvalidInput("a network that normalises by batches learns from at least two rows of inputs")
        self._normal.train()
        outputs = super()._forward(inputs)
        self._normal.eval()
        return outputs

    def _parameters(self) -> dict[str, Any]:
        found = {name: getattr(self._normal, theirs) for name, theirs in _LEARNED.items()}
        layers = [part for part in self._module if isinstance(part, self._torch.nn.Linear)]
        for number, layer in enumerate(layers):
            found |= {f"{2 * number}.{part}": getattr(layer, part) for part in ("weight", "bias")}
        return found

    def _places(self, part: str) -> dict[str, Any]:
        found = super()._places(part)
        if part == "weights":
            found |= {name: getattr(self._normal, theirs) for name, theirs in _AVERAGED.items()}
        return found

    def _check(self, part: str, tensors: Tensors) -> None:
        super()._check(part, _layers_of(tensors))
        theirs = {name: tensor for name, tensor in tensors.items() if name.startswith(_PREFIX)}
        names, units = (*_LEARNED, *(_AVERAGED if part == "weights" else ())), self.sizes[self._bound]
        if {name: tensor.shape for name, tensor in theirs.items()} != dict.fromkeys(names, (units,)):
            raise InvalidInput(f"the {part} are not those of a network that normalises {units} inputs")
        for name, tensor in theirs.items():
            check_finite_float32(name, tensor)


def _layers_of(tensors: Tensors) -> dict[str, NDArray[np.float32]]:
    """Return the tensors of the layers alone."""
    return {name: tensor for name, tensor in tensors.items() if not name.startswith(_PREFIX)}
