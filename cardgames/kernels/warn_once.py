"""`warn_once`: a warning, about the compiler or its cache, that is given only once and not by worker processes."""

import functools
import multiprocessing
import warnings


# a cache, since Numba resets Python's own registry of warnings already given
@functools.cache
def warn_once(message: str) -> None:
    """Give a warning once for each message, in the process that the user started but not in its worker processes."""
    if multiprocessing.parent_process() is None:
        warnings.warn(message, stacklevel=2)
