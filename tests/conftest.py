"""What has to be done once, before the suite is shared out among processes."""

import gc
import os
import signal
from contextlib import suppress

import pytest

from cardgames.cli import progress

# a slow machine may say in between what it is at; tests that count lines mean the others
progress._FIRST_LOG_SECONDS = progress._MAX_LOG_SECONDS

# the processes that share the suite have a core each; torch's threads would wait for each other's
os.environ.setdefault("OMP_NUM_THREADS", "1")


def pytest_configure(config: pytest.Config) -> None:
    """Have Ctrl-C heeded, which it is not where the suite runs in the background of a script. Import RLCard, which unpacks
    tables into its own folder the first time, and fails where two processes do.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if not hasattr(config, "workerinput"):
        with suppress(ImportError):
            import rlcard.games.doudizhu  # noqa: F401


def pytest_collection_finish() -> None:
    """Keep the garbage collector from going through thousands of tests over and over while kernels are compiled, of whose
    objects few are garbage: an eighth of the time there.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 50)
