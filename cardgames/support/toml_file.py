"""Reading and writing of TOML files, with errors in one line, and plain values as TOML text."""

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cardgames.support.atomic_write import atomic_write, describe_file_error
from cardgames.support.errors import InvalidInput


def read_toml(path: Path) -> dict[str, Any]:
    """Return the contents of a TOML file. Raises `InvalidInput` with the reason if it cannot be read."""
    try:
        text = path.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a null byte in the path
        raise InvalidInput(f"cannot read {path}: {describe_file_error(path, error)}") from None
    try:
        return tomllib.loads(text.decode("utf-8-sig"))  # some editors begin a file with a byte-order mark
    except ValueError as error:
        raise InvalidInput(f"{path} is not valid TOML: {error}") from None


def toml_value(value: object) -> str:
    """Return a truth value, a number, a text or a list of them in TOML syntax; any other value as its text."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (tuple, list)):
        return f"[{', '.join(map(toml_value, value))}]"
    if isinstance(value, (int, float)):
        return repr(value)
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")  # TOML escapes DEL too


def write_toml(path: Path, data: Mapping[str, object]) -> None:
    """Write a dictionary as a TOML file: first its plain values, then each dictionary in it as a TOML table.

    Raises `InvalidInput` if the file cannot be written.
    """
    lines = [f"{key} = {toml_value(value)}" for key, value in data.items() if not isinstance(value, Mapping)]
    for key, table in data.items():
        if isinstance(table, Mapping):
            lines += ["", f"[{key}]", *(f"{name} = {toml_value(value)}" for name, value in table.items())]
    try:
        text = "\n".join(lines).encode() + b"\n"
    except UnicodeEncodeError as error:
        raise InvalidInput(f"cannot write {path}: {error.object[error.start]!r} cannot be written as UTF-8") from None
    with atomic_write(path) as new:
        new.write_bytes(text)
