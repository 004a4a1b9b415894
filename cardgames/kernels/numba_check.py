"""Check whether this version of Numba has the internals that `cardgames.kernels` builds on.

Link-time inlining, verbs, indirect calls and the compile cache use functions outside Numba's public interface. They are
listed here with their parameters. If one is missing or has other parameters, kernels use only the public interface:
they compile more slowly, with the same results.
"""

import inspect
import pkgutil
from collections.abc import Mapping
from typing import Any

# this import fails while Numba itself is being imported, when the check is not possible yet
from numba import __version__, config, njit

_config: Any = config
_CACHING = {
    "numba.core.caching:UserProvidedCacheLocator.ensure_cache_path": "self",
    "numba.core.caching:UserProvidedCacheLocator.get_suitable_cache_subpath": "py_file",
    "numba.core.caching:UserProvidedCacheLocator.get_source_stamp": "self",
    "numba.core.caching:CompileResultCacheImpl.get_filename_base": "self fullname abiflags",
    "numba.core.caching:CompileResultCacheImpl.reduce": "self cres",
    "numba.core.caching:CompileResultCacheImpl.rebuild": "self target_context payload",
    "numba.core.caching:FunctionCache.load_overload": "self sig target_context",
    "numba.core.caching:FunctionCache.save_overload": "self sig data",
    "numba.core.caching:FunctionCache.flush": "self",
    "numba.core.caching:FunctionCache._index_key": "self sig codegen",
    "numba.core.dispatcher:Dispatcher.enable_caching": "self",
}
_COMPILING = {
    "llvmlite.binding:add_symbol": "name address",
    "llvmlite.binding:parse_bitcode": "bitcode context",
    "llvmlite.binding:create_new_module_pass_manager": "",
    "numba.core.codegen:JITCodeLibrary.__init__": "self codegen name",
    "numba.core.codegen:JITCodeLibrary.add_linking_library": "self library",
    "numba.core.codegen:JITCodeLibrary.enable_object_caching": "self",
    "numba.core.codegen:JITCodeLibrary.get_pointer_to_function": "self name",
    "numba.core.codegen:JITCodeLibrary._ensure_finalized": "self",
    "numba.core.codegen:JITCodeLibrary._finalize_dynamic_globals": "self",
    "numba.core.codegen:JITCodeLibrary._finalize_final_module": "self",
    "numba.core.codegen:JITCodeLibrary._get_module_for_linking": "self",
    "numba.core.codegen:JITCodeLibrary._optimize_final_module": "self",
    "numba.core.codegen:JITCPUCodegen.set_env": "self env_name env",
    "numba.core.compiler:CompilerBase.define_pipelines": "self",
    "numba.core.compiler:DefaultPassBuilder.define_nopython_pipeline": "state name",
    "numba.core.compiler:compile_result": "entries",
    "numba.core.compiler_machinery:register_pass": "mutates_CFG analysis_only",
    "numba.core.dispatcher:Dispatcher.fold_argument_types": "self args kws",
    "numba.core.dispatcher:Dispatcher.get_call_template": "self args kws",
    "numba.core.dispatcher:Dispatcher.get_overload": "self sig",
    "numba.core.environment:lookup_environment": "env_name",
    "numba.core.typed_passes:NativeLowering.run_pass": "self state",
    "numba.core.types:Dispatcher.get_call_type": "self context args kws",
    "numba.core.types:Dispatcher.get_overload": "self sig",
    "numba.core.typing.templates:AbstractTemplate.get_impl_key": "self sig",
    "numba.core.typing.templates:infer_global": "val typ kwargs",
}


def _mismatch(expected: Mapping[str, str]) -> str:
    """Return a text about the first expected Numba function that is missing or has other parameters; empty if none is.

    Args:
        expected: `module:name` of each function -> names of its parameters, separated by blanks.
    """
    for function, parameters in expected.items():
        try:
            actual = " ".join(inspect.signature(pkgutil.resolve_name(function)).parameters)
        except (ImportError, AttributeError) as error:
            return str(error)
        if actual != parameters:
            return f"{function.replace(':', '.')} takes ({actual}) instead of ({parameters})"
    return ""


def _missing_attributes() -> str:
    """Return a text about the needed attributes that functions compiled by `numba.njit` lack; empty if they lack none."""
    dispatcher = njit(_mismatch)
    missing = [name for name in ("overloads", "_cache", "_compiling_counter") if not hasattr(dispatcher, name)]
    return f"compiled functions have no attribute {', '.join(missing)}" if missing and not _config.DISABLE_JIT else ""


_cache_mismatch = _mismatch(_CACHING) or _missing_attributes()
CACHE_AVAILABLE = not _cache_mismatch
"""True if this version of Numba has the internals that the compile cache needs."""
REASON = _cache_mismatch or _mismatch(_COMPILING)
"""First difference between Numba's internals and those needed here, as text; empty if there is none."""
AVAILABLE = not REASON
"""True if Numba has all internals: for the cache, link-time inlining, verb dispatch and indirect calls."""
WARNING = (
    f"the internals of Numba {__version__} are not those that cardgames uses ({REASON}): kernels run on plain numba.njit, "
    f"{'with the same results, and take longer to compile' if CACHE_AVAILABLE else 'and compile again at every start'}"
)
"""Text of the warning to the user if this version of Numba lacks the internals (`AVAILABLE` is False)."""
