"""Kernels as parts of other kernels.

Numba makes machine code of every function, with a wrapper for Python and one for C, even if only other kernels call it, into
which it is compiled once more. Here a part stays what LLVM has made of it until the whole, the kernel that Python calls, is
made machine code.
"""

from typing import Any

from llvmlite import binding
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder, compile_result
from numba.core.compiler_machinery import register_pass
from numba.core.environment import lookup_environment
from numba.core.typed_passes import NativeLowering

from cardgames.core.machine_code import Cache, Files


class _Library(JITCodeLibrary):
    """What LLVM has made of a part, together with the parts it calls."""

    def _finalize_final_module(self) -> None:
        """Make no machine code; note what holds addresses of this process, as that is not kept."""
        names = (variable.name for variable in self._final_module.global_variables)
        self._dynamic_globals = [name for name in names if name.startswith("numba.dynamic.globals")]
        self._finalized = True

    @classmethod
    def of(cls, codegen: Any, name: str, bitcode: bytes) -> "_Library":
        """Return the library that was kept on disk."""
        library = cls(codegen, name)
        library._final_module = binding.parse_bitcode(bitcode)
        library._finalize_final_module()
        return library


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
        state.library = _Library(state.targetctx.codegen(), state.func_id.func_qualname)
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
        made.library._ensure_finalized()
        bitcode = made.library._final_module.as_bitcode()
        made.fndesc.typemap = made.fndesc.calltypes = None  # as of a whole: nobody asks for them again
        environments = made.environment, tuple(made._find_referenced_environments())
        return made.library.name, bitcode, made.fndesc, environments, made.signature

    def rebuild(self, target_context: Any, kept: tuple[Any, ...]) -> Any:
        """Return the part again."""
        name, bitcode, fndesc, (environment, referenced), signature = kept
        return compile_result(
            target_context=target_context,
            typing_context=target_context.typing_context,
            library=_Library.of(target_context.codegen(), name, bitcode),
            environment=environment,
            entry_point=_key(),
            fndesc=fndesc,
            signature=signature,
            objectmode=False,
            lifted=(),
            referenced_envs=referenced,
        )


class PartCache(Cache):
    """The files of one function as a part of others."""

    _impl_class = _PartFiles
