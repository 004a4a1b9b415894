"""Indirect calls: kernels that are compiled separately, at their first call, and called by their address.

Numba compiles everything that a kernel calls before the kernel itself. So a long kernel that the verb `policy` rarely
needs would delay everything that plays. With an indirect call the callee is compiled when it is first called. Its
address is stored behind a linker symbol, not in the caller's code, so that the machine code of callers can be cached on
disk.
"""

import ctypes
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, overload

from cardgames.kernels.numba_check import AVAILABLE

if AVAILABLE:
    from llvmlite.binding import add_symbol


class CompilationFailed(Exception):
    """An indirectly called kernel could not be compiled. A warning says why."""


class CompilationInterrupted(KeyboardInterrupt, Exception):
    """Ctrl-C interrupted the compilation of an indirectly called kernel.

    It is also an `Exception` because kernels can raise nothing else.
    """


@intrinsic
def _call(typingctx: Any, address: Any, arguments: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kinds = [context.get_value_type(kind) for kind in arguments]
        function = builder.inttoptr(args[0], ir.FunctionType(ir.IntType(64), kinds).as_pointer())
        return builder.call(function, cgutils.unpack_tuple(builder, args[1]))

    return types.int64(address, arguments), codegen


def _symbol_reader(symbol: str) -> Any:
    """Return an intrinsic that reads the int64 stored at a linker symbol."""

    @intrinsic
    def read(typingctx: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            variable = builder.module.globals.get(symbol)
            return builder.load(variable or ir.GlobalVariable(builder.module, ir.IntType(64), symbol))

        return types.int64(), codegen

    return read


def _compiled_address(kernel: Any, arguments: tuple[Any, ...]) -> int:
    """Return the address of the machine code of a kernel for these Numba types, compiled now or read from the cache."""
    kernel.compile(arguments)
    compiled = kernel.overloads[arguments]
    return int(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_cfunc_wrapper_name))


def indirect_call(*arguments: Any) -> Callable[[Any], Callable[..., int]]:
    """Return a decorator for a kernel that other kernels call by its address, so that it is compiled at its first call.

    Python calls it like any other kernel. If Numba's internals differ (`numba_check`), kernels also call it
    directly, and it is compiled together with its callers.

    Args:
        *arguments: Numba types of the kernel's arguments. The kernel returns an int64 and must not raise.
    """

    def decorate(kernel: Any) -> Callable[..., int]:
        def call(*args: Any) -> int:
            return int(kernel(*args))

        public: Any = call
        public.__doc__ = kernel.__doc__
        if AVAILABLE:
            # the memory behind the linker symbols must live as long as the function
            run, public.keep_alive = _by_address(kernel, arguments)
        else:
            run = _directly(kernel)

        @overload(call)
        def _typed(*args):
            # constant arrays of a kernel are read-only, but otherwise of the same type
            actual = tuple(kind.copy(readonly=False) if isinstance(kind, types.Array) else kind for kind in args)
            return run if actual == arguments else None

        return call

    return decorate


def _by_address(kernel: Any, arguments: tuple[Any, ...]) -> tuple[Callable[..., int], Any]:
    """Return a function that kernels call to run `kernel` by its address, and objects to keep alive as long as it is used.

    The function compiles `kernel` for these argument types at the first call.
    """
    symbol, finder = f"{kernel.__module__}.{kernel.__name__}", f"{kernel.__module__}.{kernel.__name__}.find"
    slots = np.zeros(2, np.int64)  # the address, 0 before compilation; 1 if compilation failed

    # results go through the slots, since the return value of a callback that raised is undefined
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

    def run(*args):
        address = read()
        if address == 0:
            compile_callee()
            address = read()
            if address == 0 and failed() != 0:
                raise CompilationFailed
            if address == 0:
                raise CompilationInterrupted
        return _call(address, args)

    return run, (slots, compile_into_slot)


def _directly(kernel: Any) -> Callable[..., int]:
    """Return a function that kernels call to run `kernel` in the usual way, compiled together with the caller."""
    return lambda *args: types.int64(kernel(*args))
