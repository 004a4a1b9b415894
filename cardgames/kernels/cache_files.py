"""The files in which Numba keeps the machine code of a kernel, by its internals: any fault in them costs a compilation."""

import os
from contextlib import suppress
from typing import Any

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, UserProvidedCacheLocator

from cardgames.kernels.compile_cache import FOLDER, warn_not_kept
from cardgames.kernels.source_fingerprint import fingerprints_outside, package_subfolder

_config: Any = numba.config


class _Locator(UserProvidedCacheLocator):
    """The place of a module's files. Those of kernel sources lie in a folder named after their contents already, so it does
    not matter where the package is installed, nor when.
    """

    def ensure_cache_path(self) -> None:
        """Make the folder. Numba would fall back to other folders if it could not be written."""
        with suppress(OSError):
            os.makedirs(self.get_cache_path(), exist_ok=True)

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        """Return the folder for the functions of a source file."""
        return package_subfolder(py_file) or str(super().get_suitable_cache_subpath(py_file))

    def get_source_stamp(self) -> object:
        """Return a stamp that differs after an edit that the cache folder's name does not show."""
        return "" if package_subfolder(self._py_file) else super().get_source_stamp()


class CacheFiles(CompileResultCacheImpl):
    """The form of a function's machine code on disk."""

    _locator_classes = [_Locator, *CompileResultCacheImpl._locator_classes]


class KernelCache(FunctionCache):
    """The files of one function."""

    _impl_class = CacheFiles

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the machine code for a signature; None, which has it compiled and written anew, if there is none or it
        cannot be read.
        """
        try:
            found = super().load_overload(sig, target_context)
        except Exception:  # half a pickle can raise anything
            with suppress(OSError):
                self.flush()
            return None
        # an index that was lost, or written by two processes at once, may name a file of another signature
        return found if found is not None and tuple(found.signature.args) == _arguments(sig) else None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the machine code for a signature, if that can be."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            warn_not_kept(error)
            self.disable()

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        """Return the key of machine code: with the sources of games outside the package where it depends on them."""
        return (super()._index_key(sig, codegen), *fingerprints_outside(_arguments(sig)))


def _arguments(sig: Any) -> tuple[Any, ...]:
    return tuple(getattr(sig, "args", sig))


def cache_on_disk(dispatcher: Any, files: type[KernelCache], stamped_as: Any = None) -> None:
    """Let what is compiled of a function be kept in the cache folder.

    Args:
        dispatcher: The function, compiled by `numba.njit`.
        files: The class of its files.
        stamped_as: A dispatcher of the same function, kept before, whose source stamp this one shares.
    """
    before = _config.CACHE_DIR
    _config.CACHE_DIR = str(FOLDER)
    try:
        dispatcher._cache = files(dispatcher.py_func)
    finally:
        _config.CACHE_DIR = before
    if stamped_as is not None:
        dispatcher._cache._cache_file._source_stamp = stamped_as._cache._cache_file._source_stamp
