"""Files that are whole or not there: what is written takes the place of what was there at once."""

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
"""What a writer (a thread of a process) calls a file that is to take the place of `name`."""
_NULL_BYTE = "embedded null byte"
"""What is wrong with a name that no system has; Python says it in several ways."""


def check_path(what: str, path: str | PathLike[str]) -> None:
    """Raise `InvalidInput` for a device or a pipe, and for a name that no system has; `what` is not to be done to it: `read`
    or `write`.
    """
    if "\0" in os.fspath(path):
        raise InvalidInput(f"cannot {what} {path}: {_NULL_BYTE}")
    if os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path)):
        raise InvalidInput(f"cannot {what} {path}: it is no file")


@contextmanager
def atomic_write(path: str | PathLike[str]) -> Iterator[Path]:
    """Give the name of a file to write; it takes the place of `path` once it is on disk. Raises `InvalidInput`, for a device
    or a pipe too: nothing is to take its place.
    """
    check_path("write", path)
    target = Path(os.path.realpath(path))  # of a link, what it leads to is replaced
    new = target.parent / _TEMPORARY_NAME.format(name=target.name, writer=f"{os.getpid()}-{threading.get_ident()}")
    try:
        new.touch()
        mode = (target if target.is_file() else new).stat().st_mode
        yield new
        with open(new, "rb+") as file:  # Windows flushes only what may be written
            os.fsync(file.fileno())
        new.chmod(mode)  # some libraries make files that nobody else may read
        os.replace(new, target)
    except OSError as error:
        raise InvalidInput(f"cannot write {path}: {describe_file_error(path, error)}") from None
    finally:
        with suppress(OSError):
            new.unlink()


def remove_partial_files(path: str | PathLike[str]) -> None:
    """Remove what processes that were killed while they wrote `path` left beside it."""
    target = Path(os.path.realpath(path))
    for unfinished in target.parent.glob(_TEMPORARY_NAME.format(name=glob.escape(target.name), writer="*")):
        with suppress(OSError):
            unfinished.unlink()


def file_stamp(path: str | PathLike[str]) -> tuple[int, int]:
    """Return when a file was last written (nanoseconds) and its size in bytes. Raises `InvalidInput` if there is none."""
    try:
        status = os.stat(path)
    except (OSError, ValueError) as error:  # ValueError: no system has such a name
        raise InvalidInput(f"cannot read {path}: {describe_file_error(path, error)}") from None
    return status.st_mtime_ns, status.st_size


def describe_file_error(path: str | PathLike[str], error: Exception) -> str:
    """Return why a file could not be read or written, in words that name no file."""
    if "\0" in os.fspath(path):
        return _NULL_BYTE
    if os.path.isdir(path):
        return "it is a folder"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    # what safetensors raises
    number = re.search(r"\(os error (\d+)\)", str(error))
    if number is not None:
        return os.strerror(int(number[1]))
    return _describe_open_error(path) if isinstance(error, FileNotFoundError) else str(error)


def _describe_open_error(path: str | PathLike[str]) -> str:
    """Return why a file cannot be opened: safetensors calls every one that cannot missing."""
    try:
        with open(path, "rb"):
            pass
    except FileNotFoundError:
        pass
    except OSError as error:
        return describe_file_error(path, error)
    return "there is no such file"
