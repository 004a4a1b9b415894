"""Files of the compile cache, one index and several code files for each kernel; a damaged one is compiled again.

Subclasses of Numba's cache classes, which are internals of Numba (`numba_internals`).
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
    """Locator of the cache files of a module.

    The folder of the cache is named after the contents of all kernel sources. So for these the location depends neither
    on the place nor on the time of the installation.
    """

    def ensure_cache_path(self) -> None:
        """Create the folder. A read-only folder is no error here, else Numba would fall back to other folders."""
        with suppress(OSError):
            os.makedirs(self.get_cache_path(), exist_ok=True)

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        """Return the folder for the functions of a source file, relative to the cache folder."""
        return package_subfolder(py_file) or str(super().get_suitable_cache_subpath(py_file))

    def get_source_stamp(self) -> object:
        """Return a stamp that changes with the source file; constant for sources that the cache folder is named after."""
        return "" if package_subfolder(self._py_file) else super().get_source_stamp()


class CacheFiles(CompileResultCacheImpl):
    """Serialization of the machine code of a function."""

    _locator_classes = [_Locator, *CompileResultCacheImpl._locator_classes]


class KernelCache(FunctionCache):
    """Cache files of one function."""

    _impl_class = CacheFiles

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the machine code for a signature.

        None if there is none or it cannot be read; Numba then compiles and writes it again.
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
        """Write the machine code for a signature; if that fails, warn and go on without the cache."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            warn_not_cached(error)
            self.disable()

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        """Return the key of machine code, with the fingerprints of games outside the package that it depends on."""
        return (super()._index_key(sig, codegen), *fingerprints_outside(_arguments(sig)))


def _arguments(sig: Any) -> tuple[Any, ...]:
    return tuple(getattr(sig, "args", sig))


def cache_on_disk(dispatcher: Any, files: type[KernelCache], stamped_as: Any = None) -> None:
    """Enable the compile cache for a function.

    Args:
        dispatcher: Result of `numba.njit`.
        files: Class of its cache files.
        stamped_as: Another dispatcher of the same function that is cached already; its source stamp is reused.
    """
    before = _config.CACHE_DIR
    _config.CACHE_DIR = str(FOLDER)
    try:
        dispatcher._cache = files(dispatcher.py_func)
    finally:
        _config.CACHE_DIR = before
    if stamped_as is not None:
        dispatcher._cache._cache_file._source_stamp = stamped_as._cache._cache_file._source_stamp
