"""Fingerprints (hashes) of the source files from which kernels are compiled, for the compile cache.

The cache folder is named after the contents of all kernel sources of the package. Kernels of the package may also
contain kernels of games outside the package; these are identified by a hash of the folder with their source files.
"""

import functools
import hashlib
import inspect
import os
import pathlib
from collections.abc import Iterable
from typing import Any

import numba

from cardgames.kernels.numba_check import AVAILABLE

_PACKAGE = pathlib.Path(__file__).parent.parent
_KERNEL_FOLDERS = ("kernels", "core", "networks", "arena", "uno", "doudizhu", "search", "learners")
_CONSTANTS = "weights/*.safetensors"
"""Files, in a folder of kernels, with networks that kernels contain as constants; others are in subfolders of `weights`."""
_third_party_folders: dict[Any, set[pathlib.Path]] = {}
"""Numba type of rules -> folders outside the package with kernels for them."""


def fingerprint() -> str:
    """Return a hash of all kernel sources, networks in kernels, Numba's version and whether its internals are used.

    It has 16 hexadecimal digits.
    """
    digest = hashlib.sha256(numba.__version__.encode() if AVAILABLE else f"plain {numba.__version__}".encode())
    for folder in _KERNEL_FOLDERS:
        for path in sorted((_PACKAGE / folder).rglob("*.py")):
            digest.update(path.read_bytes())
        for path in sorted((_PACKAGE / folder).glob(_CONSTANTS)):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def package_subfolder(py_file: str) -> str:
    """Return the folder of a source file within the package, its parts joined by hyphens.

    Empty for a file that the hash of all kernel sources (`fingerprint`) does not cover.
    """
    path = pathlib.Path(py_file)
    folders = path.relative_to(_PACKAGE).parts[:-1] if path.is_relative_to(_PACKAGE) else ()
    return "-".join(folders) if folders and folders[0] in _KERNEL_FOLDERS else ""


def track_sources(rules_type: Any, kernel: Any) -> None:
    """Register that machine code for rules of the Numba type `rules_type` depends on the source folder of `kernel`.

    Does nothing for a kernel of the package, since `fingerprint` covers its source.
    """
    path = pathlib.Path(inspect.getfile(getattr(kernel, "py_func", kernel)))
    if not package_subfolder(str(path)):
        _third_party_folders.setdefault(rules_type, set()).add(path.parent if path.is_file() else path)


def fingerprints_outside(kinds: Iterable[Any]) -> list[str]:
    """Return the hash of each source folder outside the package with kernels for rules of one of these Numba types."""
    folders = {folder for kind in kinds for folder in _third_party_folders.get(kind, ())}
    return [_digest(folder) for folder in sorted(folders)]


@functools.cache
def _digest(folder: pathlib.Path) -> str:
    """Return a hash of the Python files in a folder, as they are at the first call in this process.

    If the path is not a folder, for example a notebook cell, the hash is random, so that other processes do not use code
    that was cached for it.
    """
    if not folder.is_dir():
        return os.urandom(16).hex()
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()
