"""Kernels as parts of other kernels.

Numba makes machine code of every function, with a wrapper for Python and one for C, even if only other kernels call it, into
which it is compiled once more. Here a part stays what LLVM has made of it until the whole, the kernel that Python calls, is
made machine code.
"""

import zlib
from collections.abc import Iterable
from typing import Any

from llvmlite import binding
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder, compile_result
from numba.core.compiler_machinery import register_pass
from numba.core.environment import lookup_environment
from numba.core.typed_passes import NativeLowering

from cardgames.core.machine_code import Cache, Files


class _Library(JITCodeLibrary):
    """What LLVM makes of a kernel. Of the parts that the kernel calls it holds what was inlined, and only declares the rest:
    so LLVM optimises each part once, whatever it is a part of.
    """

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self._called: dict[_PartLibrary, None] = {}

    def add_linking_library(self, library: Any) -> None:
        """Have the code of a library that this calls linked."""
        if isinstance(library, _PartLibrary):
            library._ensure_finalized()
            self._called[library] = None
        else:
            super().add_linking_library(library)

    def _optimize_final_module(self) -> None:
        for part in self._called:
            self._final_module.link_in(_linked_as("available_externally", _parsed(next(iter(part.modules)))))
        super()._optimize_final_module()

    def _called_modules(self) -> dict[bytes, None]:
        return {module: None for part in self._called for module in part.modules}


class _PartLibrary(_Library):
    """What wholes need of a part."""

    @classmethod
    def of(cls, codegen: Any, name: str, modules: tuple[bytes, ...], environments: tuple[Any, ...]) -> "_PartLibrary":
        """Return the library that was kept on disk."""
        library = cls(codegen, name)
        library._final_module = _parsed(modules[0])
        library.modules, library.environments = dict.fromkeys(modules), dict.fromkeys(environments)
        library._dynamic_globals, library._finalized = [], True
        return library

    def _finalize_final_module(self) -> None:
        """Make no machine code, but note what belongs to this part and to all that it calls."""
        names = [variable.name for variable in self._final_module.global_variables]
        # addresses of this process: what holds one is not kept
        self._dynamic_globals = [name for name in names if name.startswith("numba.dynamic.globals")]
        found = (lookup_environment(name) for name in names)
        self.environments = dict.fromkeys(each for each in found if each is not None and each.can_cache())
        for part in self._called:
            self._dynamic_globals += part._dynamic_globals
            self.environments |= part.environments
        self.modules = {zlib.compress(self._final_module.as_bitcode()): None} | self._called_modules()
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        """Return this part and all that it calls, for what Numba compiles in its own way."""
        return _merged(self.modules)


class _WholeLibrary(_Library):
    """What becomes machine code."""

    def _optimize_final_module(self) -> None:
        super()._optimize_final_module()
        if self._called:
            self._final_module.link_in(_merged(self._called_modules()))


def _parsed(module: bytes) -> Any:
    return binding.parse_bitcode(zlib.decompress(module))


def _merged(modules: Iterable[bytes]) -> Any:
    """Return one module with the functions of all, of which a linker takes what is called."""
    first, *others = (_linked_as("weak_odr", _parsed(module)) for module in modules)
    for module in others:
        first.link_in(module)
    return _linked_as("linkonce_odr", first)


def _linked_as(linkage: str, module: Any) -> Any:
    """Return the module with its functions linked in one of LLVM's ways: they are gone once they may have been inlined
    (`available_externally`), there even if nobody calls them yet (`weak_odr`), or there if somebody does (`linkonce_odr`).
    """
    for function in module.functions:
        if not function.is_declaration and function.linkage != binding.Linkage.internal:
            function.linkage = linkage
    return module


def _key() -> Any:
    """Return something that Numba can know a part by, as it knows a whole by the function that Python calls: it takes
    built-in functions, and the method of a new list is like no other.
    """
    return [].clear


@register_pass(mutates_CFG=True, analysis_only=False)
class _PartLowering(NativeLowering):
    _name = "part_lowering"

    def run_pass(self, state: Any) -> bool:
        """Make LLVM's code of a part."""
        state.library = _PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = state.flags.no_cpython_wrapper = state.flags.no_cfunc_wrapper = True
        super().run_pass(state)
        state.cr = state.cr._replace(cfunc=_key())
        state.targetctx.insert_user_function(state.cr.cfunc, state.cr.fndesc, [state.library])
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class _WholeLowering(NativeLowering):
    _name = "whole_lowering"

    def run_pass(self, state: Any) -> bool:
        """Make machine code of a whole."""
        state.library = _WholeLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        super().run_pass(state)
        # a part that raises an error with a number in it, say, comes to Python by its environment
        variables = state.library._final_module.global_variables
        found = [environment for each in variables if (environment := lookup_environment(each.name)) is not None]
        for environment in found:
            state.library.codegen.set_env(environment.env_name, environment)
        state.library.environments = found  # machine code does not keep them
        return True


class Whole(CompilerBase):
    """The passes of Numba's compiler for a kernel that Python calls."""

    lowering: type[NativeLowering] = _WholeLowering

    def define_pipelines(self) -> list[Any]:
        """Return them: Numba's, but for the one that makes LLVM's code."""
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        place = [step for step, _ in pipeline.passes].index(NativeLowering)
        pipeline.passes[place] = self.lowering, "as a whole or as a part"
        pipeline.finalize()
        return [pipeline]


class Part(Whole):
    """The passes for a kernel within others."""

    lowering = _PartLowering


class _PartFiles(Files):
    def get_filename_base(self, fullname: str, abiflags: str) -> str:
        """Return what the names of its files begin with: those of the whole of the same function lie beside them."""
        return f"part-{super().get_filename_base(fullname, abiflags)}"

    def reduce(self, made: Any) -> tuple[Any, ...]:
        """Return what is kept of a part."""
        library = made.library
        library._ensure_finalized()
        made.fndesc.typemap = made.fndesc.calltypes = None  # as of a whole: nobody asks for them again
        code = library.name, tuple(library.modules), tuple(library.environments)
        return code, made.fndesc, made.environment, made.signature

    def rebuild(self, target_context: Any, kept: tuple[Any, ...]) -> Any:
        """Return the part again."""
        code, fndesc, environment, signature = kept
        return compile_result(
            target_context=target_context,
            typing_context=target_context.typing_context,
            library=_PartLibrary.of(target_context.codegen(), *code),
            environment=environment,
            entry_point=_key(),
            fndesc=fndesc,
            signature=signature,
            objectmode=False,
            lifted=(),
        )


class PartCache(Cache):
    """The files of one function as a part of others."""

    _impl_class = _PartFiles
