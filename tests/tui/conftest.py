"""What holds for all tests of screens."""

import pytest

from cardgames.core import machine_code


@pytest.fixture(autouse=True)
def machine_that_knows_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing has to be compiled first, whatever was played here before, and nothing is noted of what tests play."""
    monkeypatch.setattr(machine_code, "is_noted", lambda what: True)
    monkeypatch.setattr(machine_code, "note", lambda what: None)
