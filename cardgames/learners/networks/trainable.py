"""Interface of a trainable perceptron with its optimizer: `forward` returns outputs, `step` updates the weights.

All arrays are numpy's. `step` takes the gradient of the loss with respect to the outputs, which the learning algorithm
computes (`networks.losses`). So the same interface serves Q values, policies, several heads and sums of losses.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from cardgames.learners.networks.optimizers import Optimizer
from cardgames.networks.mlp import Layer
from cardgames.networks.network_file import network_of
from cardgames.support.errors import InvalidInput, unknown_name

Inputs = NDArray[np.int8] | NDArray[np.float32]
"""Network inputs, none negative: an encoding (int8), or features from another network (float32)."""
Tensors = Mapping[str, NDArray[np.float32]]
"""Weights and biases of the layers, named as in `networks.network.Mlp.tensors`."""


class WeightTying(Protocol):
    """Constraint on the first layer: some of its weights are tied to each other, or fixed.

    It works through the gradient: weights that start equal and get equal gradients stay equal; those with gradient 0 stay
    as they are.
    """

    def initialize(self, first: Layer) -> None:
        """Apply the constraint to the random initial weights of the first layer, in place."""

    def tie_gradient(self, gradient: Layer) -> None:
        """Apply the constraint to the gradient of the first layer, in place: tied weights get the sum of their gradients.

        The arrays are numpy's or torch's, perhaps with a leading dimension of several networks.
        """


class Trainable(ABC):
    """Base class of trainable networks: a perceptron with its optimizer.

    One update is `outputs = net.forward(inputs)`, then `net.step(gradient)`; with the same seed and device it gives the
    same weights. Subclasses implement the abstract methods; they may extend `_check` and `_after_load`.
    """

    device: str
    """Device of the training: one of `search.evaluators.DEVICES` except "auto"."""
    activations: tuple[str, ...] = ()
    """Activations of the hidden layers in the network that agents play by (`Mlp.activations`)."""

    def __init__(self, tensors: Tensors, optimizer: Optimizer, weight_tying: WeightTying | None = None):
        self.sizes = network_of(tensors, "", "").sizes
        """Number of inputs, units of each hidden layer, and outputs."""
        self.optimizer = optimizer
        """Optimizer; between steps it may be replaced by one of the same class, such as with another learning rate."""
        self.weight_tying = weight_tying
        """Constraint on the first layer, or None; it applies before the gradient is scaled down to `Optimizer.max_norm`."""
        self.steps = 0
        """Number of updates of the weights (calls of `step`) so far."""
        self._pending_rows = 0

    def outputs(self, inputs: Inputs) -> NDArray[np.float32]:
        """Return the outputs ([n, outputs]) for `inputs` ([n, inputs] int8 or float32, none negative)."""
        return self._outputs(self._checked_inputs(inputs))

    def forward(self, inputs: Inputs) -> NDArray[np.float32]:
        """Return the outputs for a batch, and store what `step` needs; `inputs` must not change before the next `step`.

        The result equals that of the method `outputs`, except with batch normalization, which needs at least two rows.
        """
        if not len(inputs):
            raise InvalidInput("a training step needs at least one row of inputs")
        outputs = self._forward(self._checked_inputs(inputs))
        self._pending_rows = len(inputs)
        return outputs

    def step(self, gradient: NDArray[np.float32]) -> None:
        """Update the weights by the `gradient` of the loss with respect to the outputs that `forward` returned last.

        Raises `InvalidInput` if `gradient` is not float32 of the shape of these outputs, or if `forward` was not called
        since the last `step`.
        """
        self._step(self._checked_gradient(gradient))

    def _checked_gradient(self, gradient: NDArray[np.float32]) -> NDArray[np.float32]:
        """Check the gradient against the last `forward`, count the step, and return the gradient as contiguous array."""
        if not self._pending_rows:
            raise InvalidInput("call forward before each step")
        if gradient.dtype != np.float32 or gradient.shape != (self._pending_rows, self.sizes[-1]):
            raise InvalidInput(
                f"gradient is float32 [{self._pending_rows}, {self.sizes[-1]}], not {gradient.dtype} {list(gradient.shape)}"
            )
        self._pending_rows = 0
        self.steps += 1
        return np.ascontiguousarray(gradient)

    def tensors(self) -> dict[str, NDArray[np.float32]]:
        """Return a copy of the weights, named as in `networks.network.Mlp.tensors`, and of any batch normalization."""
        return self._named_tensors("weights")

    def inference_tensors(self) -> dict[str, NDArray[np.float32]]:
        """Return the weights of a plain perceptron with the same outputs, named as in `networks.network.Mlp.tensors`.

        `network_of(net.inference_tensors(), encoding, game, activations=net.activations, ...)` makes the network that
        agents and files use.
        """
        return self.tensors()

    def load_tensors(self, tensors: Tensors) -> None:
        """Replace the weights by `tensors`, not the optimizer's moments. Raises `InvalidInput` if the sizes differ."""
        self._load_checked("weights", tensors)

    def state(self) -> dict[str, NDArray[Any]]:
        """Return weights, optimizer moments and the number of steps as arrays by name, the same names on every device."""
        arrays: dict[str, NDArray[Any]] = {"steps": np.array(self.steps)}
        for part in ("weights", *self.optimizer.moments):
            arrays |= {f"{part}.{name}": tensor for name, tensor in self._named_tensors(part).items()}
        return arrays

    def load_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Restore weights, optimizer moments and the number of steps from the arrays that `state` returned.

        On the same device, training continues bit by bit as before. Raises `InvalidInput` if the arrays do not fit.
        """
        parts: dict[str, dict[str, NDArray[Any]]] = {part: {} for part in ("weights", *self.optimizer.moments)}
        for key, array in state.items():
            part, _, name = key.partition(".")
            if key != "steps" and part not in parts:
                raise unknown_name("part of a network's state", part, ("steps", *parts))
            if key != "steps":
                parts[part][name] = array
        if "steps" not in state:
            raise InvalidInput("a network's state lacks its steps")
        for part, tensors in parts.items():
            self._load_checked(part, tensors)
        self.steps, self._pending_rows = int(state["steps"].item()), 0
        self._after_load()

    @abstractmethod
    def copy(self) -> Self:
        """Return a network with the same weights on the same device, and a new optimizer; it can serve as target network."""

    @abstractmethod
    def _outputs(self, inputs: Inputs) -> NDArray[np.float32]: ...

    @abstractmethod
    def _forward(self, inputs: Inputs) -> NDArray[np.float32]: ...

    @abstractmethod
    def _step(self, gradient: NDArray[np.float32]) -> None: ...

    @abstractmethod
    def _named_tensors(self, part: str) -> dict[str, NDArray[np.float32]]:
        """Return a copy of the weights (`part` "weights") or the optimizer's moment `part`, by the names of weights."""

    @abstractmethod
    def _load(self, part: str, tensors: Tensors) -> None:
        """Set the weights (`part` "weights") or the optimizer's moment `part` to `tensors`; the shapes were checked."""

    def _after_load(self) -> None:  # noqa: B027
        """Hook called by `load_state` after it has set `steps`."""

    def _load_checked(self, part: str, tensors: Tensors) -> None:
        self._check(part, tensors)
        self._load(part, tensors)

    def _check(self, part: str, tensors: Tensors) -> None:
        """Raise `InvalidInput` unless `tensors` have the names and shapes that `_named_tensors` returns for `part`."""
        sizes = network_of(tensors, "", "").sizes
        if sizes != self.sizes:
            raise InvalidInput(f"the {part} are for layers of {sizes} units, the network has {self.sizes}")

    def _checked_inputs(self, inputs: Inputs) -> Inputs:
        if inputs.dtype not in (np.int8, np.float32) or inputs.ndim != 2 or inputs.shape[1] != self.sizes[0]:
            raise InvalidInput(
                f"the network takes int8 or float32 [n, {self.sizes[0]}] inputs, not {inputs.dtype} {list(inputs.shape)}"
            )
        contiguous: Inputs = np.ascontiguousarray(inputs)  # type: ignore[assignment]
        return contiguous
