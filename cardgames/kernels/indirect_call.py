"""Kernels called by their address.

What a kernel calls is compiled before it. A long kernel which the verb `policy` seldom needs would make everything that
plays wait for it. A far kernel is compiled by itself when it is first called; its address lies where a symbol of the linker
says, so that callers can be kept on disk.
"""

import ctypes
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, overload

from cardgames.kernels.numba_internals import AVAILABLE

if AVAILABLE:
    from llvmlite.binding import add_symbol


class CompilationFailed(Exception):
    """A far kernel could not be compiled for another that called it; a warning says why."""


class CompilationInterrupted(KeyboardInterrupt, Exception):
    """Ctrl-C while a far kernel was compiled for another that called it (kernels can raise nothing but an `Exception`)."""


@intrinsic
def _call(typingctx: Any, address: Any, arguments: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kinds = [context.get_value_type(kind) for kind in arguments]
        function = builder.inttoptr(args[0], ir.FunctionType(ir.IntType(64), kinds).as_pointer())
        return builder.call(function, cgutils.unpack_tuple(builder, args[1]))

    return types.int64(address, arguments), codegen


def _symbol_reader(symbol: str) -> Any:
    """Return what reads, inside kernels, the number that lies at `symbol`."""

    @intrinsic
    def read(typingctx: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            found = builder.module.globals.get(symbol)
            return builder.load(found or ir.GlobalVariable(builder.module, ir.IntType(64), symbol))

        return types.int64(), codegen

    return read


def _compiled_address(kernel: Any, arguments: tuple[Any, ...]) -> int:
    """Return where the machine code of a kernel for these Numba types lies, compiled now or read from disk."""
    kernel.compile(arguments)
    made = kernel.overloads[arguments]
    return int(made.library.get_pointer_to_function(made.fndesc.llvm_cfunc_wrapper_name))


def indirect_call(*arguments: Any) -> Callable[[Any], Callable[..., int]]:
    """Return a decorator that makes a far kernel of a kernel which takes these Numba types and returns an int64.

    It must not raise. From Python it is called like any other; so it is by kernels if Numba's internals differ
    (`numba_internals`), which compile it into them.
    """

    def make(kernel: Any) -> Callable[..., int]:
        def call(*given: Any) -> int:
            return int(kernel(*given))

        public: Any = call
        public.__doc__ = kernel.__doc__
        if AVAILABLE:
            # the linker's symbols last as long as the function does
            run, public.keep_alive = _by_address(kernel, arguments)
        else:
            run = _directly(kernel)

        @overload(call)
        def _typed(*given):
            # a kernel's constant array is read-only, and otherwise the same
            expected = tuple(kind.copy(readonly=False) if isinstance(kind, types.Array) else kind for kind in given)
            return run if expected == arguments else None

        return call

    return make


def _by_address(kernel: Any, arguments: tuple[Any, ...]) -> tuple[Callable[..., int], Any]:
    """Return what calls `kernel` by its address inside kernels, and the memory that this needs."""
    symbol, finder = f"{kernel.__module__}.{kernel.__name__}", f"{kernel.__module__}.{kernel.__name__}.find"
    slots = np.zeros(2, np.int64)  # the address, and 1 if there can be none

    # what fails here leaves the slots empty; nobody looks at an answer, as that of a callback that raised is undefined
    @ctypes.CFUNCTYPE(None)
    def compile_into_slot() -> None:
        slots[1] = 0
        try:
            slots[0] = _compiled_address(kernel, arguments)
        except KeyboardInterrupt:
            pass
        except BaseException as error:
            slots[1] = 1
            warnings.warn(f"{symbol} could not be compiled: {error}", stacklevel=1)

    add_symbol(symbol, slots.ctypes.data)
    add_symbol(f"{symbol}.failed", slots.ctypes.data + slots.itemsize)
    add_symbol(finder, ctypes.cast(compile_into_slot, ctypes.c_void_p).value)
    read, failed, compile_callee = (
        _symbol_reader(symbol),
        _symbol_reader(f"{symbol}.failed"),
        types.ExternalFunction(finder, types.void()),
    )

    def run(*given):
        address = read()
        if address == 0:
            compile_callee()
            address = read()
            if address == 0 and failed() != 0:
                raise CompilationFailed
            if address == 0:
                raise CompilationInterrupted
        return _call(address, given)

    return run, (slots, compile_into_slot)


def _directly(kernel: Any) -> Callable[..., int]:
    """Return what calls `kernel` like any other inside kernels."""
    return lambda *given: types.int64(kernel(*given))
