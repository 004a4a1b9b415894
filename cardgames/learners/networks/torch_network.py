"""A perceptron that torch trains, on CPU or CUDA."""

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from cardgames.learners.networks.optimizers import Adam, Optimizer, RmsProp, Sgd
from cardgames.learners.networks.trainable import Inputs, Tensors, Trainable, Wiring
from cardgames.networks.network_file import network_of
from cardgames.search.torch_evaluator import import_torch, to_torch_module
from cardgames.support.errors import InvalidInput

_NAMES = {Adam: {"mean": "exp_avg", "square": "exp_avg_sq"}, RmsProp: {"square": "square_avg"}, Sgd: {}}
"""What torch's optimizers call the moments."""


class TorchTrainable(Trainable):
    """A perceptron as a torch module with torch's optimizer."""

    fused: ClassVar[bool] = False
    """Whether a CPU takes a step of the optimizer in one call: quicker for small networks, rounded otherwise than in
    kernels."""

    def __init__(
        self,
        tensors: Tensors,
        optimizer: Optimizer,
        device: str = "cpu",
        wiring: Wiring | None = None,
    ):
        """`tensors` are the weights to begin with, named as `Mlp.tensors` names them. Raises `InvalidInput`."""
        super().__init__(tensors, optimizer, wiring)
        self._torch, self.device = import_torch(device), device
        self._module = self._built(tensors).to(device)
        self._optimizer = _torch_optimizer(optimizer, self._module.parameters(), fused=self.fused and device == "cpu")
        self._kept: Any = None

    def copy(self) -> Self:
        """Return another network with the same weights, on the same device, and a fresh optimizer."""
        return type(self)(self.tensors(), self.optimizer, self.device, self.wiring)

    def _built(self, tensors: Tensors) -> Any:
        """Return the module with these weights."""
        return to_torch_module(network_of(tensors, "", ""))

    def _outputs(self, inputs: Inputs) -> NDArray[np.float32]:
        with self._torch.inference_mode():
            return self._numpy(self._module(self._moved(inputs).float()))

    def _forward(self, inputs: Inputs) -> NDArray[np.float32]:
        self._kept = self._module(self._moved(inputs).float())
        return self._numpy(self._kept)

    def _step(self, gradient: NDArray[np.float32]) -> None:
        self._optimizer.param_groups[0]["lr"] = self.optimizer.rate
        self._optimizer.zero_grad()
        self._kept.backward(self._moved(gradient))
        self._kept = None
        if self.wiring is not None:
            self._bind(self.wiring)
        if np.isfinite(self.optimizer.max_norm):
            self._torch.nn.utils.clip_grad_norm_(self._module.parameters(), self.optimizer.max_norm)
        self._optimizer.step()

    def _bind(self, wiring: Wiring) -> None:
        first = self._module[0]
        gradient = self._numpy(first.weight.grad), self._numpy(first.bias.grad)
        wiring.bind(gradient)
        for parameter, bound in zip((first.weight, first.bias), gradient, strict=True):
            parameter.grad.copy_(self._moved(bound))

    def _named(self, part: str) -> dict[str, NDArray[np.float32]]:
        return {name: self._numpy(tensor).copy() for name, tensor in self._places(part).items()}

    def _load(self, part: str, tensors: Tensors) -> None:
        with self._torch.no_grad():
            for name, tensor in self._places(part).items():
                tensor.copy_(self._moved(tensors[name]))

    def _resumed(self) -> None:
        for state in self._optimizer.state.values():
            state["step"] = self._torch.tensor(float(self.steps))

    def _parameters(self) -> dict[str, Any]:
        """Return what the optimizer moves, by the names of the weights."""
        return dict(self._module.named_parameters())

    def _places(self, part: str) -> dict[str, Any]:
        """Return torch's own tensors of the weights or of a moment, by the names of the weights."""
        weights = self._parameters()
        if part == "weights":
            return weights
        moments = self._optimizer.state
        for weight in weights.values():
            # torch makes its state at the first step
            if not moments[weight]:
                moments[weight] = {"step": self._torch.tensor(float(self.steps))}
                for key in _NAMES[type(self.optimizer)].values():
                    moments[weight][key] = self._torch.zeros_like(weight)
        key = _NAMES[type(self.optimizer)][part]
        return {name: moments[weight][key] for name, weight in weights.items()}

    def _moved(self, array: NDArray[Any]) -> Any:
        return self._torch.from_numpy(np.ascontiguousarray(array)).to(self.device)

    def _numpy(self, tensor: Any) -> NDArray[np.float32]:
        found: NDArray[np.float32] = tensor.detach().cpu().numpy()
        return found


def _torch_optimizer(optimizer: Optimizer, parameters: Any, *, fused: bool) -> Any:
    from torch import optim

    how = {"fused": True} if fused else {}  # told that it is not to be fused, torch takes the weights one by one

    match optimizer:
        case Adam():
            return optim.Adam(parameters, optimizer.rate, optimizer.betas, optimizer.epsilon, **how)
        case RmsProp():
            return optim.RMSprop(parameters, optimizer.rate, optimizer.decay, optimizer.epsilon)
        case Sgd():
            return optim.SGD(parameters, optimizer.rate, **how)
    raise InvalidInput(f"no optimizer of torch is known for {type(optimizer).__name__}")
