"""Perceptrons of one shape in one tensor each for weights and moments: an update of many is one product a layer."""

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
"""Of one layer of all members, weights [members, inputs, units] and biases [members, 1, units]."""


class StackedNetwork:
    """`members` perceptrons with ReLU between their layers, each moved by Adam at a rate of its own, in plain torch."""

    def __init__(self, torch: Any, members: Sequence[Tensors], device: str, weight_tying: WeightTying | None = None):
        """`members` are the weights of each to begin with (`Mlp.tensors`), of the same shapes, which obey `weight_tying`."""
        self.sizes = network_of(members[0], "", "").sizes
        """Inputs, units of each hidden layer, outputs."""
        self._torch, self._wiring, n = torch, weight_tying, len(members)
        self._places, width = _places(self.sizes)
        both = torch.zeros((2, n, width), device=device)
        self.weights, self.target = both
        """[members, weights] of the networks that learn, and of their target networks."""
        self.mean, self.square, self.gradient = (torch.zeros_like(self.weights) for _ in range(3))
        """[members, weights]"""
        self._layers, self._both_layers = self._views(self.weights), self._views(both.flatten(0, 1))
        self._gradients = self._views(self.gradient)
        for member, tensors in enumerate(members):
            self.load(member, tensors)

    def tensors(self, member: int) -> dict[str, NDArray[np.float32]]:
        """Return the weights of one, named as `Mlp.tensors` names them."""
        found = {}
        for number, (weight, bias) in enumerate(self._layers):
            found[f"{2 * number}.weight"] = np.ascontiguousarray(weight[member].T.cpu().numpy())
            found[f"{2 * number}.bias"] = bias[member, 0].cpu().numpy().copy()
        return found

    def load(self, member: int, tensors: Tensors) -> None:
        """Set the weights of one and of its target network."""
        for number, (weight, bias) in enumerate(self._layers):
            weight[member] = self._torch.from_numpy(tensors[f"{2 * number}.weight"].T.copy())
            bias[member, 0] = self._torch.from_numpy(tensors[f"{2 * number}.bias"])
        self.renew_target(member)

    def renew_target(self, member: int) -> None:
        """Copy one of the networks that learn to its target network."""
        self.target[member].copy_(self.weights[member])

    def outputs(self, inputs: Any) -> Any:
        """Return the outputs [members, n, outputs] for `inputs` (int8 [members, n, inputs])."""
        return self.forward(inputs)[-1]

    def forward(self, inputs: Any) -> list[Any]:
        """Return what `step` takes: what goes into every layer (`inputs` int8 [members, n, inputs]), then the outputs."""
        return self._activations(inputs, self._layers)

    def forward_both(self, inputs: Any) -> tuple[list[Any], Any]:
        """Return `forward` of the first of `inputs` (int8 [2, members, n, inputs]), and what the target networks say to the
        second: in one go.
        """
        activations = self._activations(inputs.flatten(0, 1), self._both_layers)
        members = len(self.weights)
        return [part[:members] for part in activations], activations[-1][members:]

    def step(self, activations: Sequence[Any], gradient: Any, rates: Any, roots: Any, moving: Any) -> None:
        """Move the weights once, where `moving` (bool [members, 1]), along the gradient of the outputs that end `activations`.

        `rates` and `roots` (float32 [members, 1]) make up for moments that began at 0: the learning rate over 1 - beta^t of
        the mean, and the root of that of the mean square.
        """
        for number in reversed(range(len(self._layers))):
            self._write_layer_gradient(number, activations[number], gradient)
            if number:
                gradient = self._torch.bmm(gradient, self._layers[number][0].transpose(1, 2))
                gradient *= activations[number] > 0
        self._move(rates, roots, moving)

    def _write_layer_gradient(self, number: int, inputs: Any, gradient: Any) -> None:
        """Write the gradient of a layer from that of its outputs."""
        torch, (weights, biases) = self._torch, self._gradients[number]
        torch.bmm(inputs.transpose(1, 2), gradient, out=weights)
        torch.sum(gradient, dim=1, keepdim=True, out=biases)
        if self._wiring is not None and number == 0:
            self._wiring.tie_gradient((weights.transpose(1, 2), biases[:, 0]))

    def _move(self, rates: Any, roots: Any, moving: Any) -> None:
        """Make a step of Adam (Kingma, Ba 2015, algorithm 1)."""
        torch, gradient = self._torch, self.gradient
        new_mean = self.mean + (gradient - self.mean) * (1 - FIRST_BETA)
        new_square = self.square * SECOND_BETA + gradient * gradient * (1 - SECOND_BETA)
        moved = self.weights - rates * new_mean / (new_square.sqrt() / roots + Adam.epsilon)
        for old, new in (self.weights, moved), (self.mean, new_mean), (self.square, new_square):
            old.copy_(torch.where(moving, new, old))

    def _activations(self, inputs: Any, layers: Sequence[StackedLayer]) -> list[Any]:
        activations = [inputs.float()]
        for number, (weights, biases) in enumerate(layers):
            sums = self._torch.baddbmm(biases, activations[-1], weights)
            activations.append(sums.relu_() if number < len(layers) - 1 else sums)
        return activations

    def _views(self, flat: Any) -> list[StackedLayer]:
        """Return each layer where it lies in `flat`."""
        return [
            (
                flat[:, weight : weight + inputs * units].unflatten(1, (inputs, units)),
                flat[:, bias : bias + units].unflatten(1, (1, units)),
            )
            for (weight, bias), (inputs, units) in zip(self._places, pairwise(self.sizes), strict=True)
        ]


def _places(sizes: Sequence[int]) -> tuple[list[tuple[int, int]], int]:
    """Return where the weights and the biases of each layer begin, in whole cache lines, and how long all are."""
    places, end = [], 0
    for inputs, units in pairwise(sizes):
        weight, bias = end, end + padded_size(inputs * units)
        end = bias + padded_size(units)
        places.append((weight, bias))
    return places, end
