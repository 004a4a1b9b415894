"""Verbs: functions that dispatch on the dtype of their first argument, the rules, from Python and inside kernels.

`core.ops` lists the verbs. Each game registers a kernel for its rules.
"""

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
from cardgames.kernels.numba_check import AVAILABLE
from cardgames.kernels.source_fingerprint import track_sources

if AVAILABLE:
    from numba.core.typing.templates import AbstractTemplate, infer_global

F = TypeVar("F", bound=Callable[..., Any])

# attributes of an `np.record`, which games of other packages may use, are slow
_dtype_of = np.generic.dtype.__get__


class Verb(Protocol):
    """A function that calls the kernel registered for the dtype of its first argument, `rules`."""

    def __call__(self, rules: Any, *args: Any) -> Any:
        """Run the kernel of the game that `rules` belong to. Raises `TypeError` if none is registered."""

    def register(self, rules_type: np.dtype[Any]) -> Callable[[F], F]:
        """Return a decorator that registers a kernel for rules of the dtype `rules_type`.

        The decorator raises `TypeError` if a kernel of another module is registered already: kernels distinguish games
        by the layout of their rules alone.
        """

    def kernel(self, rules_type: Any) -> Callable[..., Any]:
        """Return the kernel that this verb runs for rules of a dtype (or its Numba type).

        Raises `TypeError` if none is registered.
        """


def verb_with_default(default: Callable[..., Any]) -> Callable[[Callable[..., Any]], Verb]:
    """Return a decorator that makes a verb which games need not implement: without a kernel of the game, `default` runs."""
    return functools.partial(verb, default=default)


def verb(stub: Callable[..., Any], default: Callable[..., Any] | None = None) -> Verb:
    """Make a verb, a function that calls the kernel registered for the dtype of its first argument, the rules.

    Args:
        stub: Function with the name, parameters and docstring of the verb, without a body.
        default: Kernel for games that register none, None if every game must register one.
    """
    kernels: dict[Any, Callable[..., Any]] = {}

    def kernel(rules_type: Any) -> Callable[..., Any]:
        registered = kernels.get(rules_type, default)
        if registered is None:
            raise TypeError(f"no kernel of the verb {stub.__name__} is registered for rules of type {rules_type}")
        return registered

    def register(rules_type: np.dtype[Any]) -> Callable[[F], F]:
        def add(function: F) -> F:
            before = kernels.get(rules_type)
            if before is not None and before.__module__ != function.__module__:
                raise TypeError(
                    f"{before.__module__} has registered the verb {stub.__name__} for rules with the same fields: rename "
                    f"a field of the rules in {function.__module__}, for example to the name of the game"
                )
            kind = numba.from_dtype(rules_type)
            track_sources(kind, function)
            kernels[rules_type] = kernels[kind] = function
            return function

        return add

    # Numba identifies a verb by this plain function, which Python calls too
    @functools.wraps(stub)
    def call(rules: Any, *args: Any) -> Any:
        return kernel(_dtype_of(rules))(rules, *args)

    def kernel_within(rules_type: Any) -> Any:
        registered = kernels.get(rules_type, default)
        return None if registered is None else _checked(stub, registered)

    (_register_typing if AVAILABLE else _register_overload)(call, kernel_within)
    public: Any = call
    public.register, public.kernel = register, kernel
    return cast(Verb, public)


def _register_typing(call: Callable[..., Any], kernel: Callable[[Any], Any]) -> None:
    """Make Numba compile a call of the verb `call` in a kernel as a call of the kernel `kernel(type of the rules)`.

    If `kernel` returns None, the call is a typing error. Uses Numba's internals.
    """
    compiled = {}

    class Call(AbstractTemplate):
        key = call

        def generic(self, args: Any, kws: Any) -> Any:
            target = kernel(args[0])
            if target is None:
                return None
            dispatcher = types.Dispatcher(target)
            signature: Any = dispatcher.get_call_type(self.context, args, kws)
            compiled[signature.args] = dispatcher.get_overload(signature)
            return signature

        def get_impl_key(self, signature: Any) -> Any:
            return compiled[signature.args]

    infer_global(call, types.Function(Call))


def _register_overload(call: Callable[..., Any], kernel: Callable[[Any], Any]) -> None:
    """Make Numba compile a call of the verb `call` in a kernel by `overload`, its public interface.

    The call becomes one of the kernel `kernel(type of the rules)` and takes one more function to compile than with
    `_register_typing`.
    """

    @overload(call)
    def typed(rules, *args):  # type: ignore[no-untyped-def]
        target = kernel(rules)
        return None if target is None else lambda rules, *args: target(rules, *args)


def _checked(stub: Callable[..., Any], function: Callable[..., Any]) -> Any:
    """Return `function` as a kernel. Raises `TypingError` if its parameters differ from those of the verb `stub`."""
    expected, actual = _parameters(stub), _parameters(function)
    if actual != expected:
        raise TypingError(f"the kernel of the verb {stub.__name__} has the parameters {actual}, not {expected}")
    return _kernel_of(function)


def _parameters(function: Callable[..., Any]) -> list[tuple[str, Any]]:
    return [
        (parameter.name, parameter.default)
        for parameter in inspect.signature(getattr(function, "py_func", function)).parameters.values()
    ]


@functools.cache
def _kernel_of(function: Any) -> Any:
    """Return `function` compiled by `kernels.jit.njit`, or itself if it is already; games may register plain functions."""
    is_kernel = hasattr(function, "inlined" if AVAILABLE else "py_func")
    return function if is_kernel else njit(getattr(function, "py_func", function))
