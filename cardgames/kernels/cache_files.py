"""`KernelCache`: reads and writes the files of the compile cache, an index and machine-code files for each kernel.

A kernel with a damaged file is compiled again. The classes are subclasses of Numba's cache classes, which are internals
of Numba (`numba_check`).
"""

import os
from contextlib import suppress
from typing import Any

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, UserProvidedCacheLocator

from cardgames.kernels.compile_cache import FOLDER, warn_not_cached
from cardgames.kernels.source_fingerprint import fingerprints_outside, package_subfolder

_config: Any = numba.config


class _Locator(UserProvidedCacheLocator):
    """Numba locator: says in which folder the machine code of a source file is cached, and when it is out of date.

    The cache folder is named after a hash of all kernel sources of this package. So the location does not depend on where
    or when the package was installed.
    """

    def ensure_cache_path(self) -> None:
        """Create the cache folder of the source file.

        A failure is ignored, else Numba would use other folders instead of a read-only one.
        """
        with suppress(OSError):
            os.makedirs(self.get_cache_path(), exist_ok=True)

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        """Return the folder in which the functions of a source file are cached, relative to the cache folder."""
        return package_subfolder(py_file) or str(super().get_suitable_cache_subpath(py_file))

    def get_source_stamp(self) -> object:
        """Return a value whose change tells Numba that cached code is out of date: time and size of the source file.

        It is constant for the kernel sources of this package, whose contents give the cache folder its name.
        """
        return "" if package_subfolder(self._py_file) else super().get_source_stamp()


class CacheFiles(CompileResultCacheImpl):
    """Numba's file format for the machine code of a function, in the folders that `_Locator` chooses."""

    _locator_classes = [_Locator, *CompileResultCacheImpl._locator_classes]


class KernelCache(FunctionCache):
    """Compile cache of one function: loads and saves its machine code for each signature."""

    _impl_class = CacheFiles

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the cached machine code of the function for the argument types `sig`.

        None if there is none or its file is damaged; Numba then compiles the function and writes the file again.
        """
        try:
            loaded = super().load_overload(sig, target_context)
        except Exception:  # a truncated pickle can raise anything
            with suppress(OSError):
                self.flush()
            return None
        # after an index was lost, or written by two processes at once, it may point to the file of another signature
        return loaded if loaded is not None and tuple(loaded.signature.args) == _arguments(sig) else None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Write the machine code of the function for the argument types `sig`; if that fails, warn and disable its cache."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            warn_not_cached(error)
            self.disable()

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        """Return the key under which the machine code for the argument types `sig` is cached.

        It is Numba's key, and hashes of the source folders of games outside the package whose kernels the code contains.
        """
        return (super()._index_key(sig, codegen), *fingerprints_outside(_arguments(sig)))


def _arguments(sig: Any) -> tuple[Any, ...]:
    return tuple(getattr(sig, "args", sig))


def cache_on_disk(dispatcher: Any, files: type[KernelCache], stamped_as: Any = None) -> None:
    """Enable the compile cache on disk for a function that `numba.njit` returned.

    Args:
        dispatcher: Result of `numba.njit`.
        files: Cache class: `KernelCache`, or a subclass for another file format.
        stamped_as: Dispatcher of the same Python function whose cache is enabled already; its source stamp is reused.
    """
    before = _config.CACHE_DIR
    _config.CACHE_DIR = str(FOLDER)
    try:
        dispatcher._cache = files(dispatcher.py_func)
    finally:
        _config.CACHE_DIR = before
    if stamped_as is not None:
        dispatcher._cache._cache_file._source_stamp = stamped_as._cache._cache_file._source_stamp
