"""Interruption by signals (Ctrl-C, SIGTERM, SIGHUP), so that a program stops where no work is lost."""

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
"""Signal number of the last signal that asked this process to stop."""
_RETRY_SECONDS = 0.02
"""Seconds after which a signal that came during a compilation is sent to this process again."""
_DEBOUNCE_SECONDS = 0.5
"""Seconds within which several signals count as one.

The command `timeout` sends its signal to the process and to its group; at shutdown SIGTERM and SIGHUP follow each
other.
"""
_TERMINATION_SIGNALS: list[int] = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
_COMPILER_PATHS = (f"{os.sep}llvmlite{os.sep}", os.sep + os.path.join("numba", "core", "codegen.py"))


def last_signal() -> int:
    """Return the number of the last signal that asked this process to stop; SIGINT (Ctrl-C) if there was none."""
    return _last


def termination_signals() -> list[int]:
    """Return the signals that ask a process to end: SIGTERM and, where it exists, SIGHUP.

    Signals that this process ignores are left out; `nohup`, for example, has a process ignore SIGHUP.
    """
    return _not_ignored(_TERMINATION_SIGNALS)


def _not_ignored(numbers: Iterable[int]) -> list[int]:
    """Return those of the signal `numbers` that this process does not ignore.

    Shell scripts, for example, start background jobs with SIGINT ignored.
    """
    return [number for number in numbers if signal.getsignal(number) is not signal.SIG_IGN]


@contextmanager
def signals_as_ctrl_c() -> Iterator[None]:
    """Context manager in which Ctrl-C and termination signals raise `KeyboardInterrupt`.

    While LLVM compiles, the signals are delayed: an exception raised inside one of its callbacks would be lost. Several
    signals within `_DEBOUNCE_SECONDS` raise only one exception.
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

    sigint = [signal.SIGINT] if signal.getsignal(signal.SIGINT) is signal.default_int_handler else []
    with _handled(_current_handlers([*sigint, *termination_signals()]), end):
        yield


def _send_to_main_thread(number: int) -> None:
    """Send the signal `number` to the main thread, which handles all signals; this wakes the thread if it waits."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, number)
    else:
        signal.raise_signal(number)


def _is_compiling(frame: FrameType | None) -> bool:
    """Return whether a stack frame lies within a call of the LLVM compiler (llvmlite, or Numba's code generator)."""
    while frame is not None:
        if any(part in frame.f_code.co_filename for part in _COMPILER_PATHS):
            return True
        frame = frame.f_back
    return False


@contextmanager
def stop_request(on_request: Callable[[], None] = lambda: None) -> Iterator[Callable[[], bool]]:
    """Context manager that yields a function which returns True once a signal has requested a stop.

    The first Ctrl-C or termination signal only requests the stop. A later one, after `_DEBOUNCE_SECONDS`, is handled as
    usual. Outside the main thread, which alone receives signals, the function always returns False.

    Args:
        on_request: Function called at the first signal. It may run at any point of the program and must not raise.
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
    """Reinstall Python's handlers of SIGINT and the termination signals after a library has replaced them.

    LLVM in Triton replaces them: its handler passes one signal on, but two at once end the process. Does nothing outside
    the main thread.
    """
    if threading.current_thread() is threading.main_thread():
        current = _current_handlers([signal.SIGINT, *_TERMINATION_SIGNALS])
        _restore({number: handler for number, handler in current.items() if handler is not None})


def _current_handlers(numbers: Iterable[int]) -> dict[int, Any]:
    return {number: signal.getsignal(number) for number in numbers}


@contextmanager
def _handled(before: Mapping[int, Any], handler: Callable[[int, Any], None]) -> Iterator[None]:
    """Context manager in which `handler` handles the signals that are the keys of `before` (signal -> its handler before).

    At the end the handlers in `before` are restored, even if a signal comes in between.
    """
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
    remaining = dict(handlers)
    try:
        for number, handler in handlers.items():
            # None: a handler that was not installed from Python
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
            del remaining[number]
    finally:
        if remaining:  # one of these signals came in between
            _restore(remaining)
