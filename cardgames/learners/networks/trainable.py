"""Perceptrons that learn: outputs, and one step of an optimizer along a gradient of the outputs, numpy in and numpy out.

What is learned is not told here: an algorithm reads the outputs, works out how its loss changes with them (`losses`)
and hands that back. So one interface serves Q values, policies, several heads and sums of losses.
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
"""What networks see, none of it negative: an encoding's numbers, or features that another network made."""
Tensors = Mapping[str, NDArray[np.float32]]
"""Weights by the names of `networks.network.Mlp.tensors`."""


class WeightTying(Protocol):
    """What ties weights of a first layer to each other, or keeps them as they are.

    Optimizers treat weights of equal gradient equally: such as begin equal stay equal, and what has none stays.
    """

    def initialize(self, first: Layer) -> None:
        """Turn the weights drawn for the first layer into those it begins with, in place."""

    def tie_gradient(self, gradient: Layer) -> None:
        """Turn the gradient of the first layer into the one to follow, in place. The arrays are numpy's or torch's, and may
        have one more dimension in front, a network each.

        A weight that stands in several places has the sum of their gradients.
        """


class Trainable(ABC):
    """A perceptron and the optimizer that moves its weights.

    `net.step(gradient)` after `outputs = net.forward(inputs)` is one step. Same seed, same device, same weights.
    """

    device: str
    """Where it learns: one of `DEVICES` but `auto`."""
    activations: tuple[str, ...] = ()
    """Those of the network as it is played (`Mlp.activations`)."""

    def __init__(self, tensors: Tensors, optimizer: Optimizer, weight_tying: WeightTying | None = None):
        self.sizes = network_of(tensors, "", "").sizes
        """Inputs, units of each hidden layer, outputs."""
        self.optimizer = optimizer
        """May be replaced between steps by one of the same kind, say with another rate."""
        self.weight_tying = weight_tying
        """What its first layer is bound by; a longest gradient (`Optimizer.max_norm`) is measured thereafter."""
        self.steps = 0
        """How many steps were taken."""
        self._pending_rows = 0

    def outputs(self, inputs: Inputs) -> NDArray[np.float32]:
        """Return the outputs [n, outputs] for `inputs` (int8 or float32 [n, inputs], none negative)."""
        return self._outputs(self._checked_inputs(inputs))

    def forward(self, inputs: Inputs) -> NDArray[np.float32]:
        """Return the outputs for a batch, and keep what the next `step` needs; `inputs` must not change until then.

        They are what `outputs` returns, but for a network that normalises by batches: that needs two rows at least.
        """
        if not len(inputs):
            raise InvalidInput("a step takes at least one row of inputs")
        outputs = self._forward(self._checked_inputs(inputs))
        self._pending_rows = len(inputs)
        return outputs

    def step(self, gradient: NDArray[np.float32]) -> None:
        """Move the weights once, along the `gradient` of the loss with respect to what `forward` returned last.

        Raises `InvalidInput` unless it is float32 and of that shape, or if no `forward` came since the last step.
        """
        self._step(self._checked_gradient(gradient))

    def _checked_gradient(self, gradient: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the gradient that `forward` waited for, as `step` has it, and count the step."""
        if not self._pending_rows:
            raise InvalidInput("a step comes after forward, and one after each")
        if gradient.dtype != np.float32 or gradient.shape != (self._pending_rows, self.sizes[-1]):
            raise InvalidInput(
                f"the gradient is float32 [{self._pending_rows}, {self.sizes[-1]}], not {gradient.dtype} {list(gradient.shape)}"
            )
        self._pending_rows = 0
        self.steps += 1
        return np.ascontiguousarray(gradient)

    def tensors(self) -> dict[str, NDArray[np.float32]]:
        """Return a copy of the weights, by the names of `networks.network.Mlp.tensors`, and of what normalises, if it does."""
        return self._named_tensors("weights")

    def inference_tensors(self) -> dict[str, NDArray[np.float32]]:
        """Return the weights of the perceptron that gives what `outputs` gives, by the names of `networks.network.Mlp.tensors`.

        `network_of(net.played(), encoding, game, activations=net.activations, ...)` is the network as agents and files
        have it.
        """
        return self.tensors()

    def load_tensors(self, tensors: Tensors) -> None:
        """Take over weights; the optimizer's state stays. Raises `InvalidInput` if they are for other sizes."""
        self._load_checked("weights", tensors)

    def state(self) -> dict[str, NDArray[Any]]:
        """Return weights, moments and the number of steps as plain arrays, the same for every device."""
        found: dict[str, NDArray[Any]] = {"steps": np.array(self.steps)}
        for part in ("weights", *self.optimizer.moments):
            found |= {f"{part}.{name}": tensor for name, tensor in self._named_tensors(part).items()}
        return found

    def load_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `state` returned, on the same device to the same bits. Raises `InvalidInput` if it fits not."""
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
        """Return another network with the same weights, on the same device, and a fresh optimizer: a target network."""

    @abstractmethod
    def _outputs(self, inputs: Inputs) -> NDArray[np.float32]: ...

    @abstractmethod
    def _forward(self, inputs: Inputs) -> NDArray[np.float32]: ...

    @abstractmethod
    def _step(self, gradient: NDArray[np.float32]) -> None: ...

    @abstractmethod
    def _named_tensors(self, part: str) -> dict[str, NDArray[np.float32]]:
        """Return a copy of the weights, or of one of the optimizer's moments, by the names of the weights."""

    @abstractmethod
    def _load(self, part: str, tensors: Tensors) -> None:
        """Write what `_named_tensors` returned; the shapes fit."""

    def _after_load(self) -> None:  # noqa: B027
        """Do what is left to do after `steps` was set."""

    def _load_checked(self, part: str, tensors: Tensors) -> None:
        self._check(part, tensors)
        self._load(part, tensors)

    def _check(self, part: str, tensors: Tensors) -> None:
        """Raise `InvalidInput` unless these are tensors as `_named_tensors` returns them."""
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
