"""Many multilayer perceptrons of one shape in shared tensors: one batched matrix product per layer, and steps of Adam."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardgames.kernels.sparse_matmul import padded_size
from cardgames.learners.networks.optimizers import Adam
from cardgames.learners.networks.trainable import Tensors, WeightTying
from cardgames.networks.network_file import network_of

FIRST_BETA, SECOND_BETA = Adam.betas

StackedLayer = tuple[Any, Any]
"""One layer of the networks of all members: weights [members, inputs, units] and biases [members, 1, units]."""


class StackedNetwork:
    """Perceptrons with ReLU between their layers, each trained by Adam with its own learning rate, in plain torch."""

    def __init__(self, torch: Any, members: Sequence[Tensors], device: str, weight_tying: WeightTying | None = None):
        """Create the online networks and the target networks of all members, both with the given initial weights.

        Args:
            torch: The module torch.
            members: Initial weights of each network (`Mlp.tensors`), all of the same shapes.
            device: Torch device.
            weight_tying: Groups of weights in the first layer that stay equal, as they are in `members`; None for none.
        """
        self.sizes = network_of(members[0], "", "").sizes
        """Sizes of the layers of each network: number of inputs, units of each hidden layer, number of outputs."""
        self._torch, self._weight_tying, n = torch, weight_tying, len(members)
        self._places, width = _places(self.sizes)
        both = torch.zeros((2, n, width), device=device)
        self.weights, self.target = both
        """[members, weights] flat weights of the online networks (`weights`) and of the target networks (`target`)."""
        self.mean, self.square, self.gradient = (torch.zeros_like(self.weights) for _ in range(3))
        """[members, weights] Adam's first moments (`mean`), second moments (`square`), and the gradient of the weights."""
        self._layers, self._both_layers = self._views(self.weights), self._views(both.flatten(0, 1))
        self._gradients = self._views(self.gradient)
        for member, tensors in enumerate(members):
            self.load(member, tensors)

    def tensors(self, member: int) -> dict[str, NDArray[np.float32]]:
        """Return the weights of one member's online network, with the tensor names of `Mlp.tensors`."""
        tensors = {}
        for number, (weight, bias) in enumerate(self._layers):
            tensors[f"{2 * number}.weight"] = np.ascontiguousarray(weight[member].T.cpu().numpy())
            tensors[f"{2 * number}.bias"] = bias[member, 0].cpu().numpy().copy()
        return tensors

    def load(self, member: int, tensors: Tensors) -> None:
        """Set the weights of one member's online network and target network to `tensors` (as of `Mlp.tensors`)."""
        for number, (weight, bias) in enumerate(self._layers):
            weight[member] = self._torch.from_numpy(tensors[f"{2 * number}.weight"].T.copy())
            bias[member, 0] = self._torch.from_numpy(tensors[f"{2 * number}.bias"])
        self.renew_target(member)

    def renew_target(self, member: int) -> None:
        """Copy the online network of one member to its target network."""
        self.target[member].copy_(self.weights[member])

    def outputs(self, inputs: Any) -> Any:
        """Return the online networks' outputs (float32 [members, n, outputs]) for `inputs` (int8 [members, n, inputs])."""
        return self.forward(inputs)[-1]

    def forward(self, inputs: Any) -> list[Any]:
        """Return the activations of the online networks, for `step`: the input of every layer, then the outputs.

        Args:
            inputs: Inputs of the networks (int8 [members, n, inputs]).
        """
        return self._activations(inputs, self._layers)

    def forward_both(self, inputs: Any) -> tuple[list[Any], Any]:
        """Compute the online networks for `inputs[0]` and the target networks for `inputs[1]` in one pass.

        Args:
            inputs: Inputs of the online and the target networks (int8 [2, members, n, inputs]).

        Returns:
            Activations of the online networks, as of `forward`, and outputs of the target networks.
        """
        activations = self._activations(inputs.flatten(0, 1), self._both_layers)
        members = len(self.weights)
        return [part[:members] for part in activations], activations[-1][members:]

    def step(self, activations: Sequence[Any], gradient: Any, rates: Any, roots: Any, moving: Any) -> None:
        """Update the online networks with one step of Adam.

        Args:
            activations: Result of `forward` for the batch.
            gradient: Gradient of the loss with respect to the outputs.
            rates: Bias-corrected learning rates, rate / (1 - beta1^t) (float32 [members, 1]).
            roots: Bias correction of the second moment, sqrt(1 - beta2^t) (float32 [members, 1]).
            moving: True for each member to update (bool [members, 1]).
        """
        for number in reversed(range(len(self._layers))):
            self._write_layer_gradient(number, activations[number], gradient)
            if number:
                gradient = self._torch.bmm(gradient, self._layers[number][0].transpose(1, 2))
                gradient *= activations[number] > 0
        self._move(rates, roots, moving)

    def _write_layer_gradient(self, number: int, inputs: Any, gradient: Any) -> None:
        """Write the gradient of the weights and biases of layer `number` into `self.gradient`.

        `inputs` are the inputs of the layer, and `gradient` is that of the loss with respect to its outputs.
        """
        torch, (weights, biases) = self._torch, self._gradients[number]
        torch.bmm(inputs.transpose(1, 2), gradient, out=weights)
        torch.sum(gradient, dim=1, keepdim=True, out=biases)
        if self._weight_tying is not None and number == 0:
            self._weight_tying.tie_gradient((weights.transpose(1, 2), biases[:, 0]))

    def _move(self, rates: Any, roots: Any, moving: Any) -> None:
        """Apply a step of Adam (Kingma and Ba 2015, Algorithm 1) to the weights of the members with `moving` True."""
        torch, gradient = self._torch, self.gradient
        new_mean = self.mean + (gradient - self.mean) * (1 - FIRST_BETA)
        new_square = self.square * SECOND_BETA + gradient * gradient * (1 - SECOND_BETA)
        moved = self.weights - rates * new_mean / (new_square.sqrt() / roots + Adam.epsilon)
        for old, new in (self.weights, moved), (self.mean, new_mean), (self.square, new_square):
            old.copy_(torch.where(moving, new, old))

    def _activations(self, inputs: Any, layers: Sequence[StackedLayer]) -> list[Any]:
        """Return the input of every layer (after ReLU), then the outputs, of the networks with these layers."""
        activations = [inputs.float()]
        for number, (weights, biases) in enumerate(layers):
            sums = self._torch.baddbmm(biases, activations[-1], weights)
            activations.append(sums.relu_() if number < len(layers) - 1 else sums)
        return activations

    def _views(self, flat: Any) -> list[StackedLayer]:
        """Return the weights and biases of each layer as views of a flat tensor (float32 [members, weights])."""
        return [
            (
                flat[:, weight : weight + inputs * units].unflatten(1, (inputs, units)),
                flat[:, bias : bias + units].unflatten(1, (1, units)),
            )
            for (weight, bias), (inputs, units) in zip(self._places, pairwise(self.sizes), strict=True)
        ]


def _places(sizes: Sequence[int]) -> tuple[list[tuple[int, int]], int]:
    """Return the layout of a network's flat weights: offsets of each layer's weights and biases, and the total length.

    Offsets are counted in weights and aligned to cache lines.
    """
    places, end = [], 0
    for inputs, units in pairwise(sizes):
        weight, bias = end, end + padded_size(inputs * units)
        end = bias + padded_size(units)
        places.append((weight, bias))
    return places, end
