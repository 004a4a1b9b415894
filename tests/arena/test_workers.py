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
    """What Ctrl-C is pressed during."""

    def result(self, timeout: float | None = None) -> Tally:
        raise KeyboardInterrupt


class Played(Executor):
    """Has played all chunks at once, but never the third."""

    def submit(self, play: Any, /, *chunk: Any, **_: Any) -> Future[Any]:
        if chunk[0] == 2:
            return Interrupted()
        future: Future[Tally] = Future()
        future.set_result(Tally(np.zeros((2, 1), TALLY), steps=chunk[0]))
        return future


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_was_played_behind_an_unfinished_part_does_not_count(monkeypatch: pytest.MonkeyPatch, jobs: int) -> None:
    monkeypatch.setattr(workers, "_workers", lambda play, jobs: nullcontext(Played()))
    chunks, counted = [(first, first + 1) for first in range(7)], list[int]()
    with pytest.raises(KeyboardInterrupt):
        for tally in workers.map_chunks(lambda first, last: pytest.fail(), chunks, jobs):
            counted.append(tally.steps)
    assert counted == [0, 1]


def nothing(first: int, last: int) -> Tally:
    raise NotImplementedError


def ignores_ctrl_c() -> bool:
    return signal.getsignal(signal.SIGINT) is signal.SIG_IGN


@pytest.mark.skipif(os.name != "posix", reason="what is ignored is not handed on")
@pytest.mark.parametrize("ignored", [True, False])
def test_ctrl_c_is_ignored_by_workers_where_it_is_by_who_starts_them(ignored: bool) -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN if ignored else signal.default_int_handler)
    try:
        with workers._workers(nothing, 1) as pool:
            assert pool.submit(ignores_ctrl_c).result() == ignored
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="Windows has no signal masks")
def test_ctrl_c_that_was_held_back_comes_afterwards() -> None:
    before, handler = signal.pthread_sigmask(signal.SIG_BLOCK, ()), signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            with sigint_blocked():
                signal.raise_signal(signal.SIGINT)  # to this thread; others do not hold back what comes to the process
                held = signal.SIGINT in signal.sigpending()
    finally:
        signal.signal(signal.SIGINT, handler)
    assert held and signal.pthread_sigmask(signal.SIG_BLOCK, ()) == before
