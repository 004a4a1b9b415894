"""A run's progress for TensorBoard, where that is installed."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any


def installed() -> bool:
    """Return whether TensorBoard is, and torch, which writes its events."""
    return all(find_spec(name) for name in ("torch", "tensorboard"))


class TensorBoardWriter:
    """Writes rows of progress as TensorBoard events into a folder; does nothing without TensorBoard."""

    def __init__(self, folder: Path, rounds: int = 0):
        """`rounds`: where the next row may be; events from there on, of what is played again, are forgotten."""
        self._writer: Any = None
        try:
            from torch.utils.tensorboard import SummaryWriter
        except ImportError:
            return
        with self._stop_on_error():
            self._writer = SummaryWriter(str(folder), purge_step=rounds)

    def write(self, row: Mapping[str, float]) -> None:
        """Write each number of a row; its column `rounds` is the step."""
        with self._stop_on_error():
            if self._writer is not None:
                for name, value in row.items():
                    self._writer.add_scalar(name.replace(" ", "_"), value, int(row["rounds"]))
                self._writer.flush()

    def close(self) -> None:
        """Write what is left."""
        with self._stop_on_error():
            if self._writer is not None:
                self._writer.close()

    @contextmanager
    def _stop_on_error(self) -> Iterator[None]:
        """Go on without events where they cannot be written: they are a copy of the run's progress."""
        try:
            yield
        except (OSError, ValueError):  # ValueError: a folder whose name is no UTF-8
            self._writer = None
