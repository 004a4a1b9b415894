"""Worker processes of matches: order of the chunks, and Ctrl-C."""

import os
import signal
from concurrent.futures import Executor, Future
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest

from cardgames.arena import workers
from cardgames.arena.kernel_matches import TALLY
from cardgames.arena.tally import Tally
from cardgames.arena.workers import sigint_blocked


class Interrupted(Future[Tally]):
    """Future whose result is interrupted by Ctrl-C."""

    def result(self, timeout: float | None = None) -> Tally:
        raise KeyboardInterrupt


class FakeExecutor(Executor):
    """Executor that finishes every chunk at once, except the third, which is interrupted."""

    def submit(self, play: Any, /, *chunk: Any, **_: Any) -> Future[Any]:
        if chunk[0] == 2:
            return Interrupted()
        future: Future[Tally] = Future()
        future.set_result(Tally(np.zeros((2, 1), TALLY), steps=chunk[0]))
        return future


@pytest.mark.parametrize("jobs", [1, 2])
def test_chunks_after_an_unfinished_one_do_not_count(monkeypatch: pytest.MonkeyPatch, jobs: int) -> None:
    monkeypatch.setattr(workers, "_workers", lambda play, jobs: nullcontext(FakeExecutor()))
    chunks, counted = [(first, first + 1) for first in range(7)], list[int]()
    with pytest.raises(KeyboardInterrupt):
        for tally in workers.map_chunks(lambda first, last: pytest.fail(), chunks, jobs):
            counted.append(tally.steps)
    assert counted == [0, 1]


def nothing(first: int, last: int) -> Tally:
    raise NotImplementedError


def ignores_ctrl_c() -> bool:
    return signal.getsignal(signal.SIGINT) is signal.SIG_IGN


@pytest.mark.skipif(os.name != "posix", reason="ignored signals are not inherited")
@pytest.mark.parametrize("ignored", [True, False])
def test_workers_ignore_ctrl_c_if_their_parent_does(ignored: bool) -> None:
    old_handler = signal.signal(signal.SIGINT, signal.SIG_IGN if ignored else signal.default_int_handler)
    try:
        with workers._workers(nothing, 1) as pool:
            assert pool.submit(ignores_ctrl_c).result() == ignored
    finally:
        signal.signal(signal.SIGINT, old_handler)


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="Windows has no signal masks")
def test_blocked_ctrl_c_is_raised_after_the_context() -> None:
    old_mask, handler = signal.pthread_sigmask(signal.SIG_BLOCK, ()), signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            with sigint_blocked():
                signal.raise_signal(signal.SIGINT)  # to this thread only, since others do not block the signal
                pending = signal.SIGINT in signal.sigpending()
    finally:
        signal.signal(signal.SIGINT, handler)
    assert pending and signal.pthread_sigmask(signal.SIG_BLOCK, ()) == old_mask
