"""Trainable perceptron in compiled kernels.

On one core it is faster than torch, most of all for small networks, where the overhead of torch's calls dominates.
"""

from typing import Self

import numpy as np
from numpy.typing import NDArray

from cardgames.kernels.sparse_matmul import aligned, from_panels, padded_size, to_panels
from cardgames.learners.networks.optimizers import Adam, Optimizer, RmsProp, Sgd
from cardgames.learners.networks.trainable import Inputs, Tensors, Trainable, WeightTying
from cardgames.networks import mlp_training as kernels
from cardgames.networks.mlp import RELU, mlp_batch
from cardgames.networks.network import Mlp
from cardgames.networks.network_file import network_of
from cardgames.support.errors import InvalidInput


class KernelTrainable(Trainable):
    """Trainable perceptron in compiled kernels: weights, gradient and optimizer moments are flat arrays of one length."""

    device = "kernel"

    def __init__(self, tensors: Tensors, optimizer: Optimizer, weight_tying: WeightTying | None = None):
        """Make the network with the initial weights `tensors` (names as in `Mlp.tensors`).

        Raises `InvalidInput` for invalid weights, or an optimizer that is none of Adam, RMSprop and SGD.
        """
        super().__init__(tensors, optimizer, weight_tying)
        if not isinstance(optimizer, Adam | RmsProp | Sgd):
            raise InvalidInput(f"device=kernel has no optimizer {type(optimizer).__name__}: use Adam, RmsProp or Sgd")
        self.weights = network_of(tensors, "", "").weights
        """Weights in the layout of `networks.mlp`; each step updates this array in place."""
        self._sizes = np.array(self.sizes, np.int64)
        self._activations = np.full(len(self.sizes) - 2, RELU, np.int64)
        self._gradient = aligned(np.zeros_like(self.weights))
        self._moments = {part: aligned(np.zeros_like(self.weights)) for part in optimizer.moments}
        self._units = np.empty(0, np.float32)
        self._inputs: Inputs = np.empty((0, self.sizes[0]), np.int8)

    def copy(self) -> Self:
        """Return a network with the same weights and a new optimizer."""
        return type(self)(self.tensors(), self.optimizer, self.weight_tying)

    def _outputs(self, inputs: Inputs) -> NDArray[np.float32]:
        out = np.empty((len(inputs), self.sizes[-1]), np.float32)
        mlp_batch(self.weights, self._sizes, self._activations, inputs, out)
        return out

    def _forward(self, inputs: Inputs) -> NDArray[np.float32]:
        num_units = len(inputs) * int(kernels.layer_offsets(self._sizes)[-1, 1])
        if len(self._units) != num_units:
            self._units = aligned(np.empty(num_units, np.float32))
        self._inputs = inputs
        out = np.empty((len(inputs), self.sizes[-1]), np.float32)
        kernels.forward(self.weights, self._sizes, inputs, self._units, out)
        return out

    def step_and_backpropagate(self, gradient: NDArray[np.float32]) -> NDArray[np.float32]:
        """Update the weights as `step` does, and return the gradient of the loss in the inputs ([n, inputs] float32).

        The inputs must be outputs of another network after a ReLU: the returned gradient is 0 where an input is 0.
        Raises `InvalidInput` as `step` does, and for int8 inputs.
        """
        if self._inputs.dtype != np.float32:
            raise InvalidInput("the gradient of the inputs needs float32 inputs, not int8")
        input_gradient = np.zeros((len(self._inputs), padded_size(self.sizes[0])), np.float32)
        self._backward_and_update(self._checked_gradient(gradient), input_gradient)
        return input_gradient[:, : self.sizes[0]]

    def _step(self, gradient: NDArray[np.float32]) -> None:
        self._backward_and_update(gradient, None)

    def _backward_and_update(self, gradient: NDArray[np.float32], input_gradient: NDArray[np.float32] | None) -> None:
        """Backpropagate `gradient`, that of the loss with respect to the outputs, and update the weights.

        Unless `input_gradient` is None, the gradient with respect to the inputs is written into it.
        """
        total, moments = self._gradient, self._moments
        kernels.backward(self.weights, self._sizes, self._inputs, self._units, gradient, total, input_gradient)
        if self.weight_tying is not None:
            self._tie_gradient(self.weight_tying)
        if np.isfinite(self.optimizer.max_norm):
            kernels.clip(total, float(self.optimizer.max_norm))
        match self.optimizer:
            case Adam(learning_rate=learning_rate):
                mean, square = moments["mean"], moments["square"]
                kernels.adam(
                    self.weights, total, mean, square, float(learning_rate), Adam.betas, Adam.epsilon, self.steps
                )
            case RmsProp(learning_rate=learning_rate):
                square = moments["square"]
                kernels.rms_prop(self.weights, total, square, float(learning_rate), RmsProp.decay, RmsProp.epsilon)
            case Sgd(learning_rate=learning_rate):
                kernels.sgd(self.weights, total, float(learning_rate))

    def _tie_gradient(self, weight_tying: WeightTying) -> None:
        inputs, units = self.sizes[:2]
        first = self._gradient[: (inputs + 1) * padded_size(units)]
        rows = from_panels(first, inputs + 1)
        weight_tying.tie_gradient((rows[:inputs, :units].T, rows[inputs, :units]))
        first[:] = to_panels(rows)

    def _named_tensors(self, part: str) -> dict[str, NDArray[np.float32]]:
        return Mlp(self.sizes, self._flat(part), "", "").tensors()

    def _load(self, part: str, tensors: Tensors) -> None:
        self._flat(part)[:] = network_of(tensors, "", "").weights

    def _flat(self, part: str) -> NDArray[np.float32]:
        return self.weights if part == "weights" else self._moments[part]
