"""Signals that ask to stop."""

import signal
from typing import Any

import pytest

from cardgames.core.interruption import ending_as_ctrl_c, ends


def test_a_signal_while_handlers_are_set_or_restored_leaves_none_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    before = {number: signal.getsignal(number) for number in ends()}
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
                with ending_as_ctrl_c():
                    pass
            except KeyboardInterrupt:
                pass
        assert {number: signal.getsignal(number) for number in before} == before, moment
