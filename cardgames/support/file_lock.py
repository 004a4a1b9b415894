"""`locked`: a context manager that holds a lock file, which only one process at a time can hold."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cardgames.support.errors import InvalidInput


@contextmanager
def locked(lock: Path, busy_message: str, timeout: float = 0) -> Iterator[None]:
    """Context manager that holds the lock file `lock`, which only one process at a time can hold.

    Args:
        lock: The lock file. It is created if necessary, with its folder, and not removed afterwards.
        busy_message: Message of the error if another process holds the lock.
        timeout: Seconds to wait for the other process, -1 to wait without limit.

    Raises:
        InvalidInput: If another process holds the lock for longer than `timeout`, or the file cannot be locked.
    """
    from filelock import FileLock, Timeout  # imported late: it imports asyncio, which slows the start

    held = FileLock(lock, timeout=timeout)
    try:
        held.acquire()
    except Timeout:
        raise InvalidInput(busy_message) from None
    except (OSError, NotImplementedError) as error:
        raise InvalidInput(f"cannot lock {lock}: {error}") from None
    try:
        yield
    finally:
        held.release()
