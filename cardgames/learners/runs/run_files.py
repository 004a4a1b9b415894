"""A run's lock, its checkpoint, replaced at once and never half, and its progress, which grows by a row at a time."""

import csv
import json
import os
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from cardgames.learners.memory.checkpoint_arrays import Arrays
from cardgames.support import file_lock
from cardgames.support.atomic_write import atomic_write, check_path, describe_file_error
from cardgames.support.errors import InvalidInput

Identity = Mapping[str, str | int]
"""What a run's state must be of to be gone on with: name -> value; settings at their defaults are left out."""
_CHECKPOINT = "cardgames-checkpoint-8"
_LOCK = ".lock"


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep a run's folder from all other processes that would train in it. Raises `InvalidInput` if one does."""
    with file_lock.locked(folder / _LOCK, f"{folder} is being trained by another process"):
        yield


def make_folder(folder: Path) -> None:
    """Make a folder unless it is there. Raises `InvalidInput`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise InvalidInput(f"cannot write {folder}: it is no folder") from None
    except (OSError, ValueError) as error:  # ValueError: no system has such a name
        raise InvalidInput(f"cannot write {folder}: {describe_file_error(folder, error)}") from None


def check_idle(folder: Path) -> None:
    """Raise `InvalidInput` if another process trains in a folder. Nothing is made in one where none ever did."""
    if (folder / _LOCK).exists():
        with locked(folder):
            pass


def write_checkpoint(path: Path, state: Mapping[str, NDArray[Any]], identity: Identity) -> None:
    """Write a learner's state; `identity` tells what it is a state of. Raises `InvalidInput`."""
    arrays = {name: np.asarray(array, order="C") for name, array in state.items()}
    with atomic_write(path) as new:
        try:
            words = {"format": _CHECKPOINT, "identity": json.dumps(identity), "checksum": _checksum(arrays)}
            save_file(arrays, new, words)
        except SafetensorError as error:
            raise InvalidInput(f"cannot write {path}: {error}") from None


def _checksum(arrays: Mapping[str, NDArray[Any]]) -> str:
    """Return a word for all bytes of some contiguous arrays."""
    crc = 0
    for name in sorted(arrays):
        crc = zlib.crc32(arrays[name].reshape(-1).view(np.uint8).data, zlib.crc32(name.encode(), crc))
    return f"{crc:08x}"


def read_checkpoint(path: Path, identity: Identity) -> Arrays:
    """Return what `write_checkpoint` wrote. Raises `InvalidInput` for another file, or a state of something else."""
    with _open_checkpoint(path) as (file, metadata):
        _check_identity(path, _read_identity(path, metadata), identity)
        arrays = {name: file.get_tensor(name) for name in file.keys()}
    if metadata.get("checksum") != _checksum(arrays):
        raise InvalidInput(f"{path} is damaged: its bytes are not those that were written")
    return arrays


def checkpoint_identity(path: Path) -> Identity:
    """Return what a checkpoint is of. Raises `InvalidInput` for another file."""
    with _open_checkpoint(path) as (_, metadata):
        return _read_identity(path, metadata)


@contextmanager
def _open_checkpoint(path: Path) -> Iterator[tuple[Any, Mapping[str, str]]]:
    """Open a checkpoint and give its metadata. Raises `InvalidInput` for another file."""
    check_path("read", path)
    try:
        with safe_open(path, framework="np") as file:
            metadata = file.metadata() or {}
            if metadata.get("format") != _CHECKPOINT:
                raise InvalidInput(f"{path} is no checkpoint of cardgames, or one of an earlier version")
            yield file, metadata
    except OSError as error:
        raise InvalidInput(f"cannot read {path}: {describe_file_error(path, error)}") from None
    except SafetensorError as error:
        raise InvalidInput(f"{path} is damaged: {error}") from None


def _read_identity(path: Path, metadata: Mapping[str, str]) -> Identity:
    """Return what a checkpoint says it is a state of. Raises `InvalidInput`."""
    try:
        identity = json.loads(metadata["identity"])
    except (KeyError, ValueError):
        identity = None
    if not isinstance(identity, dict):
        raise InvalidInput(f"{path} is damaged: it does not say what it is a state of")
    return identity


def _check_identity(path: Path, actual: Identity, expected: Identity) -> None:
    """Raise `InvalidInput`, with what differs, if a checkpoint is not of what it is wanted for."""
    for name in {**expected, **actual}:
        actual_value, expected_value = actual.get(name, "its default"), expected.get(name, "its default")
        if actual_value != expected_value:
            raise InvalidInput(f"{path} belongs to another run, whose {name} is {actual_value}, not {expected_value}")


class ProgressTable:
    """The progress of a training, a CSV file that grows by rows; the first row names the columns, one of them `rounds`."""

    def __init__(self, path: Path):
        self.path = path

    def read(self) -> list[dict[str, float]]:
        """Return the rows: column -> number; without the last one if a kill left half of it, which has no end. Raises
        `InvalidInput`.
        """
        check_path("read", self.path)
        try:
            with open(self.path, newline="", encoding="utf-8") as file:
                rows = list(csv.DictReader(line for line in file if line.endswith("\n")))
        except OSError as error:
            raise InvalidInput(f"cannot read {self.path}: {error.strerror}") from None
        except (UnicodeDecodeError, csv.Error) as error:
            raise InvalidInput(f"{self.path} is damaged: {error}") from None
        found = [numbers for numbers in map(_numbers, rows) if numbers is not None]
        if len(found) < len(rows):
            raise InvalidInput(f"{self.path} is damaged: a row does not have a number in each column")
        return found

    def write(self, rows: Sequence[Mapping[str, float]]) -> None:
        """Replace all rows."""
        with atomic_write(self.path) as new, open(new, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, rows[0]) if rows else None
            if writer is not None:
                writer.writeheader()
                writer.writerows(rows)

    def truncate_after(self, rounds: int) -> None:
        """Forget what came after the row of so many `rounds`, the last that a checkpoint knows of (-1: it knows of none).
        Without the file do nothing. Raises `InvalidInput`.
        """
        if not self.path.exists():
            return
        try:
            rows = [row for row in self.read() if row["rounds"] <= rounds]
        except KeyError as error:
            raise InvalidInput(f"{self.path} is damaged: it lacks {error}") from None
        if rounds >= 0 and (not rows or rows[-1]["rounds"] != rounds):
            lost = f"it lacks the evaluation after {rounds:,} rounds"
            raise InvalidInput(f"{self.path} is damaged: {lost} (without the file the training goes on)")
        self.write(rows)

    def append(self, row: Mapping[str, float]) -> None:
        """Add a row. Raises `InvalidInput` if that cannot be, or if the table has other columns."""
        try:
            with open(self.path, "a+", newline="", encoding="utf-8") as file:
                file.seek(0)
                names, writer = next(csv.reader(file), None), csv.DictWriter(file, row)
                if names is None:
                    writer.writeheader()
                elif names != list(row):
                    raise InvalidInput(f"{self.path} has other columns, perhaps of another version: move it away")
                writer.writerow(row)
                file.flush()
                os.fsync(file.fileno())  # a checkpoint that knows of the row comes after it
        except OSError as error:
            raise InvalidInput(f"cannot write {self.path}: {error.strerror}") from None


def _number(text: str) -> float:
    """Return a number, a whole one as such: what is written again looks as before."""
    try:
        return int(text)
    except ValueError:
        return float(text)


def _numbers(row: Mapping[str, Any]) -> dict[str, float] | None:
    """Return the numbers of a row, None if one is missing."""
    try:
        return {key: _number(value or "missing") for key, value in row.items()}
    except (ValueError, TypeError):  # TypeError: more columns than have a name
        return None
