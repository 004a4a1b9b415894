"""Being asked to stop, and stopping where nothing is lost."""

import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

_last: int = signal.SIGINT


def last_signal() -> int:
    """Return the signal by which this process was asked to stop last: one of `ends`, else Ctrl-C's."""
    return _last


def ends() -> list[int]:
    """Return the signals that ask a process to end: SIGTERM, and SIGHUP where there is such and it is heeded (it is not
    under `nohup`).
    """
    found = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    return [number for number in found if signal.getsignal(number) is not signal.SIG_IGN]


@contextmanager
def ending_as_ctrl_c() -> Iterator[None]:
    """Have the signals that ask a process to end raise `KeyboardInterrupt`, as Ctrl-C does."""
    _note(signal.SIGINT)

    def end(number: int, frame: Any) -> None:
        _note(number)
        raise KeyboardInterrupt

    with _handled(_current(ends()), end):
        yield


@contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """Give a function that tells whether Ctrl-C was pressed or the process asked to end; a second time does as usual.

    In another thread than the main one, which alone is told, it always says no.
    """
    asked = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield asked.is_set
        return

    def ask(number: int, frame: Any) -> None:
        _note(number)
        asked.set()
        _restore(before)

    before = _current([signal.SIGINT, *ends()])
    with _handled(before, ask):
        yield asked.is_set


def _current(numbers: Iterable[int]) -> dict[int, Any]:
    return {number: signal.getsignal(number) for number in numbers}


@contextmanager
def _handled(before: Mapping[int, Any], handler: Callable[[int, Any], None]) -> Iterator[None]:
    """Have signals handled by `handler` meanwhile, and as `before` in the end, should one come in between as well."""
    try:
        for number in before:
            signal.signal(number, handler)
        yield
    finally:
        _restore(before)


def _note(number: int) -> None:
    global _last
    _last = number


def _restore(handlers: Mapping[int, Any]) -> None:
    left = dict(handlers)
    try:
        for number, handler in handlers.items():
            # None: one that is not Python's
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
            del left[number]
    finally:
        if left:  # one of these signals came in between
            _restore(left)
