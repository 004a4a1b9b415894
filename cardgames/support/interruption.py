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
_RETRY_SECONDS = 0.02
"""Seconds until a signal that came at a bad moment comes again."""
_DEBOUNCE_SECONDS = 0.5
"""Seconds in which signals ask once: `timeout` sends its own to the process and to its group, and where a machine shuts
down SIGTERM and SIGHUP follow each other.
"""
_TERMINATION_SIGNALS: list[int] = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
_COMPILER_PATHS = (f"{os.sep}llvmlite{os.sep}", os.sep + os.path.join("numba", "core", "codegen.py"))


def last_signal() -> int:
    """Return the signal by which this process was asked to stop last: one of `termination_signals`, else Ctrl-C's."""
    return _last


def termination_signals() -> list[int]:
    """Return the signals that ask a process to end: SIGTERM, and SIGHUP where there is such and it is heeded (it is not
    under `nohup`).
    """
    return _not_ignored(_TERMINATION_SIGNALS)


def _not_ignored(numbers: Iterable[int]) -> list[int]:
    """Return those signals that are not ignored: scripts start what is to run in the background without Ctrl-C."""
    return [number for number in numbers if signal.getsignal(number) is not signal.SIG_IGN]


@contextmanager
def signals_as_ctrl_c() -> Iterator[None]:
    """Have Ctrl-C, and the signals that ask a process to end, raise `KeyboardInterrupt`. While LLVM compiles they are put
    off: an exception raised inside one of its callbacks would be lost. Those that come together raise it once.
    """
    _set_last_signal(signal.SIGINT)
    raised = -math.inf

    def end(number: int, frame: FrameType | None) -> None:
        nonlocal raised
        if time.monotonic() - raised < _DEBOUNCE_SECONDS:
            return
        _set_last_signal(number)
        if _is_compiling(frame):
            again = threading.Timer(_RETRY_SECONDS, _send_to_main_thread, (number,))
            again.daemon = True
            again.start()
            return
        raised = time.monotonic()
        raise KeyboardInterrupt

    heeded = [signal.SIGINT] if signal.getsignal(signal.SIGINT) is signal.default_int_handler else []
    with _handled(_current_handlers([*heeded, *termination_signals()]), end):
        yield


def _send_to_main_thread(number: int) -> None:
    """Send a signal to the thread that handles signals, which wakes it if it waits."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, number)
    else:
        signal.raise_signal(number)


def _is_compiling(frame: FrameType | None) -> bool:
    """Return whether a frame lies within what makes machine code."""
    while frame is not None:
        if any(part in frame.f_code.co_filename for part in _COMPILER_PATHS):
            return True
        frame = frame.f_back
    return False


@contextmanager
def stop_request(on_request: Callable[[], None] = lambda: None) -> Iterator[Callable[[], bool]]:
    """Give a function that tells whether Ctrl-C was pressed or the process asked to end; a second time, unless it comes
    together with the first, does as usual. `on_request` is called at the first time, in the midst of anything: it must not raise.

    In another thread than the main one, which alone is told, it always says no.
    """
    requested = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield requested.is_set
        return

    first = math.inf

    def on_signal(number: int, frame: Any) -> None:
        nonlocal first
        if not requested.is_set():
            first = time.monotonic()
            _set_last_signal(number)
            requested.set()
            on_request()
        elif time.monotonic() - first > _DEBOUNCE_SECONDS:
            _restore(before)
            signal.raise_signal(number)

    before = _current_handlers(_not_ignored([signal.SIGINT, *_TERMINATION_SIGNALS]))
    with _handled(before, on_signal):
        yield requested.is_set


def reinstall_handlers() -> None:
    """Put Python's handlers of Ctrl-C and of the signals that ask to end back, where a library put its own in front: LLVM
    does in Triton, and passes one signal on, but two at once end the process. In another thread than the main one, do
    nothing.
    """
    if threading.current_thread() is threading.main_thread():
        current = _current_handlers([signal.SIGINT, *_TERMINATION_SIGNALS])
        _restore({number: handler for number, handler in current.items() if handler is not None})


def _current_handlers(numbers: Iterable[int]) -> dict[int, Any]:
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


def _set_last_signal(number: int) -> None:
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
