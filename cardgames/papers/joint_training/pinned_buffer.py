"""Buffer that sends several arrays to a GPU in one copy, since every copy costs a wait."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray


class PinnedBuffer:
    """NumPy arrays in pinned memory to write to (`host`), and the tensors on the device to which `send` copies them.

    With the device `cpu` the arrays and the tensors share the same memory, and `send` copies nothing.
    """

    def __init__(self, torch: Any, layout: Mapping[str, tuple[tuple[int, ...], Any]], device: str):
        """Allocate the arrays and the tensors.

        Args:
            torch: The module torch.
            layout: Name of an array -> its shape and dtype.
            device: `cpu` or `cuda`.
        """
        parts: list[Any] = [(name, dtype, shape) for name, (shape, dtype) in layout.items()]
        record = np.dtype(parts, align=True)
        on_gpu = device == "cuda"
        self._host_bytes = torch.zeros(record.itemsize, dtype=torch.uint8, pin_memory=on_gpu)
        self._device_bytes = torch.zeros_like(self._host_bytes, device=device) if on_gpu else self._host_bytes
        arrays = self._host_bytes.numpy().view(record)[0]
        self.host: dict[str, NDArray[Any]] = {name: arrays[name] for name in layout}
        """Name of an array -> NumPy array to write to before `send`."""
        self._tensors: dict[str, Any] = {}
        for name, array in self.host.items():
            first = record.fields[name][1]  # type: ignore[index]
            torch_dtype = torch.from_numpy(np.zeros(1, array.dtype)).dtype
            self._tensors[name] = self._device_bytes[first : first + array.nbytes].view(torch_dtype).view(array.shape)

    def send(self) -> Mapping[str, Any]:
        """Start the copy of all arrays to the device and return the tensors by name.

        The arrays must not be changed until the device has finished the copy.
        """
        if self._device_bytes is not self._host_bytes:
            self._device_bytes.copy_(self._host_bytes, non_blocking=True)
        return self._tensors
