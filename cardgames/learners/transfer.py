"""Arrays that are sent to a device together: on a GPU each copy costs a wait, so all of them are one."""

from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

_ALIGNED = 16


class Transfer:
    """Numpy arrays to write to (`host`) and the tensors they become on the device (`send`).

    `layout` has the shape and dtype of each. On a CPU both are the same memory.
    """

    def __init__(self, torch: Any, layout: Mapping[str, tuple[tuple[int, ...], Any]], device: str):
        places, end = {}, 0
        for name, (shape, dtype) in layout.items():
            places[name] = end
            end += -(-prod(shape) * np.dtype(dtype).itemsize // _ALIGNED) * _ALIGNED
        on_gpu = device == "cuda"
        self._here = torch.zeros(end, dtype=torch.uint8, pin_memory=on_gpu)
        self._there = torch.zeros(end, dtype=torch.uint8, device=device) if on_gpu else self._here
        self.host: dict[str, NDArray[Any]] = {}
        """The arrays by name."""
        self._tensors: dict[str, Any] = {}
        for name, (shape, dtype) in layout.items():
            size = prod(shape) * np.dtype(dtype).itemsize
            span = slice(places[name], places[name] + size)
            self.host[name] = self._here[span].numpy().view(dtype).reshape(shape)
            of = torch.from_numpy(np.zeros(1, dtype)).dtype
            self._tensors[name] = self._there[span].view(of).view(shape)

    def send(self) -> Mapping[str, Any]:
        """Return the tensors, as the arrays are now; these must not change until the device has come so far."""
        if self._there is not self._here:
            self._there.copy_(self._here, non_blocking=True)
        return self._tensors
