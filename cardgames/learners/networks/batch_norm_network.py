"""Trainable perceptron with batch normalization of its inputs (Ioffe and Szegedy 2015), as in RLCard's learners.

In training, each input is normalized by its mean and variance in the batch, otherwise by running averages of the two;
it is then scaled and shifted by learned parameters. In the network for agents the running averages, scale and shift are
constant, so they are folded into the weights of the next layer.
"""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from cardgames.learners.networks.optimizers import Optimizer
from cardgames.learners.networks.torch_network import TorchTrainable
from cardgames.learners.networks.trainable import Inputs, Tensors, WeightTying
from cardgames.networks.network_file import check_finite_float32, network_of
from cardgames.search.torch_evaluator import to_torch_module
from cardgames.support.errors import InvalidInput

_PREFIX = "normal."
_AFFINE_NAMES = {f"{_PREFIX}scale": "weight", f"{_PREFIX}shift": "bias"}
_RUNNING_NAMES = {f"{_PREFIX}mean": "running_mean", f"{_PREFIX}variance": "running_var"}
"""Name of a tensor of the normalization, a parameter or running average -> its name in torch's `BatchNorm1d`."""


class BatchNormTrainable(TorchTrainable):
    """Trainable network in torch: batch normalization of the inputs, then plain layers with one activation between them.

    With `WeightTying` the first layer comes before the normalization: tied layer, ReLU, batch normalization, other
    layers.
    """

    fused = True

    def __init__(
        self, tensors: Tensors, optimizer: Optimizer, device: str, weight_tying: WeightTying | None, activation: str
    ):
        """Make the network with the weights `tensors`.

        They are what the method `tensors` returned or, for a new network, only the weights and biases of the layers.
        """
        layers, self._activation, self._norm_index = _layers_of(tensors), activation, int(weight_tying is not None)
        self.activations = ("relu",) * self._norm_index + (activation,) * (len(layers) // 2 - 1 - self._norm_index)
        super().__init__(layers, optimizer, device, weight_tying)
        if any(name.startswith(_PREFIX) for name in tensors):
            self.load_tensors(tensors)

    def copy(self) -> Self:
        """Return a network with the same weights on the same device, and a new optimizer."""
        return type(self)(self.tensors(), self.optimizer, self.device, self.weight_tying, self._activation)

    def inference_tensors(self) -> dict[str, NDArray[np.float32]]:
        """Return the weights of an equivalent plain perceptron, with the normalization folded into the layer after it."""
        tensors = self.tensors()
        scale, shift, mean, variance = (tensors.pop(name) for name in (*_AFFINE_NAMES, *_RUNNING_NAMES))
        scale /= np.sqrt(variance + np.float32(self._batch_norm.eps))
        shift -= mean * scale
        weight, bias = (f"{2 * self._norm_index}.{part}" for part in ("weight", "bias"))
        tensors[bias] += tensors[weight] @ shift
        tensors[weight] *= scale
        return tensors

    def _build_module(self, tensors: Tensors) -> Any:
        nn, parts = self._torch.nn, list(to_torch_module(network_of(tensors, "", "", activations=self.activations)))
        parts.insert(2 * self._norm_index, nn.BatchNorm1d(self.sizes[self._norm_index]))
        return nn.Sequential(*parts).eval()

    @property
    def _batch_norm(self) -> Any:
        return self._module[2 * self._norm_index]

    def _forward(self, inputs: Inputs) -> NDArray[np.float32]:
        if len(inputs) < 2:
            raise InvalidInput("a network with batch normalization needs batches of at least two rows")
        self._batch_norm.train()
        outputs = super()._forward(inputs)
        self._batch_norm.eval()
        return outputs

    def _parameters(self) -> dict[str, Any]:
        parameters = {name: getattr(self._batch_norm, torch_name) for name, torch_name in _AFFINE_NAMES.items()}
        layers = [part for part in self._module if isinstance(part, self._torch.nn.Linear)]
        for number, layer in enumerate(layers):
            parameters |= {f"{2 * number}.{part}": getattr(layer, part) for part in ("weight", "bias")}
        return parameters

    def _torch_tensors(self, part: str) -> dict[str, Any]:
        tensors = super()._torch_tensors(part)
        if part == "weights":
            tensors |= {name: getattr(self._batch_norm, torch_name) for name, torch_name in _RUNNING_NAMES.items()}
        return tensors

    def _check(self, part: str, tensors: Tensors) -> None:
        super()._check(part, _layers_of(tensors))
        norm_tensors = {name: tensor for name, tensor in tensors.items() if name.startswith(_PREFIX)}
        names, units = (*_AFFINE_NAMES, *(_RUNNING_NAMES if part == "weights" else ())), self.sizes[self._norm_index]
        if {name: tensor.shape for name, tensor in norm_tensors.items()} != dict.fromkeys(names, (units,)):
            raise InvalidInput(f"the {part} are not those of a network with batch normalization of {units} units")
        for name, tensor in norm_tensors.items():
            check_finite_float32(name, tensor)


def _layers_of(tensors: Tensors) -> dict[str, NDArray[np.float32]]:
    """Return the weights and biases of the layers in `tensors`, without the tensors of the normalization."""
    return {name: tensor for name, tensor in tensors.items() if not name.startswith(_PREFIX)}
