"""Arrays that are sent to a device together: on a GPU each copy costs a wait, so all of them are one."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray


class PinnedBuffer:
    """Numpy arrays to write to (`host`) and the tensors they become on the device (`send`).

    `layout` has the shape and dtype of each. On a CPU both are the same memory.
    """

    def __init__(self, torch: Any, layout: Mapping[str, tuple[tuple[int, ...], Any]], device: str):
        parts: list[Any] = [(name, dtype, shape) for name, (shape, dtype) in layout.items()]
        record = np.dtype(parts, align=True)
        on_gpu = device == "cuda"
        self._host_bytes = torch.zeros(record.itemsize, dtype=torch.uint8, pin_memory=on_gpu)
        self._device_bytes = torch.zeros_like(self._host_bytes, device=device) if on_gpu else self._host_bytes
        arrays = self._host_bytes.numpy().view(record)[0]
        self.host: dict[str, NDArray[Any]] = {name: arrays[name] for name in layout}
        """The arrays by name."""
        self._tensors: dict[str, Any] = {}
        for name, array in self.host.items():
            first = record.fields[name][1]  # type: ignore[index]
            torch_dtype = torch.from_numpy(np.zeros(1, array.dtype)).dtype
            self._tensors[name] = self._device_bytes[first : first + array.nbytes].view(torch_dtype).view(array.shape)

    def send(self) -> Mapping[str, Any]:
        """Return the tensors, as the arrays are now; these must not change until the device has come so far."""
        if self._device_bytes is not self._host_bytes:
            self._device_bytes.copy_(self._host_bytes, non_blocking=True)
        return self._tensors
