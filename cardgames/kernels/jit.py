"""`njit`, the decorator that compiles a function to a kernel with Numba and caches its machine code on disk."""

import functools
import warnings
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
from numba.core import types
from numba.core.errors import NumbaExperimentalFeatureWarning

from cardgames.kernels.compile_cache import FOLDER, JIT_ENABLED
from cardgames.kernels.numba_check import AVAILABLE, WARNING
from cardgames.kernels.warn_once import warn_once

if FOLDER is not None:
    from cardgames.kernels.cache_files import KernelCache, cache_on_disk
if AVAILABLE:
    from cardgames.kernels.link_inlining import EntryCompiler, InlinedCache, InlinedCompiler
elif JIT_ENABLED:
    warn_once(WARNING)

F = TypeVar("F", bound=Callable[..., Any])
_OPTIONS: Any = {"nogil": True, "error_model": "numpy"}

# Numba warns when it compares overloads for table and stream records; it then takes the exact match anyway
warnings.filterwarnings("ignore", r".*Record\(.* has been considered a subtype", NumbaExperimentalFeatureWarning)


def njit(function: F) -> F:
    """Compile a function with Numba, to run without the GIL; cache the machine code until a kernel source changes.

    If another kernel calls the function, it is linked into that kernel (`link_inlining`), or compiled as Numba usually
    does if Numba's internals differ (`numba_check`). With `NUMBA_DISABLE_JIT` the function itself is returned.
    """
    options: Any = _OPTIONS | {"pipeline_class": EntryCompiler} if AVAILABLE else _OPTIONS
    entry: Any = numba.njit(function, **options)
    if entry is function:  # NUMBA_DISABLE_JIT
        return function
    if FOLDER is not None:
        cache_on_disk(entry, KernelCache)
    if AVAILABLE:
        _compile_as_inlined(entry)
    return cast(F, entry)


def _compile_as_inlined(entry: Any) -> None:
    """Make Numba use another version of the kernel `entry` in kernels that call it: LLVM bitcode, compiled on demand."""

    @functools.cache
    def inlined() -> Any:
        kernel: Any = numba.njit(entry.py_func, **_OPTIONS, pipeline_class=InlinedCompiler)
        if FOLDER is not None:
            cache_on_disk(kernel, InlinedCache, stamped_as=entry)
        # Numba detects recursion by this counter
        kernel._compiling_counter = entry._compiling_counter
        return kernel

    # Numba calls these methods when it compiles a caller
    entry.get_call_template = lambda args, kws: inlined().get_call_template(*_widened(args, kws))
    entry.fold_argument_types = lambda args, kws: inlined().fold_argument_types(*_widened(args, kws))
    entry.get_overload = lambda signature: inlined().get_overload(signature)
    entry.inlined = inlined


def _widened(args: Any, kws: Any) -> tuple[list[types.Type], dict[str, types.Type]]:
    """Return the types for which an inlined kernel is compiled if a caller passes arguments of these types.

    All signed integers become int64. Numba would compile another version for every literal and every width.
    """

    def wide(kind: types.Type) -> types.Type:
        return types.int64 if types.unliteral(kind) in types.signed_domain else kind

    return [wide(kind) for kind in args], {name: wide(kind) for name, kind in kws.items()}
