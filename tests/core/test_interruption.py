"""Signals that ask to stop."""

import signal
from typing import Any

import pytest

from cardgames.core.interruption import ending_as_ctrl_c


def test_a_signal_while_handlers_are_set_leaves_none_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    before = signal.getsignal(signal.SIGTERM)
    if before is signal.SIG_IGN:
        pytest.skip("ignored here")
    really = signal.signal

    def interrupted(number: int, handler: Any) -> Any:
        found = really(number, handler)
        if number == signal.SIGTERM and handler is not before:
            signal.raise_signal(signal.SIGTERM)
        return found

    monkeypatch.setattr(signal, "signal", interrupted)
    with pytest.raises(KeyboardInterrupt), ending_as_ctrl_c():
        raise AssertionError("it was interrupted before")
    assert signal.getsignal(signal.SIGTERM) is before
