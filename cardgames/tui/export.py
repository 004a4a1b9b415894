"""Export of a text, such as a screen as SVG or an analysis as JSON, to a file."""

import os
import pathlib

from cardgames.support.atomic_write import atomic_write
from cardgames.support.errors import InvalidInput, unknown_name

FORMATS = (".json", ".svg")
_SEPARATORS = tuple(filter(None, (os.sep, os.altsep)))


def check_target(path: str) -> str:
    """Return the file format, `.json` or `.svg`, by the extension of `path`.

    Raises `InvalidInput` if the extension is another one or the file cannot be written.
    """
    target = pathlib.Path(path)
    if target.suffix not in FORMATS:
        raise unknown_name("kind of file", path, (f"FILE{format_}" for format_ in FORMATS))
    folder = pathlib.Path(os.path.realpath(path)).parent
    if target.is_dir() or path.endswith(_SEPARATORS):
        raise InvalidInput(f"cannot write {path}: it is a folder")
    if not folder.is_dir():
        raise InvalidInput(f"cannot write {path}: there is no folder {target.parent}")
    if not all(os.access(place, os.W_OK) for place in (folder, target) if place.exists()):
        raise InvalidInput(f"cannot write {path}: permission denied")
    return target.suffix


def write(path: str, text: str) -> None:
    """Write a text file atomically; an existing file is replaced. Raises `InvalidInput` if that fails."""
    with atomic_write(path) as new:
        new.write_text(text, encoding="utf-8")
