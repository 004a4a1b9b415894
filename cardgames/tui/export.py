"""Writing what a screen shows into a file."""

import os
import pathlib

from cardgames.core.errors import InvalidInput, unknown

FORMATS = (".json", ".svg")


def check_target(path: str) -> str:
    """Return which of `FORMATS` a file name asks for. Raises `InvalidInput` if it cannot be written."""
    target = pathlib.Path(path)
    if target.suffix not in FORMATS:
        raise unknown("kind of file", path, (f"FILE{format_}" for format_ in FORMATS))
    folder = target.parent
    if target.is_dir():
        raise InvalidInput(f"cannot write {path}: it is a folder")
    if not folder.is_dir():
        raise InvalidInput(f"cannot write {path}: there is no folder {folder}")
    if not os.access(target if target.exists() else folder, os.W_OK):
        raise InvalidInput(f"cannot write {path}: permission denied")
    return target.suffix


def write(path: str, text: str) -> None:
    """Write a file; one that is there is overwritten. Raises `InvalidInput` if that fails."""
    try:
        pathlib.Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise InvalidInput(f"cannot write {path}: {error.strerror}") from None
