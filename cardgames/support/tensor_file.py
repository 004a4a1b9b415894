"""Reading and writing of tensors with metadata as safetensors files; equal contents give equal bytes."""

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
    """Write named tensors and metadata to a safetensors file, which atomically replaces an existing one.

    Raises `InvalidInput` if it cannot be written.
    """
    with atomic_write(path) as new:
        new.write_bytes(_with_sorted_metadata(save(dict(tensors), dict(metadata))))


def _with_sorted_metadata(data: bytes) -> bytes:
    """Return the bytes of a safetensors file with its metadata sorted by key; the library writes them in random order.

    Such a file is the length of its header (8 bytes), the header (JSON, padded with blanks) and the tensors.
    """
    end = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:end])
    header["__metadata__"] = dict(sorted(header["__metadata__"].items()))
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + data[end:]


def read_tensors(path: str | PathLike[str]) -> tuple[dict[str, NDArray[Any]], dict[str, str]]:
    """Return the named tensors and the metadata of a safetensors file. Raises `InvalidInput` if it cannot be read."""
    check_path("read", path)
    try:
        with safe_open(path, framework="np") as file:
            return {name: file.get_tensor(name) for name in file.keys()}, file.metadata() or {}
    except OSError as error:
        raise InvalidInput(f"cannot read {path}: {describe_file_error(path, error)}") from None
    # TypeError: NumPy has no such dtype
    except (SafetensorError, TypeError) as error:
        raise InvalidInput(f"{path} is not a readable safetensors file: {error}") from None
