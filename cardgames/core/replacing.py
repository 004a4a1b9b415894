"""Files that are whole or not there: what is written takes the place of what was there at once."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cardgames.core.errors import InvalidInput


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give the name of a file to write; it takes the place of `path` once it is on disk. Raises `InvalidInput`."""
    new = path.with_name(f".{path.name}.new")
    try:
        new.touch()
        rights = new.stat().st_mode
        yield new
        new.chmod(rights)  # some libraries make files that nobody else may read
        with open(new, "rb") as file:
            os.fsync(file.fileno())
        os.replace(new, path)
    except OSError as error:
        raise InvalidInput(f"cannot write {path}: {error.strerror or error}") from None
    finally:
        new.unlink(missing_ok=True)
