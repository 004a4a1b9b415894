"""Being asked to stop, and stopping where nothing is lost."""

import math
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import Any

_last: int = signal.SIGINT
_SOON = 0.02
"""Seconds until a signal that came at a bad moment comes again."""
_TOGETHER = 0.5
"""Seconds in which signals ask once: `timeout` sends its own to the process and to its group, and where a machine shuts
down SIGTERM and SIGHUP follow each other.
"""
_ENDS: list[int] = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
_CODE_MAKERS = (f"{os.sep}llvmlite{os.sep}", os.sep + os.path.join("numba", "core", "codegen.py"))


def last_signal() -> int:
    """Return the signal by which this process was asked to stop last: one of `ends`, else Ctrl-C's."""
    return _last


def ends() -> list[int]:
    """Return the signals that ask a process to end: SIGTERM, and SIGHUP where there is such and it is heeded (it is not
    under `nohup`).
    """
    return _heeded(_ENDS)


def _heeded(numbers: Iterable[int]) -> list[int]:
    """Return those signals that are not ignored: scripts start what is to run in the background without Ctrl-C."""
    return [number for number in numbers if signal.getsignal(number) is not signal.SIG_IGN]


@contextmanager
def ending_as_ctrl_c() -> Iterator[None]:
    """Have Ctrl-C, and the signals that ask a process to end, raise `KeyboardInterrupt`. While LLVM compiles they are put
    off: an exception raised inside one of its callbacks would be lost. Those that come together raise it once.
    """
    _note(signal.SIGINT)
    raised = -math.inf

    def end(number: int, frame: FrameType | None) -> None:
        nonlocal raised
        if time.monotonic() - raised < _TOGETHER:
            return
        _note(number)
        if _makes_code(frame):
            again = threading.Timer(_SOON, _send_to_main_thread, (number,))
            again.daemon = True
            again.start()
            return
        raised = time.monotonic()
        raise KeyboardInterrupt

    heeded = [signal.SIGINT] if signal.getsignal(signal.SIGINT) is signal.default_int_handler else []
    with _handled(_current([*heeded, *ends()]), end):
        yield


def _send_to_main_thread(number: int) -> None:
    """Send a signal to the thread that handles signals, which wakes it if it waits."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, number)
    else:
        signal.raise_signal(number)


def _makes_code(frame: FrameType | None) -> bool:
    """Return whether a frame lies within what makes machine code."""
    while frame is not None:
        if any(part in frame.f_code.co_filename for part in _CODE_MAKERS):
            return True
        frame = frame.f_back
    return False


@contextmanager
def interruptible(told: Callable[[], None] = lambda: None) -> Iterator[Callable[[], bool]]:
    """Give a function that tells whether Ctrl-C was pressed or the process asked to end; a second time, unless it comes
    together with the first, does as usual. `told` is called at the first time, in the midst of anything: it must not raise.

    In another thread than the main one, which alone is told, it always says no.
    """
    asked = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield asked.is_set
        return

    first = math.inf

    def ask(number: int, frame: Any) -> None:
        nonlocal first
        if not asked.is_set():
            first = time.monotonic()
            _note(number)
            asked.set()
            told()
        elif time.monotonic() - first > _TOGETHER:
            _restore(before)
            signal.raise_signal(number)

    before = _current(_heeded([signal.SIGINT, *_ENDS]))
    with _handled(before, ask):
        yield asked.is_set


def heed_signals_again() -> None:
    """Put Python's handlers of Ctrl-C and of the signals that ask to end back, where a library put its own in front: LLVM
    does in Triton, and passes one signal on, but two at once end the process. In another thread than the main one, do
    nothing.
    """
    if threading.current_thread() is threading.main_thread():
        current = _current([signal.SIGINT, *_ENDS])
        _restore({number: handler for number, handler in current.items() if handler is not None})


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
