"""Files in the folder of a run: lock, checkpoint (replaced atomically), and progress file (appended row by row)."""

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

from cardgames.support import file_lock
from cardgames.support.atomic_write import atomic_write, check_path, describe_file_error
from cardgames.support.errors import InvalidInput
from cardgames.support.state_dict import Arrays

Identity = Mapping[str, str | int]
"""Identity of a training, by which a checkpoint is matched to its run: algorithm, seed, players, rules and settings.

Settings at their defaults are omitted.
"""
_CHECKPOINT = "cardgames-checkpoint-8"
_LOCK = ".lock"


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Lock the folder of a run against training by other processes. Raises `InvalidInput` if another one has the lock."""
    with file_lock.locked(folder / _LOCK, f"{folder} is being trained by another process"):
        yield


def make_folder(folder: Path) -> None:
    """Make a folder unless it exists. Raises `InvalidInput` if that fails."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise InvalidInput(f"cannot write {folder}: it is not a folder") from None
    except (OSError, ValueError) as error:  # ValueError: an impossible file name
        raise InvalidInput(f"cannot write {folder}: {describe_file_error(folder, error)}") from None


def check_idle(folder: Path) -> None:
    """Raise `InvalidInput` if another process trains in the folder. Makes no lock file where there is none."""
    if (folder / _LOCK).exists():
        with locked(folder):
            pass


def write_checkpoint(path: Path, state: Mapping[str, NDArray[Any]], identity: Identity) -> None:
    """Write the state and identity of a learner to a checkpoint. Raises `InvalidInput` if that fails."""
    arrays = {name: np.asarray(array, order="C") for name, array in state.items()}
    with atomic_write(path) as new:
        try:
            metadata = {"format": _CHECKPOINT, "identity": json.dumps(identity), "checksum": _checksum(arrays)}
            save_file(arrays, new, metadata)
        except SafetensorError as error:
            raise InvalidInput(f"cannot write {path}: {error}") from None


def _checksum(arrays: Mapping[str, NDArray[Any]]) -> str:
    """Return a checksum (CRC-32, hexadecimal) of the names and bytes of contiguous arrays."""
    crc = 0
    for name in sorted(arrays):
        crc = zlib.crc32(arrays[name].reshape(-1).view(np.uint8).data, zlib.crc32(name.encode(), crc))
    return f"{crc:08x}"


def read_checkpoint(path: Path, identity: Identity) -> Arrays:
    """Return the state in a checkpoint. Raises `InvalidInput` if it is damaged, or belongs to a run with other settings."""
    with _open_checkpoint(path) as (file, metadata):
        _check_identity(path, _read_identity(path, metadata), identity)
        arrays = {name: file.get_tensor(name) for name in file.keys()}
    if metadata.get("checksum") != _checksum(arrays):
        raise InvalidInput(f"{path} is damaged: its checksum does not match")
    return arrays


def checkpoint_identity(path: Path) -> Identity:
    """Return the identity in a checkpoint. Raises `InvalidInput` if the file is no checkpoint."""
    with _open_checkpoint(path) as (_, metadata):
        return _read_identity(path, metadata)


@contextmanager
def _open_checkpoint(path: Path) -> Iterator[tuple[Any, Mapping[str, str]]]:
    """Open a checkpoint, and yield the file and its metadata. Raises `InvalidInput` if the file is no checkpoint."""
    check_path("read", path)
    try:
        with safe_open(path, framework="np") as file:
            metadata = file.metadata() or {}
            if metadata.get("format") != _CHECKPOINT:
                raise InvalidInput(f"{path} is not a checkpoint of this version of cardgames")
            yield file, metadata
    except OSError as error:
        raise InvalidInput(f"cannot read {path}: {describe_file_error(path, error)}") from None
    except SafetensorError as error:
        raise InvalidInput(f"{path} is damaged: {error}") from None


def _read_identity(path: Path, metadata: Mapping[str, str]) -> Identity:
    """Return the identity in a checkpoint's metadata. Raises `InvalidInput` if it has none."""
    try:
        identity = json.loads(metadata["identity"])
    except (KeyError, ValueError):
        identity = None
    if not isinstance(identity, dict):
        raise InvalidInput(f"{path} is damaged: it has no identity")
    return identity


def _check_identity(path: Path, actual: Identity, expected: Identity) -> None:
    """Raise `InvalidInput`, naming the first difference, unless the identities `actual` and `expected` are the same."""
    for name in {**expected, **actual}:
        actual_value, expected_value = actual.get(name, "its default"), expected.get(name, "its default")
        if actual_value != expected_value:
            raise InvalidInput(f"{path} belongs to another run, whose {name} is {actual_value}, not {expected_value}")


class ProgressTable:
    """CSV file with a row of numbers per evaluation; the first row names the columns, one of them `rounds`."""

    def __init__(self, path: Path):
        self.path = path

    def read(self) -> list[dict[str, float]]:
        """Return the rows of the file as numbers by column.

        A last row without line end, left by a killed process, is omitted. Raises `InvalidInput` if the file cannot be
        read or is damaged.
        """
        check_path("read", self.path)
        try:
            with open(self.path, newline="", encoding="utf-8") as file:
                rows = list(csv.DictReader(line for line in file if line.endswith("\n")))
        except OSError as error:
            raise InvalidInput(f"cannot read {self.path}: {error.strerror}") from None
        except (UnicodeDecodeError, csv.Error) as error:
            raise InvalidInput(f"{self.path} is damaged: {error}") from None
        parsed_rows = [numbers for numbers in map(_numbers, rows) if numbers is not None]
        if len(parsed_rows) < len(rows):
            raise InvalidInput(f"{self.path} is damaged: a row does not have a number in each column")
        return parsed_rows

    def write(self, rows: Sequence[Mapping[str, float]]) -> None:
        """Replace all rows of the file by `rows`."""
        with atomic_write(self.path) as new, open(new, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, rows[0]) if rows else None
            if writer is not None:
                writer.writeheader()
                writer.writerows(rows)

    def truncate_after(self, rounds: int) -> None:
        """Delete the rows of evaluations that are newer than the checkpoint; do nothing if there is no file.


        Args:
            rounds: Rounds at the last evaluation before the checkpoint; -1: there was none, and all rows are deleted.

        Raises:
            InvalidInput: The file is damaged, or has no row for the evaluation after `rounds` rounds.
        """
        if not self.path.exists():
            return
        try:
            rows = [row for row in self.read() if row["rounds"] <= rounds]
        except KeyError as error:
            raise InvalidInput(f"{self.path} is damaged: it has no column {error}") from None
        if rounds >= 0 and (not rows or rows[-1]["rounds"] != rounds):
            problem = f"it lacks the evaluation after {rounds:,} rounds"
            raise InvalidInput(f"{self.path} is damaged: {problem} (delete the file to continue without it)")
        self.write(rows)

    def append(self, row: Mapping[str, float]) -> None:
        """Append a row. Raises `InvalidInput` if the file cannot be written, or has other columns."""
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
                os.fsync(file.fileno())  # the row must be on disk before a checkpoint that counts it
        except OSError as error:
            raise InvalidInput(f"cannot write {self.path}: {error.strerror}") from None


def _number(text: str) -> float:
    """Parse a number of a progress file; an integer becomes an `int`, so that it is written again as it was read."""
    try:
        return int(text)
    except ValueError:
        return float(text)


def _numbers(row: Mapping[str, Any]) -> dict[str, float] | None:
    """Return the numbers in a row of a CSV file by column, or None if a column lacks a number."""
    try:
        return {key: _number(value or "missing") for key, value in row.items()}
    except (ValueError, TypeError):  # TypeError: more values than columns
        return None
