"""Fingerprints of the sources that machine code is made of.

The cache folder is named after the contents of all kernel sources of the package. Kernels of games outside the package,
which kernels of the package may have compiled into them, are fingerprinted by the folder they lie in.
"""

import functools
import hashlib
import inspect
import os
import pathlib
from collections.abc import Iterable
from typing import Any

import numba

from cardgames.kernels.numba_internals import AVAILABLE

_PACKAGE = pathlib.Path(__file__).parent.parent
_KERNEL_FOLDERS = ("kernels", "core", "networks", "arena", "uno", "doudizhu", "search", "learners")
_third_party_folders: dict[Any, set[pathlib.Path]] = {}
"""Numba type of rules -> folders outside the package with kernels for them."""


def fingerprint() -> str:
    """Return a short hash of every source file that kernels are compiled from, and of what compiles them."""
    digest = hashlib.sha256(numba.__version__.encode() if AVAILABLE else f"plain {numba.__version__}".encode())
    for folder in _KERNEL_FOLDERS:
        for path in sorted((_PACKAGE / folder).rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def package_subfolder(py_file: str) -> str:
    """Return a name for the folder of a source file that `fingerprint` covers, an empty text for any other file."""
    path = pathlib.Path(py_file)
    folders = path.relative_to(_PACKAGE).parts[:-1] if path.is_relative_to(_PACKAGE) else ()
    return "-".join(folders) if folders and folders[0] in _KERNEL_FOLDERS else ""


def track_sources(rules_type: Any, kernel: Any) -> None:
    """Note that machine code for rules of a Numba type is made of a kernel too, and of what lies beside it."""
    path = pathlib.Path(inspect.getfile(getattr(kernel, "py_func", kernel)))
    if not package_subfolder(str(path)):
        _third_party_folders.setdefault(rules_type, set()).add(path.parent if path.is_file() else path)


def fingerprints_outside(kinds: Iterable[Any]) -> list[str]:
    """Return the fingerprints of the folders outside the package that have kernels for any of these Numba types."""
    folders = {folder for kind in kinds for folder in _third_party_folders.get(kind, ())}
    return [_digest(folder) for folder in sorted(folders)]


@functools.cache
def _digest(folder: pathlib.Path) -> str:
    """Return a hash of the source files of a folder, as they are at the first call. What is no folder, as the cell of a
    notebook, gets a hash that no other process has.
    """
    if not folder.is_dir():
        return os.urandom(16).hex()
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()
