"""Where machine code is kept between processes, and what becomes of files there that are damaged or cannot be written.

Plain `cache=True` goes on running old machine code after an edit in *another* file that a kernel calls.
So the cache lives in a folder named after the contents of all kernel sources.
"""

import functools
import hashlib
import inspect
import multiprocessing
import os
import pathlib
import shutil
import time
import warnings
from contextlib import suppress
from typing import Any

import numba
import platformdirs
from numba.core.caching import CompileResultCacheImpl, FunctionCache, UserProvidedCacheLocator

_config: Any = numba.config
_PACKAGE = pathlib.Path(__file__).parent.parent
_UNUSED_SECONDS = 60 * 24 * 3600
"""Seconds after which machine code that no process has asked for may go, when that of a new version comes."""
_KERNEL_FOLDERS = ("kernels", "core", "networks", "arena", "uno", "doudizhu", "search", "learners")


def fingerprint() -> str:
    """Return a short hash of every source file that kernels are compiled from, and of what compiles them."""
    digest = hashlib.sha256(numba.__version__.encode())
    for folder in _KERNEL_FOLDERS:
        for path in sorted((_PACKAGE / folder).rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder() -> pathlib.Path:
    """Return the folder of this version's machine code: `$CARDGAMES_CACHE_DIR`, else the user's cache folder."""
    named = os.environ.get("CARDGAMES_CACHE_DIR")
    try:
        root = pathlib.Path(named or platformdirs.user_cache_path("cardgames")).expanduser()
    except RuntimeError:  # the user has no home
        root = pathlib.Path(named or "~/.cache/cardgames")
    return root / f"kernels-{fingerprint()}"


# Numba resets what Python knows of warnings that were given already
@functools.cache
def _warn(words: str) -> None:
    """Warn once, in the process that a person started."""
    if multiprocessing.parent_process() is None:
        warnings.warn(words, stacklevel=2)


def _remove_unused(root: pathlib.Path) -> None:
    """Remove the machine code of other versions that nobody has used for long."""
    for folder in root.glob("kernels-*"):
        with suppress(OSError):
            if time.time() - folder.stat().st_mtime > _UNUSED_SECONDS:
                shutil.rmtree(folder)


def _usable(folder: pathlib.Path) -> bool:
    reason = _cache_problem(folder)
    if reason:
        _warn(
            f"every start compiles anew, as nothing can be kept in {folder} ({reason}): name another in "
            "CARDGAMES_CACHE_DIR"
        )
    return not reason


def _cache_problem(folder: pathlib.Path) -> str:
    """Make the folder if it is not there, and return why it is of no use; nothing if it is."""
    if folder.parts[0].startswith("~"):
        return "there is no home folder"
    try:
        if not folder.exists():
            _remove_unused(folder.parent)
        folder.mkdir(parents=True, exist_ok=True)
        with suppress(OSError):  # another's, or on a disk that is only read: what is there is used all the same
            os.utime(folder)
    except OSError as error:
        return error.strerror or str(error)
    return "" if os.access(folder, os.R_OK | os.X_OK) else "it cannot be read"


JIT_ENABLED = not _config.DISABLE_JIT
"""Whether kernels are compiled at all, and not run as plain Python."""
_FOLDER = cache_folder()
CACHE_READABLE = _usable(_FOLDER)
"""Whether there is a cache folder, from which machine code is read."""
CACHE_WRITABLE = CACHE_READABLE and os.access(_FOLDER, os.W_OK)
"""Whether what is compiled can be kept there for other processes."""


def is_marked_compiled(what: str) -> bool:
    """Return whether it was noted that `what` is compiled here, from just these sources; `NUMBA_DISABLE_JIT` compiles
    nothing.
    """
    return not JIT_ENABLED or (CACHE_READABLE and _marker_file(what).exists())


@functools.cache
def mark_compiled(what: str) -> None:
    """Note that `what` is compiled and kept here, if that can be."""
    if CACHE_READABLE and JIT_ENABLED:
        with suppress(OSError):
            _marker_file(what).touch()


def _marker_file(what: str) -> pathlib.Path:
    return _FOLDER / f"{hashlib.sha256(what.encode()).hexdigest()[:16]}.compiled"


class _Locator(UserProvidedCacheLocator):
    """Where the files of a module lie. Those of kernel sources are in a folder named after their contents already, so that
    it does not matter where the package is installed, nor when.
    """

    def ensure_cache_path(self) -> None:
        """Make the folder; whether it can be, and can be written, shows when something is to be kept."""
        with suppress(OSError):
            os.makedirs(self.get_cache_path(), exist_ok=True)

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        """Return the folder for the functions of a source file."""
        return _package_subfolder(py_file) or str(super().get_suitable_cache_subpath(py_file))

    def get_source_stamp(self) -> object:
        """Return what tells that the source is another."""
        return "" if _package_subfolder(self._py_file) else super().get_source_stamp()


def _package_subfolder(py_file: str) -> str:
    """Return a name for the folder of a source file that `fingerprint` knows, empty for another's."""
    path = pathlib.Path(py_file)
    folders = path.relative_to(_PACKAGE).parts[:-1] if path.is_relative_to(_PACKAGE) else ()
    return "-".join(folders) if folders and folders[0] in _KERNEL_FOLDERS else ""


_third_party_folders: dict[Any, set[pathlib.Path]] = {}
"""Numba type of rules -> the folders with the kernels of games of others for them, of which `fingerprint` knows nothing."""


def track_sources(rules_type: Any, kernel: Any) -> None:
    """Note that machine code for rules of a Numba type is made of a kernel too, and of what lies beside it."""
    path = pathlib.Path(inspect.getfile(getattr(kernel, "py_func", kernel)))
    if not _package_subfolder(str(path)):
        _third_party_folders.setdefault(rules_type, set()).add(path.parent if path.is_file() else path)


@functools.cache
def _digest(folder: pathlib.Path) -> str:
    """Return a hash of the source files of a folder, as they are when it is asked for first; of what is none, as a cell of a
    notebook, something that no other process comes to.
    """
    if not folder.is_dir():
        return os.urandom(16).hex()
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _arguments(sig: Any) -> tuple[Any, ...]:
    return tuple(getattr(sig, "args", sig))


class CacheFiles(CompileResultCacheImpl):
    """How the machine code of a function is kept on disk."""

    _locator_classes = [_Locator, *CompileResultCacheImpl._locator_classes]


class KernelCache(FunctionCache):
    """The files of one function. What is wrong with them costs a compilation, and no more."""

    _impl_class = CacheFiles

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the machine code for a signature; None if there is none, or none that can be read."""
        try:
            found = super().load_overload(sig, target_context)
        except OSError as error:
            self._disable(error)
            return None
        except Exception:  # half a pickle can raise anything
            _warn(f"compiled anew what was damaged in {_FOLDER}")
            self._reset_index()
            return None
        # an index that was lost, or written by two processes at once, may name a file of another signature
        fits = found is not None and tuple(found.signature.args) == _arguments(sig)
        return found if fits else None

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        """Return what machine code is found by: the sources of games of others too, where it is of one."""
        folders = {folder for kind in _arguments(sig) for folder in _third_party_folders.get(kind, ())}
        return (super()._index_key(sig, codegen), *(_digest(folder) for folder in sorted(folders)))

    def _reset_index(self) -> None:
        """Empty the index if it is what cannot be read; a file of machine code is simply written again."""
        try:
            self._cache_file._load_index()
        except Exception:
            try:
                self.flush()
            except OSError as error:
                self._disable(error)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the machine code for a signature, if that can be."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            self._disable(error)

    def _disable(self, error: OSError) -> None:
        _warn(
            f"some machine code is compiled anew at every start, as it cannot be kept in {_FOLDER} "
            f"({error.strerror or error}): name another folder in CARDGAMES_CACHE_DIR"
        )
        self.disable()


def cache_on_disk(dispatcher: Any, files: type[KernelCache], stamped_as: Any = None) -> None:
    """Let what is compiled of a function be kept, if that can be: under the source as it is, or as it was for the dispatcher
    `stamped_as`, kept before.
    """
    if not CACHE_READABLE:
        return
    before = _config.CACHE_DIR
    _config.CACHE_DIR = str(_FOLDER)
    try:
        dispatcher._cache = files(dispatcher.py_func)
    finally:
        _config.CACHE_DIR = before
    if stamped_as is not None:
        dispatcher._cache._cache_file._source_stamp = stamped_as._cache._cache_file._source_stamp
