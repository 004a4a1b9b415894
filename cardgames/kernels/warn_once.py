"""Warnings about the compiler and its cache, given once."""

import functools
import multiprocessing
import warnings


# Numba resets Python's own register of the warnings already given
@functools.cache
def warn_once(message: str) -> None:
    """Warn of `message` once, in the process that the user started and not in its workers."""
    if multiprocessing.parent_process() is None:
        warnings.warn(message, stacklevel=2)
