"""The folder where machine code is kept between processes, and notes of what has been compiled into it.

Plain `cache=True` goes on running old machine code after an edit in *another* file that a kernel calls.
So the folder is named after the contents of all kernel sources.
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

from cardgames.kernels.numba_internals import CACHE_AVAILABLE
from cardgames.kernels.source_fingerprint import fingerprint
from cardgames.kernels.warn_once import warn_once

_config: Any = numba.config
_UNUSED_SECONDS = 60 * 24 * 3600
"""Seconds without use after which the folder of another version is removed, when that of a new version is made."""


def cache_folder() -> pathlib.Path:
    """Return the folder of this version's machine code: `$CARDGAMES_CACHE_DIR`, else the user's cache folder.

    Raises:
        RuntimeError: The user has no home folder to find it in.
    """
    root = os.environ.get("CARDGAMES_CACHE_DIR") or platformdirs.user_cache_path("cardgames")
    return pathlib.Path(root).expanduser() / f"kernels-{fingerprint()}"


def warn_not_kept(error: Exception) -> None:
    """Warn that machine code cannot be kept, and why."""
    reason = getattr(error, "strerror", None) or error
    warn_once(f"kernels are compiled anew at every start ({reason}): name a folder for them in CARDGAMES_CACHE_DIR")


def _open_folder() -> pathlib.Path | None:
    """Return the cache folder, made if it was not there; None, with a warning, if it cannot be made."""
    try:
        folder = cache_folder()
        if not folder.exists():
            _remove_unused(folder.parent)
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError) as error:
        warn_not_kept(error)
        return None
    with suppress(OSError):  # a folder that can only be read, as in a container, is read all the same
        os.utime(folder)
    return folder


def _remove_unused(root: pathlib.Path) -> None:
    for folder in root.glob("kernels-*"):
        with suppress(OSError):
            if time.time() - folder.stat().st_mtime > _UNUSED_SECONDS:
                shutil.rmtree(folder)


JIT_ENABLED = not _config.DISABLE_JIT
"""Whether kernels are compiled at all, and not run as plain Python."""
FOLDER = _open_folder() if CACHE_AVAILABLE else None
"""The cache folder, None if there is none."""
CACHE_WRITABLE = FOLDER is not None and os.access(FOLDER, os.W_OK)
"""Whether what is compiled can be kept there for other processes."""


def is_marked_compiled(what: str) -> bool:
    """Return whether it was noted that `what` is compiled here, from just these sources; `NUMBA_DISABLE_JIT` compiles
    nothing.
    """
    return not JIT_ENABLED or (FOLDER is not None and _marker_file(FOLDER, what).exists())


@functools.cache
def mark_compiled(what: str) -> None:
    """Note that `what` is compiled and kept here, if that can be."""
    if FOLDER is not None and JIT_ENABLED:
        with suppress(OSError):
            _marker_file(FOLDER, what).touch()


def _marker_file(folder: pathlib.Path, what: str) -> pathlib.Path:
    return folder / f"{hashlib.sha256(what.encode()).hexdigest()[:16]}.compiled"
