"""Setup of the test session, before the tests are distributed to worker processes."""

import gc
import os
import signal
from contextlib import suppress

import pytest

from cardgames.cli import progress

# on a slow machine, early progress lines would disturb tests that count lines
progress._FIRST_LOG_SECONDS = progress._MAX_LOG_SECONDS

# each worker process has one core; threads of torch would wait for one another
os.environ.setdefault("OMP_NUM_THREADS", "1")


def pytest_configure(config: pytest.Config) -> None:
    """Enable Ctrl-C, which background jobs of shell scripts ignore, and import RLCard once.

    RLCard unpacks tables into its own folder at the first import, which fails if two processes do it at once.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if not hasattr(config, "workerinput"):
        with suppress(ImportError):
            import rlcard.games.doudizhu  # noqa: F401


def pytest_collection_finish() -> None:
    """Exempt the collected tests from garbage collection and make it rare.

    Compilation of kernels makes many objects, few of them garbage. Collections would take an eighth of its time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 50)
