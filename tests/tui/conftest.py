"""What holds for all tests of screens."""

import pytest

from cardgames.kernels import compile_cache


@pytest.fixture(autouse=True)
def machine_that_knows_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing has to be compiled first, whatever was played here before, and nothing is noted of what tests play."""
    monkeypatch.setattr(compile_cache, "is_marked_compiled", lambda what: True)
    monkeypatch.setattr(compile_cache, "mark_compiled", lambda what: None)
