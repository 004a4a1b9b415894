"""Processes that share the parts of a match, and end with whoever asked for it."""

import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import takewhile

from cardgames.arena.tally import Tally
from cardgames.support.errors import InvalidInput

PlayBlocks = Callable[[int, int], Tally]
"""Plays the blocks from the first number to before the second."""

_WORKER_DIED = (
    "a process that played was ended, perhaps for want of memory (try fewer jobs); a script with more than one job needs "
    "if __name__ == '__main__'"
)

_worker_play: PlayBlocks | None = None
"""Of a worker process: what it plays, one object for all its chunks, so that networks are read and laid out once."""


def map_chunks(play: PlayBlocks, chunks: Iterable[tuple[int, int]], jobs: int) -> Iterator[Tally]:
    """Yield the tallies of chunks that several processes play, in order.

    What ends it early, a Ctrl-C or a chunk that fails, comes after the tallies of all chunks before the first that was not
    finished: later ones that were would favour short games. Raises `InvalidInput` if a process dies, and in one that may
    have none.
    """
    if multiprocessing.current_process().daemon:
        raise InvalidInput("a daemonic process, as those of a multiprocessing.Pool are, cannot have jobs of its own")
    running: deque[Future[Tally]] = deque()
    with _workers(play, jobs) as pool:
        try:
            for chunk in chunks:
                with sigint_blocked():  # submitting starts processes
                    running.append(pool.submit(_play_chunk, *chunk))
                if len(running) > 4 * jobs:
                    yield _pop_first(running)
            while running:
                yield _pop_first(running)
        except (Exception, KeyboardInterrupt) as error:
            yield from (future.result() for future in takewhile(_succeeded, running))
            if isinstance(error, BrokenProcessPool):
                raise InvalidInput(_WORKER_DIED) from error
            raise


def _pop_first(running: deque[Future[Tally]]) -> Tally:
    """Wait for the first, and take it out once it is there."""
    tally = running[0].result()
    running.popleft()
    return tally


def _succeeded(future: Future[Tally]) -> bool:
    return future.done() and not future.exception()


@contextmanager
def sigint_blocked() -> Iterator[None]:
    """Hold Ctrl-C back from this thread, and until `_start_worker` from processes that are started meanwhile: while they import,
    they would answer with a traceback. Windows knows no such thing.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # which may raise what came just before
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _workers(play: PlayBlocks, jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Give processes that play so; whatever ends the block early ends them in the middle of a game, since one of slow
    searches may take minutes.
    """
    pool = ProcessPoolExecutor(
        min(jobs, 61) if sys.platform == "win32" else jobs,  # Windows can wait for no more
        multiprocessing.get_context("spawn"),
        initializer=_start_worker,
        initargs=(play,),
    )
    try:
        yield pool
    except BaseException:
        # no public way has them ended and waited for, not even Python 3.14's
        for worker in list((pool._processes or {}).values()):
            worker.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _start_worker(play: PlayBlocks) -> None:
    """Prepare a worker process."""
    global _worker_play
    _worker_play = play
    threading.Thread(target=_end_with_parent, daemon=True).start()
    # it just ends where it gets Ctrl-C: what it was playing is lost, and nobody wants its traceback
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _end_with_parent() -> None:
    """End this process where the one that asked for it was killed: nothing else would tell it that no chunk will come."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _play_chunk(first: int, last: int) -> Tally:
    """Play some blocks in a worker process."""
    assert _worker_play is not None
    return _worker_play(first, last)
