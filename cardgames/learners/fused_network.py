"""Stacked perceptrons on a GPU, their layers computed by kernels that leave little to be launched besides."""

from collections.abc import Sequence
from typing import Any

from cardgames.learners import stacked_kernels as kernels
from cardgames.learners.networks import Wiring
from cardgames.learners.stacked_network import StackedLayer, StackedNetwork, Tensors


class FusedNetwork(StackedNetwork):
    """A `StackedNetwork` on CUDA."""

    def __init__(self, torch: Any, members: Sequence[Tensors], device: str = "cuda", wiring: Wiring | None = None):
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
                kernels.descent(inputs, gradient, layer, self._means[number], self._squares[number], pace)
            else:
                self._find_slopes(number, inputs.float(), gradient)
                end = self._places[0][1] + self.sizes[1]
                kernels.descent_of(self.weights, self.mean, self.square, self.gradient, end, pace)
            gradient = below

    def _seen(self, inputs: Any, layers: Sequence[StackedLayer]) -> list[Any]:
        seen = [inputs]
        for number, layer in enumerate(layers):
            outputs = self._torch.empty((*inputs.shape[:2], self.sizes[number + 1]), device=inputs.device)
            kernels.product(seen[-1], layer, outputs, relu=number < len(layers) - 1)
            seen.append(outputs)
        return seen
