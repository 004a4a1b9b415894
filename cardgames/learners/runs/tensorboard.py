"""Export of a run's progress to TensorBoard, if it is installed."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any


def installed() -> bool:
    """Return True if TensorBoard is installed, and torch, which writes its events."""
    return all(find_spec(name) for name in ("torch", "tensorboard"))


class TensorBoardWriter:
    """Writer of progress rows as TensorBoard events; does nothing without TensorBoard."""

    def __init__(self, folder: Path, rounds: int = 0):
        """Open the event files in `folder`; purge events from `rounds` on, as those rounds will be played again."""
        self._writer: Any = None
        try:
            from torch.utils.tensorboard import SummaryWriter
        except ImportError:
            return
        with self._stop_on_error():
            self._writer = SummaryWriter(str(folder), purge_step=rounds)

    def write(self, row: Mapping[str, float]) -> None:
        """Write each number of a row, with its column `rounds` as step."""
        with self._stop_on_error():
            if self._writer is not None:
                for name, value in row.items():
                    self._writer.add_scalar(name.replace(" ", "_"), value, int(row["rounds"]))
                self._writer.flush()

    def close(self) -> None:
        """Write all pending events and close the files."""
        with self._stop_on_error():
            if self._writer is not None:
                self._writer.close()

    @contextmanager
    def _stop_on_error(self) -> Iterator[None]:
        """Stop writing events, without an error, when they cannot be written: they only copy the run's progress."""
        try:
            yield
        except (OSError, ValueError):  # ValueError: the folder's name is not UTF-8
            self._writer = None
