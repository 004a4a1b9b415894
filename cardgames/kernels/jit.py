"""The one door to Numba: a safely cached `njit`, and verbs generic in the type of their first argument."""

import functools
import inspect
import warnings
from collections.abc import Callable
from typing import Any, Protocol, TypeVar, cast

import numba
import numpy as np
from numba.core import types
from numba.core.errors import NumbaExperimentalFeatureWarning, TypingError
from numba.core.typing.templates import AbstractTemplate, infer_global

from cardgames.kernels.compile_cache import KernelCache, cache_on_disk, track_sources
from cardgames.kernels.link_inlining import EntryCompiler, InlinedCache, InlinedCompiler

F = TypeVar("F", bound=Callable[..., Any])


# said where Numba compares overloads for tables and for streams, of which it then takes the exact one
warnings.filterwarnings("ignore", r".*Record\(.* has been considered a subtype", NumbaExperimentalFeatureWarning)


def njit(function: F) -> F:
    """Compile `function` without the GIL, keeping the machine code under the fingerprint of all kernel sources. Kernels that
    call it compile it as a part of theirs.
    """
    whole: Any = numba.njit(function, **_options(EntryCompiler))
    if whole is function:  # NUMBA_DISABLE_JIT
        return function
    cache_on_disk(whole, KernelCache)

    @functools.cache
    def part() -> Any:
        made: Any = numba.njit(function, **_options(InlinedCompiler))
        cache_on_disk(made, InlinedCache, stamped_as=whole)
        # by this Numba knows that a kernel calls itself
        made._compiling_counter = whole._compiling_counter
        return made

    # what kernels ask for that call it, which most starts do not compile
    whole.get_call_template = lambda args, kws: part().get_call_template(*_widened(args, kws))
    whole.fold_argument_types = lambda args, kws: part().fold_argument_types(*_widened(args, kws))
    whole.get_overload = lambda signature: part().get_overload(signature)
    whole.part = part
    return cast(F, whole)


def _widened(args: Any, kws: Any) -> tuple[list[types.Type], dict[str, types.Type]]:
    """Return the types for which a part is compiled to which a kernel passes these: Numba would compile it anew for every
    number that is written out, and for signed integers of every width. What is narrower for Python is int64 in parts.
    """

    def wide(kind: types.Type) -> types.Type:
        return types.int64 if types.unliteral(kind) in types.signed_domain else kind

    return [wide(kind) for kind in args], {name: wide(kind) for name, kind in kws.items()}


def _options(passes: type[EntryCompiler]) -> Any:
    return {"nogil": True, "error_model": "numpy", "pipeline_class": passes}


# of a scalar of `np.record`, as games of others may have, attributes take a slow path through Python
_dtype_of = np.generic.dtype.__get__


class Verb(Protocol):
    """A function whose code is chosen by the record type of its first argument, from Python and inside kernels alike."""

    def __call__(self, rules: Any, *args: Any) -> Any:
        """Run the kernel of the game `rules` belong to. Raises `TypeError` for rules of a type nobody registered."""

    def register(self, rules_type: np.dtype[Any]) -> Callable[[F], F]:
        """Return a decorator that makes its kernel this verb's code for rules of the dtype `rules_type`. It raises
        `TypeError` if another module's is that already: kernels tell games apart by the layout of their rules.
        """

    def kernel(self, rules_type: Any) -> Callable[..., Any]:
        """Return the compiled function registered for rules of the dtype, or Numba type, `rules_type`."""


def verb_with_default(default: Callable[..., Any]) -> Callable[[Callable[..., Any]], Verb]:
    """Return a decorator like `verb` for one that games may leave to the kernel `default`."""
    return functools.partial(verb, default=default)


def verb(stub: Callable[..., Any], default: Callable[..., Any] | None = None) -> Verb:
    """Turn the stub of a game's verb (its docstring and signature) into a `Verb`."""
    kernels: dict[Any, Callable[..., Any]] = {}

    def kernel(rules_type: Any) -> Callable[..., Any]:
        found = kernels.get(rules_type, default)
        if found is None:
            raise TypeError(f"{stub.__name__} is not defined for rules of type {rules_type}")
        return found

    def register(rules_type: np.dtype[Any]) -> Callable[[F], F]:
        def add(function: F) -> F:
            before = kernels.get(rules_type)
            if before is not None and before.__module__ != function.__module__:
                raise TypeError(
                    f"{stub.__name__} is that of {before.__module__} for rules of this layout: give a field of them the "
                    f"name of the game in {function.__module__}"
                )
            kind = numba.from_dtype(rules_type)
            track_sources(kind, function)
            kernels[rules_type] = kernels[kind] = function
            return function

        return add

    # Numba knows a verb by a plain function; Python callers use the same one
    @functools.wraps(stub)
    def call(rules: Any, *args: Any) -> Any:
        return kernel(_dtype_of(rules))(rules, *args)

    _register_typing(call, stub, lambda rules_type: kernels.get(rules_type, default))
    public: Any = call
    public.register, public.kernel = register, kernel
    return cast(Verb, public)


def _register_typing(call: Callable[..., Any], stub: Callable[..., Any], kernel: Callable[[Any], Any]) -> None:
    """Have kernels that call `call` call the `kernel` for the Numba type of their first argument, None if there is none."""
    expected, compiled = _parameters(stub), {}

    class Call(AbstractTemplate):
        key = call

        def generic(self, args: Any, kws: Any) -> Any:
            found = kernel(args[0])
            if found is None:
                return None
            if _parameters(found) != expected:
                raise TypingError(f"the kernel for {stub.__name__} takes {_parameters(found)}, not {expected}")
            dispatcher = types.Dispatcher(_kernel_of(found))
            signature: Any = dispatcher.get_call_type(self.context, args, kws)
            compiled[signature.args] = dispatcher.get_overload(signature)
            return signature

        def get_impl_key(self, signature: Any) -> Any:
            return compiled[signature.args]

    infer_global(call, types.Function(Call))


def _parameters(function: Callable[..., Any]) -> list[tuple[str, Any]]:
    return [
        (each.name, each.default)
        for each in inspect.signature(getattr(function, "py_func", function)).parameters.values()
    ]


@functools.cache
def _kernel_of(function: Any) -> Any:
    """Return a kernel of ours, made of what a game of others registered that is none."""
    return function if hasattr(function, "part") else njit(getattr(function, "py_func", function))
