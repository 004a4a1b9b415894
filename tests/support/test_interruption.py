"""Tests of interruption by Ctrl-C and termination signals."""

import faulthandler
import signal
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from cardgames.support import interruption
from cardgames.support.interruption import reinstall_handlers, signals_as_ctrl_c, stop_request, termination_signals


def test_handlers_are_restored_if_a_signal_comes_while_they_change(monkeypatch: pytest.MonkeyPatch) -> None:
    before = {number: signal.getsignal(number) for number in termination_signals()}
    if signal.SIGTERM not in before:
        pytest.skip("ignored here")
    original = signal.signal
    changes, last = 0, 2 * len(before)

    def interrupted(number: int, handler: Any) -> Any:
        nonlocal changes
        changes += 1
        if changes == moment and signal.getsignal(signal.SIGTERM) is not before[signal.SIGTERM]:
            signal.raise_signal(signal.SIGTERM)
        return original(number, handler)

    for moment in range(2, last + 1):
        changes = 0
        with monkeypatch.context() as patched:
            patched.setattr(signal, "signal", interrupted)
            try:
                with signals_as_ctrl_c():
                    pass
            except KeyboardInterrupt:
                pass
        assert {number: signal.getsignal(number) for number in before} == before, moment


@pytest.mark.parametrize("place", ["llvmlite/binding/executionengine.py", "numba/core/codegen.py"])
def test_signal_during_compilation_is_delayed(place: str) -> None:
    """Exceptions raised inside a callback of LLVM would be lost."""
    if signal.getsignal(signal.SIGTERM) is signal.SIG_IGN:
        pytest.skip("ignored here")
    source = (
        "def compile_kernel():\n    signal.raise_signal(signal.SIGTERM)\n    time.sleep(0.1)\n    done.append(True)\n"
    )
    done: list[bool] = []
    namespace: dict[str, Any] = {"signal": signal, "time": time, "done": done}
    exec(compile(source, str(Path("/lib") / place), "exec"), namespace)
    timer = threading.Timer(10, done.append, (False,))
    timer.start()
    with pytest.raises(KeyboardInterrupt), signals_as_ctrl_c():
        namespace["compile_kernel"]()
        time.sleep(20)
    timer.cancel()
    assert done == [True], "the sleeping main thread is interrupted"


def test_signals_in_quick_succession_count_once_for_stop_request(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command `timeout` sends its signal to a process and then to its group."""
    requests: list[bool] = []
    with stop_request(lambda: requests.append(True)) as stop_requested:
        assert not stop_requested()
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        assert stop_requested() and requests == [True]
        monkeypatch.setattr(interruption, "_DEBOUNCE_SECONDS", -1)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.skipif(not hasattr(faulthandler, "register"), reason="no way to install a handler outside Python")
def test_reinstall_handlers_after_a_library_replaced_them(tmp_path: Path) -> None:
    """LLVM in Triton replaces the handlers of Python."""
    with (tmp_path / "trace").open("w") as trace_file, stop_request() as stop_requested:
        faulthandler.register(signal.SIGTERM, trace_file)
        try:
            signal.raise_signal(signal.SIGTERM)
            assert not stop_requested()
            reinstall_handlers()
            signal.raise_signal(signal.SIGTERM)
            assert stop_requested()
        finally:
            faulthandler.unregister(signal.SIGTERM)


def test_signals_in_quick_succession_raise_keyboard_interrupt_once(monkeypatch: pytest.MonkeyPatch) -> None:
    with signals_as_ctrl_c():
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        monkeypatch.setattr(interruption, "_DEBOUNCE_SECONDS", -1)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


@pytest.mark.parametrize("number", [getattr(signal, name) for name in ("SIGINT", "SIGHUP") if hasattr(signal, name)])
def test_ignored_signals_stay_ignored(number: int) -> None:
    """`nohup` ignores SIGHUP, and background jobs of shell scripts ignore SIGINT."""
    before = signal.signal(number, signal.SIG_IGN)
    try:
        with signals_as_ctrl_c(), stop_request() as stop_requested:
            signal.raise_signal(number)
            assert not stop_requested() and signal.getsignal(number) is signal.SIG_IGN
    finally:
        signal.signal(number, before)
