"""Stacked perceptrons on a GPU: of few kernels, as one takes longer to start than to learn from 32 decisions of a member."""

from collections.abc import Sequence
from typing import Any

from cardgames.learners import stacked_kernels as kernels
from cardgames.learners.networks import Tensors, Wiring
from cardgames.learners.stacked_network import StackedLayer, StackedNetwork


class FusedNetwork(StackedNetwork):
    """A `StackedNetwork` whose layers are kernels of Triton; what `forward` returns begins with the inputs as they are."""

    def __init__(self, torch: Any, members: Sequence[Tensors], device: str, wiring: Wiring | None = None):
        super().__init__(torch, members, device, wiring)
        self._means, self._squares = self._views(self.mean), self._views(self.square)

    def step(self, seen: Sequence[Any], gradient: Any, rates: Any, roots: Any, moving: Any) -> None:
        """Move the weights, each layer as soon as what lies before it needs it no more; as `StackedNetwork.step`."""
        pace = rates, roots, moving
        for number in reversed(range(len(self._layers))):
            inputs, layer, below = seen[number], self._layers[number], None
            if number:
                below = self._torch.empty_like(inputs)
                kernels.product_back(gradient, layer, inputs, below)
            if number or self._wiring is None:
                kernels.descend_layer(inputs, gradient, layer, self._means[number], self._squares[number], pace)
            else:
                self._descend_wired(inputs, gradient, pace)
            gradient = below

    def _descend_wired(self, inputs: Any, gradient: Any, pace: Any) -> None:
        """Move the first layer, whose wiring ties weights of many tiles to each other: it lies in front of all."""
        self._find_slopes(0, inputs.float(), gradient)
        end = self._places[0][1] + self.sizes[1]
        kernels.descend(self.weights, self.mean, self.square, self.gradient, end, pace)

    def _seen(self, inputs: Any, layers: Sequence[StackedLayer]) -> list[Any]:
        seen = [inputs]
        for number, layer in enumerate(layers):
            outputs = self._torch.empty((*inputs.shape[:2], self.sizes[number + 1]), device=inputs.device)
            kernels.product(seen[-1], layer, outputs, relu=number < len(layers) - 1)
            seen.append(outputs)
        return seen
