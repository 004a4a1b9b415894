"""The one door to Numba: a safely cached `njit`, and verbs generic in the type of their first argument.

Plain `cache=True` goes on running old machine code after an edit in *another* file that a kernel calls.
So the cache lives in a folder named after the contents of all kernel sources.
"""

import functools
import hashlib
import inspect
import os
import pathlib
import warnings
from collections.abc import Callable
from typing import Any, Protocol, TypeVar, cast

import numba
import numpy as np
import platformdirs
from numba.core.errors import NumbaExperimentalFeatureWarning
from numba.extending import overload

F = TypeVar("F", bound=Callable[..., Any])

_config: Any = numba.config
_PACKAGE = pathlib.Path(__file__).parent.parent
_KERNEL_FOLDERS = ("core", "uno", "doudizhu", "search", "learners")


def fingerprint() -> str:
    """Return a short hash of every source file that kernels are compiled from."""
    digest = hashlib.sha256()
    for folder in _KERNEL_FOLDERS:
        for path in sorted((_PACKAGE / folder).rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder() -> pathlib.Path:
    """Return the folder of this version's machine code: `$CARDGAMES_CACHE_DIR`, else the user's cache folder."""
    root = os.environ.get("CARDGAMES_CACHE_DIR") or platformdirs.user_cache_path("cardgames")
    return pathlib.Path(root) / f"kernels-{fingerprint()}"


def _usable(folder: pathlib.Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


# said where Numba compares overloads for tables and for streams, of which it then takes the exact one
warnings.filterwarnings("ignore", r".*Record\(.* has been considered a subtype", NumbaExperimentalFeatureWarning)

_FOLDER = cache_folder()
CACHING = _usable(_FOLDER)
"""Whether machine code is kept between processes (not if the cache folder cannot be written)."""


def is_warm(kernel: str = "") -> bool:
    """Return whether kernels of just these sources (`kernel`: the one called `module.function`) were compiled here."""
    return CACHING and any(_FOLDER.rglob(f"{kernel}*.nbc"))


def njit(function: F) -> F:
    """Compile `function` without the GIL, keeping the machine code under the fingerprint of all kernel sources."""
    before = _config.CACHE_DIR
    _config.CACHE_DIR = str(_FOLDER)
    try:
        return cast(F, numba.njit(function, cache=CACHING, nogil=True, error_model="numpy"))
    finally:
        _config.CACHE_DIR = before


# of a scalar of `np.record`, as games of others may have, attributes take a slow path through Python
_dtype_of = np.generic.dtype.__get__


class Verb(Protocol):
    """A function whose code is chosen by the record type of its first argument, from Python and inside kernels alike."""

    def __call__(self, rules: Any, *args: Any) -> Any:
        """Run the kernel of the game `rules` belong to. Raises `TypeError` for rules of a type nobody registered."""

    def register(self, rules_type: np.dtype[Any]) -> Callable[[F], F]:
        """Return a decorator that makes its kernel this verb's code for rules of the dtype `rules_type`."""

    def kernel(self, rules_type: Any) -> Callable[..., Any]:
        """Return the compiled function registered for rules of the dtype, or Numba type, `rules_type`."""


def verb(stub: Callable[..., Any]) -> Verb:
    """Turn the stub of a game's verb (its docstring and signature) into a `Verb`."""
    kernels: dict[Any, Callable[..., Any]] = {}

    def kernel(rules_type: Any) -> Callable[..., Any]:
        try:
            return kernels[rules_type]
        except KeyError:
            raise TypeError(f"{stub.__name__} is not defined for rules of type {rules_type}") from None

    def register(rules_type: np.dtype[Any]) -> Callable[[F], F]:
        def add(function: F) -> F:
            kernels[rules_type] = kernels[numba.from_dtype(rules_type)] = function
            return function

        return add

    # numba wants a plain function as the key of an overload; Python callers use the same one
    @functools.wraps(stub)
    def call(rules: Any, *args: Any) -> Any:
        return kernel(_dtype_of(rules))(rules, *args)

    def resolve(rules: Any, *args: Any) -> Any:
        found = kernels.get(rules)
        return found and getattr(found, "py_func", found)

    # numba compares parameter names and defaults with the kernel's, which has no annotations
    plain = [p.replace(annotation=p.empty) for p in inspect.signature(stub).parameters.values()]
    resolve.__signature__ = inspect.Signature(plain)  # type: ignore[attr-defined]
    overload(call)(resolve)
    public: Any = call
    public.register, public.kernel = register, kernel
    return cast(Verb, public)
