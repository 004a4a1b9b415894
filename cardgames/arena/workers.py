"""Worker processes that play the chunks of a match, and end when their parent process does."""

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
"""Function that plays the blocks from the first number up to, but not including, the second."""

_WORKER_DIED = (
    "a worker process was killed, perhaps for lack of memory (try fewer jobs); a script with more than one job needs "
    "if __name__ == '__main__'"
)

_worker_play: PlayBlocks | None = None
"""In a worker process: the function it calls for every chunk; one object, so that networks are loaded only once."""


def map_chunks(play: PlayBlocks, chunks: Iterable[tuple[int, int]], jobs: int) -> Iterator[Tally]:
    """Yield the tallies of chunks that several processes play, in order.

    After Ctrl-C or an error the tallies of all chunks before the first unfinished one are still yielded, then the exception
    is raised. Finished chunks after it are dropped, since counting them would favor short games.

    Args:
        play: Function that plays a chunk; it has to be picklable.
        chunks: First block and end of each chunk.
        jobs: Number of processes.

    Raises:
        InvalidInput: If a worker process dies, or this process is daemonic and may not start others.
    """
    if multiprocessing.current_process().daemon:
        raise InvalidInput("a daemonic process, such as one of a multiprocessing.Pool, cannot start jobs")
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
    """Wait for the first future; remove it and return its tally. It stays if the wait is interrupted."""
    tally = running[0].result()
    running.popleft()
    return tally


def _succeeded(future: Future[Tally]) -> bool:
    return future.done() and not future.exception()


@contextmanager
def sigint_blocked() -> Iterator[None]:
    """Block Ctrl-C (SIGINT) in this thread, and in processes started meanwhile, until the context ends.

    Such processes unblock it in `_start_worker`; during their imports Ctrl-C would print a traceback. Does nothing on
    Windows, which has no signal masks.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    old_mask = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # may raise KeyboardInterrupt for an earlier Ctrl-C
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, old_mask)


@contextmanager
def _workers(play: PlayBlocks, jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Provide a pool of worker processes.

    An exception in the context terminates them in the middle of a game, since a game of slow searches may take minutes.
    """
    pool = ProcessPoolExecutor(
        min(jobs, 61) if sys.platform == "win32" else jobs,  # Windows cannot wait for more
        multiprocessing.get_context("spawn"),
        initializer=_start_worker,
        initargs=(play,),
    )
    try:
        yield pool
    except BaseException:
        # no public method terminates the workers and waits for them, not even in Python 3.14
        for worker in list((pool._processes or {}).values()):
            worker.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _start_worker(play: PlayBlocks) -> None:
    """Initialize a worker process."""
    global _worker_play
    _worker_play = play
    threading.Thread(target=_end_with_parent, daemon=True).start()
    # Ctrl-C ends the worker at once, without a traceback: its unfinished chunk is lost anyway
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _end_with_parent() -> None:
    """End this process when its parent is killed; otherwise it would wait for chunks forever."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _play_chunk(first: int, last: int) -> Tally:
    """Play a chunk in a worker process."""
    assert _worker_play is not None
    return _worker_play(first, last)
