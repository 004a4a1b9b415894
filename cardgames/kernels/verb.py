"""Verbs: functions whose code is chosen by the record type of their first argument, from Python and inside kernels."""

import functools
import inspect
from collections.abc import Callable
from typing import Any, Protocol, TypeVar, cast

import numba
import numpy as np
from numba.core import types
from numba.core.errors import TypingError
from numba.extending import overload

from cardgames.kernels.jit import njit
from cardgames.kernels.numba_internals import AVAILABLE
from cardgames.kernels.source_fingerprint import track_sources

if AVAILABLE:
    from numba.core.typing.templates import AbstractTemplate, infer_global

F = TypeVar("F", bound=Callable[..., Any])

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

    def kernel_within(rules_type: Any) -> Any:
        found = kernels.get(rules_type, default)
        return None if found is None else _checked(stub, found)

    (_register_typing if AVAILABLE else _register_overload)(call, kernel_within)
    public: Any = call
    public.register, public.kernel = register, kernel
    return cast(Verb, public)


def _register_typing(call: Callable[..., Any], kernel: Callable[[Any], Any]) -> None:
    """Have kernels that call `call` call the `kernel` for the Numba type of their first argument, None if there is none."""
    compiled = {}

    class Call(AbstractTemplate):
        key = call

        def generic(self, args: Any, kws: Any) -> Any:
            found = kernel(args[0])
            if found is None:
                return None
            dispatcher = types.Dispatcher(found)
            signature: Any = dispatcher.get_call_type(self.context, args, kws)
            compiled[signature.args] = dispatcher.get_overload(signature)
            return signature

        def get_impl_key(self, signature: Any) -> Any:
            return compiled[signature.args]

    infer_global(call, types.Function(Call))


def _register_overload(call: Callable[..., Any], kernel: Callable[[Any], Any]) -> None:
    """Do the same as `_register_typing` by Numba's public interface, which compiles one more function for each call."""

    @overload(call)
    def typed(rules, *args):  # type: ignore[no-untyped-def]
        found = kernel(rules)
        return None if found is None else lambda rules, *args: found(rules, *args)


def _checked(stub: Callable[..., Any], function: Callable[..., Any]) -> Any:
    """Return the kernel that kernels call. Raises `TypingError` if its parameters are not those of the verb's stub."""
    expected, actual = _parameters(stub), _parameters(function)
    if actual != expected:
        raise TypingError(f"the kernel for {stub.__name__} takes {actual}, not {expected}")
    return _kernel_of(function)


def _parameters(function: Callable[..., Any]) -> list[tuple[str, Any]]:
    return [
        (each.name, each.default)
        for each in inspect.signature(getattr(function, "py_func", function)).parameters.values()
    ]


@functools.cache
def _kernel_of(function: Any) -> Any:
    """Return a kernel of ours, made of what a game of others registered that is none."""
    ours = hasattr(function, "part" if AVAILABLE else "py_func")
    return function if ours else njit(getattr(function, "py_func", function))
