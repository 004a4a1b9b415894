"""Tensors and a few words about them as safetensors files, the same bytes for the same contents."""

import json
from collections.abc import Mapping
from os import PathLike
from typing import Any

from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from cardgames.support.atomic_write import atomic_write, check_path, describe_file_error
from cardgames.support.errors import InvalidInput

Tensors = Mapping[str, NDArray[Any]]


def write_tensors(path: str | PathLike[str], tensors: Tensors, metadata: Mapping[str, str]) -> None:
    """Write a file, which takes the place of one that is there at once. Raises `InvalidInput` if that cannot be."""
    with atomic_write(path) as new:
        new.write_bytes(_with_sorted_metadata(save(dict(tensors), dict(metadata))))


def _with_sorted_metadata(data: bytes) -> bytes:
    """Return the bytes of a file with its metadata in order, which safetensors leaves to chance.

    A file is the length of its header (8 bytes), the header (JSON, filled up with blanks), and the tensors.
    """
    end = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:end])
    header["__metadata__"] = dict(sorted(header["__metadata__"].items()))
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + data[end:]


def read_tensors(path: str | PathLike[str]) -> tuple[dict[str, NDArray[Any]], dict[str, str]]:
    """Return the tensors and the metadata of a file. Raises `InvalidInput` if there is none that can be read."""
    check_path("read", path)
    try:
        with safe_open(path, framework="np") as file:
            return {name: file.get_tensor(name) for name in file.keys()}, file.metadata() or {}
    except OSError as error:
        raise InvalidInput(f"cannot read {path}: {describe_file_error(path, error)}") from None
    # TypeError: numbers of a kind numpy lacks
    except (SafetensorError, TypeError) as error:
        raise InvalidInput(f"{path} is no readable safetensors file: {error}") from None
