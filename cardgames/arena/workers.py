"""Worker processes that play parts of a match (chunks of deals), and end when their parent process does."""

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
"""Function of (first, last) that plays the blocks `first` to `last` - 1 of a match (a block is all games of one deal)."""

_WORKER_DIED = (
    "a worker process was killed, perhaps for lack of memory (try fewer jobs); a script with more than one job needs "
    "if __name__ == '__main__'"
)

_worker_play: PlayBlocks | None = None
"""Function that a worker process calls for every chunk of blocks; None in the parent process.

It is the same object for all chunks, so that networks are loaded only once.
"""


def map_chunks(play: PlayBlocks, chunks: Iterable[tuple[int, int]], jobs: int) -> Iterator[Tally]:
    """Let `jobs` worker processes play chunks of a match, and yield the chunks' tallies in order.

    After Ctrl-C or an error the tallies of all chunks before the first unfinished one are still yielded, then the exception
    is raised. Chunks that finished after an unfinished one are dropped, since counting them would favor short games.

    Args:
        play: Function that plays a chunk; it has to be picklable.
        chunks: (first block, last block + 1) of each chunk.
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
    """Wait for the first future in `running`, remove it from the queue and return its tally.

    If the wait is interrupted, the future stays in the queue.
    """
    tally = running[0].result()
    running.popleft()
    return tally


def _succeeded(future: Future[Tally]) -> bool:
    return future.done() and not future.exception()


@contextmanager
def sigint_blocked() -> Iterator[None]:
    """Block Ctrl-C (SIGINT) in this thread inside the `with` block, and in processes started there until they unblock it.

    Worker processes unblock it in `_start_worker`; during their imports Ctrl-C would print a traceback. Does nothing on
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
    """Provide a pool of `jobs` worker processes for the `with` block.

    An exception in the block terminates the workers in the middle of a game, since a game of slow searches may take minutes.
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
    """Initialize a worker process: store `play`, watch the parent process, and let Ctrl-C end the worker at once."""
    global _worker_play
    _worker_play = play
    threading.Thread(target=_end_with_parent, daemon=True).start()
    # Ctrl-C ends the worker at once, without a traceback: its unfinished chunk is lost anyway
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _end_with_parent() -> None:
    """Wait until the parent process ends, then end this worker process; it would otherwise wait for work forever."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _play_chunk(first: int, last: int) -> Tally:
    """Play the blocks `first` to `last` - 1 of the match in this worker process, and return their counts."""
    assert _worker_play is not None
    return _worker_play(first, last)
