"""Kernels as parts of other kernels.

Numba makes machine code of every function, with a wrapper for Python and one for C, even if only other kernels call it, into
which it is compiled once more. Here a part stays what LLVM has made of it until the whole, the kernel that Python calls, is
made machine code.
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
    """What LLVM has made of a part, and the names by which a linker knows what belongs to it."""

    code: bytes
    defined: frozenset[str]
    called: frozenset[str]
    environments: tuple[Any, ...]

    @classmethod
    def of(cls, module: Any) -> "_Bitcode":
        """Return a module of LLVM's to keep."""
        defined = frozenset(each.name for each in module.functions if not each.is_declaration)
        environments = tuple(each for each in _environments_in(module) if each.can_cache())
        return cls(zlib.compress(module.as_bitcode()), defined, _called_in(module), environments)

    def bitcode(self) -> bytes:
        """Return LLVM's code. Raises `zlib.error` if it is damaged."""
        return zlib.decompress(self.code)

    def linked_as(self, linkage: str) -> Any:
        """Return LLVM's module again, for a linker to treat its functions in one of LLVM's ways."""
        return _link_as(linkage, binding.parse_bitcode(self.bitcode()))


def _environments_in(module: Any) -> list[Any]:
    return [found for each in module.global_variables if (found := lookup_environment(each.name)) is not None]


def _called_in(module: Any) -> frozenset[str]:
    return frozenset(each.name for each in module.functions if each.is_declaration)


def _link_as(linkage: str, module: Any) -> Any:
    for function in module.functions:
        # what only its own module knows stays so
        if not function.is_declaration and function.linkage != binding.Linkage.internal:
            function.linkage = linkage
    return module


class _Library(JITCodeLibrary):
    """What LLVM makes of a kernel: it may inline the parts that the kernel calls, and declares them where it does not. So a
    part is optimised by itself and with each kernel that calls it, and not again at every level above.
    """

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self._called: dict[_InlinedLibrary, None] = {}
        self._reload_init: set[Any] = set()  # as Numba has it, but not that of 0.62

    def add_linking_library(self, library: Any) -> None:
        """Have the code of a library that this calls linked."""
        if isinstance(library, _InlinedLibrary):
            library._ensure_finalized()
            self._called[library] = None
            self._reload_init |= library._reload_init
        else:
            super().add_linking_library(library)

    def _optimize_final_module(self) -> None:
        for part in self._called:
            # LLVM removes these once what is short was inlined
            self._final_module.link_in(part.modules[0].linked_as("available_externally"))
        super()._optimize_final_module()

    def _needed_modules(self) -> list[_Bitcode]:
        """Return the modules with what this still calls, and with what they call."""
        below = dict.fromkeys(each for part in self._called for each in part.modules)
        found, called = dict[_Bitcode, None](), _called_in(self._final_module)
        while new := {each: None for each in below if each not in found and each.defined & called}:
            found |= new
            called = frozenset[str]().union(*(each.called for each in new))
        return list(found)


class _InlinedLibrary(_Library):
    """A part: its own module comes first, those which a whole needs beside it after that."""

    modules: list[_Bitcode]

    @classmethod
    def of(cls, codegen: Any, name: str, modules: list[_Bitcode], reload_init: tuple[Any, ...]) -> "_InlinedLibrary":
        """Return the library that was kept on disk."""
        library = cls(codegen, name)
        for module in modules:
            module.bitcode()  # has a checksum: what is damaged is told of now
        for prepare in reload_init:
            prepare()
        library.modules, library._reload_init, library._finalized = modules, set(reload_init), True
        return library

    def _finalize_final_module(self) -> None:
        """Make no machine code."""
        # addresses of this process: what holds one is not kept
        self._finalize_dynamic_globals()
        for part in self._called:
            self._dynamic_globals += part._dynamic_globals
        self.modules = [_Bitcode.of(self._final_module), *self._needed_modules()]
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        """Return this part and all that it calls, for what Numba compiles in its own way."""
        return _merged(self.modules)


class _EntryLibrary(_Library):
    """A whole, which becomes machine code."""

    def _optimize_final_module(self) -> None:
        super()._optimize_final_module()
        if needed := self._needed_modules():
            self._final_module.link_in(_merged(needed))
            # each part that inlined a look-up has the table
            passes = binding.create_new_module_pass_manager()
            passes.add_constant_merge_pass()
            passes.run(self._final_module, self._codegen._pass_builder())


def _merged(modules: list[_Bitcode]) -> Any:
    """Return one module of LLVM's with the functions of all, of which a linker takes what is called."""
    # of `linkonce_odr` this would take only what a module before calls
    first, *others = (module.linked_as("weak_odr") for module in modules)
    for other in others:
        first.link_in(other)
    return _link_as("linkonce_odr", first)


def _dispatcher_key() -> Any:
    """Return something that Numba can know a part by, as it knows a whole by the function that Python calls: it takes
    built-in functions, and the method of a new list is like no other.
    """
    return [].clear


@register_pass(mutates_CFG=True, analysis_only=False)
class _InlinedLowering(NativeLowering):
    _name = "part_lowering"

    def run_pass(self, state: Any) -> bool:
        """Make LLVM's code of a part."""
        state.library = _InlinedLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = state.flags.no_cpython_wrapper = state.flags.no_cfunc_wrapper = True
        super().run_pass(state)
        state.cr = state.cr._replace(cfunc=_dispatcher_key())
        state.targetctx.insert_user_function(state.cr.cfunc, state.cr.fndesc, [state.library])
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class _EntryLowering(NativeLowering):
    _name = "whole_lowering"

    def run_pass(self, state: Any) -> bool:
        """Make machine code of a whole."""
        state.library = _EntryLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        super().run_pass(state)
        # a part that raises an error with a number in it, say, comes to Python by its environment
        found = _environments_in(state.library._final_module)
        for environment in found:
            state.library.codegen.set_env(environment.env_name, environment)
        state.library.environments = found  # machine code does not keep them
        return True


class EntryCompiler(CompilerBase):
    """The passes of Numba's compiler for a kernel that Python calls."""

    lowering: type[NativeLowering] = _EntryLowering

    def define_pipelines(self) -> list[Any]:
        """Return them: Numba's, but for the one that makes LLVM's code."""
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        place = [step for step, _ in pipeline.passes].index(NativeLowering)
        pipeline.passes[place] = self.lowering, "as a whole or as a part"
        pipeline.finalize()
        return [pipeline]


class InlinedCompiler(EntryCompiler):
    """The passes for a kernel within others."""

    lowering = _InlinedLowering


class _InlinedFiles(CacheFiles):
    def get_filename_base(self, fullname: str, abiflags: str) -> str:
        """Return what the names of its files begin with: those of the whole of the same function lie beside them."""
        return f"part-{super().get_filename_base(fullname, abiflags)}"

    def reduce(self, made: Any) -> tuple[Any, ...]:
        """Return what is kept of a part."""
        library = made.library
        library._ensure_finalized()
        made.fndesc.typemap = made.fndesc.calltypes = None  # as of a whole: nobody asks for them again
        return (library.name, library.modules, tuple(library._reload_init)), made.fndesc, made.signature

    def rebuild(self, target_context: Any, kept: tuple[Any, ...]) -> Any:
        """Return the part again."""
        code, fndesc, signature = kept
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
    """The files of one function as a part of others."""

    _impl_class = _InlinedFiles
