"""Locks, by which processes keep out of each other's way."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cardgames.support.errors import InvalidInput


@contextmanager
def locked(lock: Path, busy_message: str, timeout: float = 0) -> Iterator[None]:
    """Hold a lock: a file, which is made if need be, with its folder, and stays. Raises `InvalidInput` with the words `busy_message`
    if another process holds it for longer than `timeout`, in seconds (-1: that does not matter); and if there can be no
    lock there.
    """
    from filelock import FileLock, Timeout  # late: it brings along asyncio, which games do without

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
