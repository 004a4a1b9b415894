"""Signals that ask to stop."""

import faulthandler
import signal
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from cardgames.support import interruption
from cardgames.support.interruption import reinstall_handlers, signals_as_ctrl_c, stop_request, termination_signals


def test_a_signal_while_handlers_are_set_or_restored_leaves_none_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    before = {number: signal.getsignal(number) for number in termination_signals()}
    if signal.SIGTERM not in before:
        pytest.skip("ignored here")
    really = signal.signal
    changes, last = 0, 2 * len(before)

    def interrupted(number: int, handler: Any) -> Any:
        nonlocal changes
        changes += 1
        if changes == moment and signal.getsignal(signal.SIGTERM) is not before[signal.SIGTERM]:
            signal.raise_signal(signal.SIGTERM)
        return really(number, handler)

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
def test_a_signal_waits_until_machine_code_is_made(place: str) -> None:
    """As if it came within one of LLVM's callbacks, out of which nothing is raised."""
    if signal.getsignal(signal.SIGTERM) is signal.SIG_IGN:
        pytest.skip("ignored here")
    source = "def made():\n    signal.raise_signal(signal.SIGTERM)\n    time.sleep(0.1)\n    done.append(True)\n"
    done: list[bool] = []
    known: dict[str, Any] = {"signal": signal, "time": time, "done": done}
    exec(compile(source, str(Path("/lib") / place), "exec"), known)
    late = threading.Timer(10, done.append, (False,))
    late.start()
    with pytest.raises(KeyboardInterrupt), signals_as_ctrl_c():
        known["made"]()
        time.sleep(20)
    late.cancel()
    assert done == [True], "who waits is woken, and does not sleep to the end"


def test_signals_that_come_together_ask_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """As `timeout` sends them: to a process, then to its group."""
    told: list[bool] = []
    with stop_request(lambda: told.append(True)) as asked:
        assert not asked()
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        assert asked() and told == [True]
        monkeypatch.setattr(interruption, "_DEBOUNCE_SECONDS", -1)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.skipif(not hasattr(faulthandler, "register"), reason="no handlers but Python's")
def test_signals_are_heeded_again_where_a_library_took_them_over(tmp_path: Path) -> None:
    """As LLVM takes them over in Triton."""
    with (tmp_path / "told").open("w") as told, stop_request() as asked:
        faulthandler.register(signal.SIGTERM, told)
        try:
            signal.raise_signal(signal.SIGTERM)
            assert not asked()
            reinstall_handlers()
            signal.raise_signal(signal.SIGTERM)
            assert asked()
        finally:
            faulthandler.unregister(signal.SIGTERM)


def test_what_ends_is_not_interrupted_by_the_same_request(monkeypatch: pytest.MonkeyPatch) -> None:
    with signals_as_ctrl_c():
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        monkeypatch.setattr(interruption, "_DEBOUNCE_SECONDS", -1)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


@pytest.mark.parametrize("number", [getattr(signal, name) for name in ("SIGINT", "SIGHUP") if hasattr(signal, name)])
def test_a_command_that_is_to_ignore_a_signal_is_not_ended_by_it(number: int) -> None:
    """As under `nohup`, and in the background of a script."""
    before = signal.signal(number, signal.SIG_IGN)
    try:
        with signals_as_ctrl_c(), stop_request() as asked:
            signal.raise_signal(number)
            assert not asked() and signal.getsignal(number) is signal.SIG_IGN
    finally:
        signal.signal(number, before)
