"""Atomic file writes: a file is replaced as a whole, so that readers never see a half-written one."""

import glob
import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from os import PathLike
from pathlib import Path

from cardgames.support.errors import InvalidInput

_TEMPORARY_NAME = ".{name}.{writer}.new"
"""Name of the temporary file that replaces `name`; `writer` is the process and thread that writes it."""
_NULL_BYTE = "embedded null byte"
"""Reason that error messages give for a path with a null byte. Python has several wordings for it."""


def check_path(verb: str, path: str | PathLike[str]) -> None:
    """Raise `InvalidInput` if `path` is a device or a pipe, or contains a null byte.

    Args:
        verb: `read` or `write`, for the error message.
        path: File to be read or written.
    """
    if "\0" in os.fspath(path):
        raise InvalidInput(f"cannot {verb} {path}: {_NULL_BYTE}")
    if os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path)):
        raise InvalidInput(f"cannot {verb} {path}: it is not a regular file")


@contextmanager
def atomic_write(path: str | PathLike[str]) -> Iterator[Path]:
    """Context manager that yields the path of a temporary file to write; at the end that file replaces `path`.

    The file is flushed to disk before it replaces `path`. After an exception `path` is unchanged.

    Raises:
        InvalidInput: If the file cannot be written, or `path` is a device or a pipe, which must not be replaced.
    """
    check_path("write", path)
    target = Path(os.path.realpath(path))  # replace the target of a link, not the link
    new = target.parent / _TEMPORARY_NAME.format(name=target.name, writer=f"{os.getpid()}-{threading.get_ident()}")
    try:
        new.touch()
        mode = (target if target.is_file() else new).stat().st_mode
        yield new
        with open(new, "rb+") as file:  # Windows flushes only files opened for writing
            os.fsync(file.fileno())
        new.chmod(mode)  # some libraries create files that no one else may read
        os.replace(new, target)
    except OSError as error:
        raise InvalidInput(f"cannot write {path}: {describe_file_error(path, error)}") from None
    finally:
        with suppress(OSError):
            new.unlink()


def remove_partial_files(path: str | PathLike[str]) -> None:
    """Remove the temporary files beside `path` that processes killed during `atomic_write` have left."""
    target = Path(os.path.realpath(path))
    for unfinished in target.parent.glob(_TEMPORARY_NAME.format(name=glob.escape(target.name), writer="*")):
        with suppress(OSError):
            unfinished.unlink()


def file_stamp(path: str | PathLike[str]) -> tuple[int, int]:
    """Return modification time (nanoseconds) and size (bytes) of a file. Raises `InvalidInput` if it is missing."""
    try:
        status = os.stat(path)
    except (OSError, ValueError) as error:  # ValueError: a null byte in the path
        raise InvalidInput(f"cannot read {path}: {describe_file_error(path, error)}") from None
    return status.st_mtime_ns, status.st_size


def describe_file_error(path: str | PathLike[str], error: Exception) -> str:
    """Return the reason for a file error as a short text, such as "it is a folder", without the name of the file."""
    if "\0" in os.fspath(path):
        return _NULL_BYTE
    if os.path.isdir(path):
        return "it is a folder"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    # safetensors raises errors of its own, with the number in the text
    number = re.search(r"\(os error (\d+)\)", str(error))
    if number is not None:
        return os.strerror(int(number[1]))
    return _describe_open_error(path) if isinstance(error, FileNotFoundError) else str(error)


def _describe_open_error(path: str | PathLike[str]) -> str:
    """Return the reason why a file cannot be opened. (safetensors reports every such file as missing.)"""
    try:
        with open(path, "rb"):
            pass
    except FileNotFoundError:
        pass
    except OSError as error:
        return describe_file_error(path, error)
    return "there is no such file"
