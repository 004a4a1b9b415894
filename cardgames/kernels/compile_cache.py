"""Folder of the compile cache, which keeps machine code between processes, and marker files for compiled games and agents.

Numba's `cache=True` would run old machine code after a change in *another* file with kernels that a kernel calls.
Therefore the folder is named after the contents of all kernel sources (`source_fingerprint`).
"""

import functools
import hashlib
import os
import pathlib
import shutil
import time
from contextlib import suppress
from typing import Any

import numba
import platformdirs

from cardgames.kernels.numba_check import CACHE_AVAILABLE
from cardgames.kernels.source_fingerprint import fingerprint
from cardgames.kernels.warn_once import warn_once

_config: Any = numba.config
_UNUSED_SECONDS = 60 * 24 * 3600
"""Seconds without use after which the cache folder of another version is removed (when a new folder is created)."""


def cache_folder() -> pathlib.Path:
    """Return the path of this version's compile cache, in `$CARDGAMES_CACHE_DIR` or else in the user's cache folder.

    Raises:
        RuntimeError: If the path begins with `~` and there is no such home folder.
    """
    root = os.environ.get("CARDGAMES_CACHE_DIR") or platformdirs.user_cache_path("cardgames")
    return pathlib.Path(root).expanduser() / f"kernels-{fingerprint()}"


def warn_not_cached(error: Exception) -> None:
    """Warn that kernels are compiled at every start because machine code cannot be cached; `error` is the reason."""
    reason = getattr(error, "strerror", None) or error
    warn_once(f"kernels are compiled again at every start ({reason}): set CARDGAMES_CACHE_DIR to a folder for them")


def _open_folder() -> pathlib.Path | None:
    """Return the cache folder, created if necessary; None, with a warning, if it cannot be created."""
    try:
        folder = cache_folder()
        if not folder.exists():
            _remove_unused(folder.parent)
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError) as error:
        warn_not_cached(error)
        return None
    with suppress(OSError):  # a read-only folder, as in a container, can still be read from
        os.utime(folder)
    return folder


def _remove_unused(root: pathlib.Path) -> None:
    """Remove the cache folders of other versions that have not been used for `_UNUSED_SECONDS`."""
    for folder in root.glob("kernels-*"):
        with suppress(OSError):
            if time.time() - folder.stat().st_mtime > _UNUSED_SECONDS:
                shutil.rmtree(folder)


JIT_ENABLED = not _config.DISABLE_JIT
"""True if kernels are compiled; False if `NUMBA_DISABLE_JIT` is set, so that they run as plain Python."""
FOLDER = _open_folder() if CACHE_AVAILABLE else None
"""Path of the compile cache, None if machine code is not cached."""
CACHE_WRITABLE = FOLDER is not None and os.access(FOLDER, os.W_OK)
"""True if machine code can be written to the cache for other processes."""


def is_marked_compiled(name: str) -> bool:
    """Return whether the kernels for a game or agent are in the compile cache, because `mark_compiled(name)` was called.

    The call may have been in an earlier process with the same kernel sources.

    Always True if `NUMBA_DISABLE_JIT` is set, since nothing needs to be compiled then.
    """
    return not JIT_ENABLED or (FOLDER is not None and _marker_file(FOLDER, name).exists())


@functools.cache
def mark_compiled(name: str) -> None:
    """Record, by a marker file, that all kernels for `name` (a game, or an agent of a game) are in the compile cache.

    Does nothing without a cache.
    """
    if FOLDER is not None and JIT_ENABLED:
        with suppress(OSError):
            _marker_file(FOLDER, name).touch()


def _marker_file(folder: pathlib.Path, name: str) -> pathlib.Path:
    return folder / f"{hashlib.sha256(name.encode()).hexdigest()[:16]}.compiled"
