"""Link-time inlining: kernels that other kernels call stay LLVM bitcode until the outermost kernel is compiled.

Numba compiles every function to machine code, with a wrapper for Python and one for C, even if only other kernels call
it; and it compiles its code again inside each caller. Here a kernel has two versions:

- The entry kernel is the version that Python calls. It becomes machine code.
- The inlined kernel is the version that other kernels call. It is optimized and kept as LLVM bitcode. An entry kernel
  links the bitcode of all inlined kernels that it needs, directly or not, and is then compiled to machine code.

`kernels.jit.njit` makes the entry kernel; its attribute `inlined` makes the inlined one on demand.
"""

import zlib
from typing import Any, NamedTuple

from llvmlite import binding
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder, compile_result
from numba.core.compiler_machinery import register_pass
from numba.core.environment import lookup_environment
from numba.core.typed_passes import NativeLowering

from cardgames.kernels.cache_files import CacheFiles, KernelCache


class _Bitcode(NamedTuple):
    """Compressed LLVM bitcode of an inlined kernel, with the names of the functions that it defines and calls."""

    code: bytes
    defined: frozenset[str]
    """Names of the functions that the bitcode defines."""
    called: frozenset[str]
    """Names of the functions that the bitcode calls and does not define."""
    environments: tuple[Any, ...]
    """Numba's environments (constants and globals) of the functions in the bitcode."""

    @classmethod
    def of(cls, module: Any) -> "_Bitcode":
        """Return the compressed bitcode of an LLVM module, with the names and environments of its functions."""
        defined = frozenset(function.name for function in module.functions if not function.is_declaration)
        environments = tuple(environment for environment in _environments_in(module) if environment.can_cache())
        return cls(zlib.compress(module.as_bitcode()), defined, _called_in(module), environments)

    def bitcode(self) -> bytes:
        """Return the LLVM bitcode of the kernel, decompressed. Raises `zlib.error` if the compressed data are damaged."""
        return zlib.decompress(self.code)

    def linked_as(self, linkage: str) -> Any:
        """Parse the bitcode into an LLVM module whose functions have the LLVM linkage type `linkage`, such as `weak_odr`."""
        return _link_as(linkage, binding.parse_bitcode(self.bitcode()))


def _environments_in(module: Any) -> list[Any]:
    """Return Numba's environments (constants and globals of a function) that an LLVM module refers to."""
    return [env for variable in module.global_variables if (env := lookup_environment(variable.name)) is not None]


def _called_in(module: Any) -> frozenset[str]:
    """Return the names of the functions that an LLVM module declares but does not define."""
    return frozenset(function.name for function in module.functions if function.is_declaration)


def _link_as(linkage: str, module: Any) -> Any:
    """Set the LLVM linkage type of all functions that a module defines, except internal ones, and return the module."""
    for function in module.functions:
        # internal functions stay internal
        if not function.is_declaration and function.linkage != binding.Linkage.internal:
            function.linkage = linkage
    return module


class _Library(JITCodeLibrary):
    """Numba code library of a kernel, into which LLVM may inline the kernels that it calls directly.

    Called kernels that LLVM does not inline are only declared in it. So a kernel is optimized by itself and together with
    each kernel that calls it, but not again for the callers of those.
    """

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self._called: dict[_InlinedLibrary, None] = {}
        self._reload_init: set[Any] = set()  # Numba has this attribute, except in version 0.62

    def add_linking_library(self, library: Any) -> None:
        """Add the code library of a kernel that this kernel calls, so that the two can be linked."""
        if isinstance(library, _InlinedLibrary):
            library._ensure_finalized()
            self._called[library] = None
            self._reload_init |= library._reload_init
        else:
            super().add_linking_library(library)

    def _optimize_final_module(self) -> None:
        for kernel in self._called:
            # LLVM removes `available_externally` functions after inlining the short ones
            self._final_module.link_in(kernel.modules[0].linked_as("available_externally"))
        super()._optimize_final_module()

    def _needed_modules(self) -> list[_Bitcode]:
        """Return the bitcode of the kernels that this kernel still calls after inlining, directly or through one another."""
        available = dict.fromkeys(code for kernel in self._called for code in kernel.modules)
        needed, called = dict[_Bitcode, None](), _called_in(self._final_module)
        while new := {code: None for code in available if code not in needed and code.defined & called}:
            needed |= new
            called = frozenset[str]().union(*(code.called for code in new))
        return list(needed)


class _InlinedLibrary(_Library):
    """Numba code library of an inlined kernel, one that only other kernels call: it holds LLVM bitcode, no machine code."""

    modules: list[_Bitcode]
    """Bitcode of the kernel itself, then of the other kernels that must be linked with it."""

    @classmethod
    def of(cls, codegen: Any, name: str, modules: list[_Bitcode], reload_init: tuple[Any, ...]) -> "_InlinedLibrary":
        """Return the library of an inlined kernel whose bitcode is read from the compile cache.

        Raises `zlib.error` if one of the bitcode `modules` is damaged.
        """
        library = cls(codegen, name)
        for module in modules:
            module.bitcode()  # checks the checksum
        for prepare in reload_init:
            prepare()
        library.modules, library._reload_init, library._finalized = modules, set(reload_init), True
        return library

    def _finalize_final_module(self) -> None:
        """Store the kernel's LLVM bitcode in `modules`, in place of Numba's step that makes machine code."""
        # dynamic globals are addresses of this process; code with one is not cached
        self._finalize_dynamic_globals()
        for kernel in self._called:
            self._dynamic_globals += kernel._dynamic_globals
        self.modules = [_Bitcode.of(self._final_module), *self._needed_modules()]
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        """Return an LLVM module of this kernel and all that it calls, for callers that Numba compiles in its usual way."""
        return _merged(self.modules)


class _EntryLibrary(_Library):
    """Numba code library of an entry kernel, one that Python calls: it links all kernels called and becomes machine code."""

    def _optimize_final_module(self) -> None:
        super()._optimize_final_module()
        if needed := self._needed_modules():
            self._final_module.link_in(_merged(needed))
            # each inlined kernel has its own copy of a constant array: merge them
            passes = binding.create_new_module_pass_manager()
            passes.add_constant_merge_pass()
            passes.run(self._final_module, self._codegen._pass_builder())


def _merged(modules: list[_Bitcode]) -> Any:
    """Return one LLVM module with the functions of all `modules`; when it is linked, functions never called are dropped."""
    # with `linkonce_odr`, linking here would drop functions that only a later module calls
    first, *others = (module.linked_as("weak_odr") for module in modules)
    for other in others:
        first.link_in(other)
    return _link_as("linkonce_odr", first)


def _dispatcher_key() -> Any:
    """Return a new unique object by which Numba identifies an inlined kernel.

    For a kernel that Python calls, Numba takes the callable itself. An inlined kernel has none, and Numba accepts any
    built-in function: here the method of a new list, which is unique.
    """
    return [].clear


@register_pass(mutates_CFG=True, analysis_only=False)
class _InlinedLowering(NativeLowering):
    _name = "inlined_lowering"

    def run_pass(self, state: Any) -> bool:
        """Translate an inlined kernel from Numba's typed code to LLVM bitcode, without wrappers and machine code."""
        state.library = _InlinedLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = state.flags.no_cpython_wrapper = state.flags.no_cfunc_wrapper = True
        super().run_pass(state)
        state.cr = state.cr._replace(cfunc=_dispatcher_key())
        state.targetctx.insert_user_function(state.cr.cfunc, state.cr.fndesc, [state.library])
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class _EntryLowering(NativeLowering):
    _name = "entry_lowering"

    def run_pass(self, state: Any) -> bool:
        """Translate an entry kernel, one that Python calls, from Numba's typed code to machine code."""
        state.library = _EntryLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        super().run_pass(state)
        # inlined kernels need their environments too, for example to raise an error with a number in its message
        environments = _environments_in(state.library._final_module)
        for environment in environments:
            state.library.codegen.set_env(environment.env_name, environment)
        state.library.environments = environments  # keeps them alive: machine code does not
        return True


class EntryCompiler(CompilerBase):
    """Numba compiler for entry kernels, those that Python calls and that become machine code."""

    lowering: type[NativeLowering] = _EntryLowering

    def define_pipelines(self) -> list[Any]:
        """Return Numba's usual compiler passes, except that `lowering` replaces the pass that makes LLVM code."""
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        place = [step for step, _ in pipeline.passes].index(NativeLowering)
        pipeline.passes[place] = self.lowering, "lowering for link-time inlining"
        pipeline.finalize()
        return [pipeline]


class InlinedCompiler(EntryCompiler):
    """Numba compiler for inlined kernels, those that other kernels call and that stay LLVM bitcode."""

    lowering = _InlinedLowering


class _InlinedFiles(CacheFiles):
    """File format of the compile cache for inlined kernels: LLVM bitcode in place of machine code."""

    def get_filename_base(self, fullname: str, abiflags: str) -> str:
        """Return the prefix of a function's cache file names: Numba's, after `inlined-`.

        The machine code of the same function is cached under Numba's own prefix.
        """
        return f"inlined-{super().get_filename_base(fullname, abiflags)}"

    def reduce(self, compiled: Any) -> tuple[Any, ...]:
        """Turn a compiled inlined kernel into a tuple that the cache can pickle: bitcode, description, signature."""
        library = compiled.library
        library._ensure_finalized()
        compiled.fndesc.typemap = compiled.fndesc.calltypes = None  # Numba does so too: they are not needed any more
        return (library.name, library.modules, tuple(library._reload_init)), compiled.fndesc, compiled.signature

    def rebuild(self, target_context: Any, data: tuple[Any, ...]) -> Any:
        """Turn a tuple that `reduce` made and the cache has read back into a compiled inlined kernel."""
        code, fndesc, signature = data
        return compile_result(
            target_context=target_context,
            typing_context=target_context.typing_context,
            library=_InlinedLibrary.of(target_context.codegen(), *code),
            entry_point=_dispatcher_key(),
            fndesc=fndesc,
            signature=signature,
            objectmode=False,
            lifted=(),
        )


class InlinedCache(KernelCache):
    """Compile cache of one inlined kernel: loads and saves its LLVM bitcode for each signature."""

    _impl_class = _InlinedFiles
