"""Kernels: functions compiled by Numba, whose machine code is kept until a kernel source changes."""

import functools
import warnings
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
from numba.core import types
from numba.core.errors import NumbaExperimentalFeatureWarning

from cardgames.kernels.compile_cache import FOLDER, JIT_ENABLED
from cardgames.kernels.numba_internals import AVAILABLE, WARNING
from cardgames.kernels.warn_once import warn_once

if FOLDER is not None:
    from cardgames.kernels.cache_files import KernelCache, cache_on_disk
if AVAILABLE:
    from cardgames.kernels.link_inlining import EntryCompiler, InlinedCache, InlinedCompiler
elif JIT_ENABLED:
    warn_once(WARNING)

F = TypeVar("F", bound=Callable[..., Any])
_OPTIONS: Any = {"nogil": True, "error_model": "numpy"}

# said where Numba compares overloads for tables and for streams, of which it then takes the exact one
warnings.filterwarnings("ignore", r".*Record\(.* has been considered a subtype", NumbaExperimentalFeatureWarning)


def njit(function: F) -> F:
    """Compile `function` without the GIL, keeping the machine code under the fingerprint of all kernel sources.

    Kernels that call it compile it as a part of theirs (`link_inlining`), or as Numba does if its internals differ
    (`numba_internals`).
    """
    options: Any = _OPTIONS | {"pipeline_class": EntryCompiler} if AVAILABLE else _OPTIONS
    whole: Any = numba.njit(function, **options)
    if whole is function:  # NUMBA_DISABLE_JIT
        return function
    if FOLDER is not None:
        cache_on_disk(whole, KernelCache)
    if AVAILABLE:
        _compile_as_part(whole)
    return cast(F, whole)


def _compile_as_part(whole: Any) -> None:
    """Have kernels that call `whole` compile it as a part of theirs."""

    @functools.cache
    def part() -> Any:
        made: Any = numba.njit(whole.py_func, **_OPTIONS, pipeline_class=InlinedCompiler)
        if FOLDER is not None:
            cache_on_disk(made, InlinedCache, stamped_as=whole)
        # by this Numba knows that a kernel calls itself
        made._compiling_counter = whole._compiling_counter
        return made

    # what kernels ask for that call it, which most starts do not compile
    whole.get_call_template = lambda args, kws: part().get_call_template(*_widened(args, kws))
    whole.fold_argument_types = lambda args, kws: part().fold_argument_types(*_widened(args, kws))
    whole.get_overload = lambda signature: part().get_overload(signature)
    whole.part = part


def _widened(args: Any, kws: Any) -> tuple[list[types.Type], dict[str, types.Type]]:
    """Return the types for which a part is compiled to which a kernel passes these: Numba would compile it anew for every
    number that is written out, and for signed integers of every width. What is narrower for Python is int64 in parts.
    """

    def wide(kind: types.Type) -> types.Type:
        return types.int64 if types.unliteral(kind) in types.signed_domain else kind

    return [wide(kind) for kind in args], {name: wide(kind) for name, kind in kws.items()}
