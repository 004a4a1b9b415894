"""Trainable perceptron in torch, on CPU or CUDA."""

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from cardgames.learners.networks.optimizers import Adam, Optimizer, RmsProp, Sgd
from cardgames.learners.networks.trainable import Inputs, Tensors, Trainable, WeightTying
from cardgames.networks.network_file import network_of
from cardgames.search.torch_evaluator import import_torch, to_torch_module
from cardgames.support.errors import InvalidInput

_TORCH_MOMENTS = {Adam: {"mean": "exp_avg", "square": "exp_avg_sq"}, RmsProp: {"square": "square_avg"}, Sgd: {}}
"""Class of an optimizer -> names of its moments here -> their names in the state of torch's optimizer."""


class TorchTrainable(Trainable):
    """Trainable perceptron as a torch module, updated by an optimizer of torch."""

    fused: ClassVar[bool] = False
    """Use torch's fused optimizer on CPU: faster for small networks, but rounded differently from the kernels."""

    def __init__(
        self,
        tensors: Tensors,
        optimizer: Optimizer,
        device: str = "cpu",
        weight_tying: WeightTying | None = None,
    ):
        """Make the network with the initial weights `tensors` (names as in `Mlp.tensors`).

        Raises `InvalidInput` for invalid weights, an optimizer that torch lacks, or if torch cannot be used.
        """
        super().__init__(tensors, optimizer, weight_tying)
        self._torch, self.device = import_torch(device), device
        self._module = self._build_module(tensors).to(device)
        self._optimizer = _torch_optimizer(optimizer, self._module.parameters(), fused=self.fused and device == "cpu")
        self._last_outputs: Any = None

    def copy(self) -> Self:
        """Return a network with the same weights on the same device, and a new optimizer."""
        return type(self)(self.tensors(), self.optimizer, self.device, self.weight_tying)

    def _build_module(self, tensors: Tensors) -> Any:
        """Return a torch module of the perceptron with the weights `tensors`."""
        return to_torch_module(network_of(tensors, "", ""))

    def _outputs(self, inputs: Inputs) -> NDArray[np.float32]:
        with self._torch.inference_mode():
            return self._to_numpy(self._module(self._to_device(inputs).float()))

    def _forward(self, inputs: Inputs) -> NDArray[np.float32]:
        self._last_outputs = self._module(self._to_device(inputs).float())
        return self._to_numpy(self._last_outputs)

    def _step(self, gradient: NDArray[np.float32]) -> None:
        self._optimizer.param_groups[0]["lr"] = self.optimizer.learning_rate
        self._optimizer.zero_grad()
        self._last_outputs.backward(self._to_device(gradient))
        self._last_outputs = None
        if self.weight_tying is not None:
            self._tie_gradient(self.weight_tying)
        if np.isfinite(self.optimizer.max_norm):
            self._torch.nn.utils.clip_grad_norm_(self._module.parameters(), self.optimizer.max_norm)
        self._optimizer.step()

    def _tie_gradient(self, weight_tying: WeightTying) -> None:
        first = self._module[0]
        gradient = self._to_numpy(first.weight.grad), self._to_numpy(first.bias.grad)
        weight_tying.tie_gradient(gradient)
        for parameter, tied in zip((first.weight, first.bias), gradient, strict=True):
            parameter.grad.copy_(self._to_device(tied))

    def _named_tensors(self, part: str) -> dict[str, NDArray[np.float32]]:
        return {name: self._to_numpy(tensor).copy() for name, tensor in self._torch_tensors(part).items()}

    def _load(self, part: str, tensors: Tensors) -> None:
        with self._torch.no_grad():
            for name, tensor in self._torch_tensors(part).items():
                tensor.copy_(self._to_device(tensors[name]))

    def _after_load(self) -> None:
        for state in self._optimizer.state.values():
            state["step"] = self._torch.tensor(float(self.steps))

    def _parameters(self) -> dict[str, Any]:
        """Return torch's parameters of the network by the names that the weights have in `tensors`."""
        return dict(self._module.named_parameters())

    def _torch_tensors(self, part: str) -> dict[str, Any]:
        """Return torch's own tensors (not copies) by the names that the weights have in `tensors`.

        They are the weights if `part` is "weights", otherwise the optimizer's moment of that name ("mean" or "square").
        """
        weights = self._parameters()
        if part == "weights":
            return weights
        moments = self._optimizer.state
        for weight in weights.values():
            # torch creates the moments only at the first step
            if not moments[weight]:
                moments[weight] = {"step": self._torch.tensor(float(self.steps))}
                for key in _TORCH_MOMENTS[type(self.optimizer)].values():
                    moments[weight][key] = self._torch.zeros_like(weight)
        key = _TORCH_MOMENTS[type(self.optimizer)][part]
        return {name: moments[weight][key] for name, weight in weights.items()}

    def _to_device(self, array: NDArray[Any]) -> Any:
        return self._torch.from_numpy(np.ascontiguousarray(array)).to(self.device)

    def _to_numpy(self, tensor: Any) -> NDArray[np.float32]:
        array: NDArray[np.float32] = tensor.detach().cpu().numpy()
        return array


def _torch_optimizer(optimizer: Optimizer, parameters: Any, *, fused: bool) -> Any:
    from torch import optim

    options = {"fused": True} if fused else {}  # fused=False would make torch update the weights one by one

    match optimizer:
        case Adam():
            return optim.Adam(parameters, optimizer.learning_rate, optimizer.betas, optimizer.epsilon, **options)
        case RmsProp():
            return optim.RMSprop(parameters, optimizer.learning_rate, optimizer.decay, optimizer.epsilon)
        case Sgd():
            return optim.SGD(parameters, optimizer.learning_rate, **options)
    raise InvalidInput(f"torch has no optimizer {type(optimizer).__name__}: use Adam, RmsProp or Sgd")
