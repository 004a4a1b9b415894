"""Fixture for all tests of the terminal."""

import pytest

from cardgames.kernels import compile_cache


@pytest.fixture(autouse=True)
def everything_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Treat everything as compiled, and do not record what the tests compile."""
    monkeypatch.setattr(compile_cache, "is_marked_compiled", lambda what: True)
    monkeypatch.setattr(compile_cache, "mark_compiled", lambda what: None)
