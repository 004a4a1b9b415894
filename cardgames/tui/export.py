"""Writing what a screen shows into a file."""

import os
import pathlib

from cardgames.core.errors import InvalidInput, unknown
from cardgames.core.replacing import replacing

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
    """Write a file, which takes the place of one that is there at once. Raises `InvalidInput` if that fails."""
    with replacing(path) as new:
        new.write_text(text, encoding="utf-8")
