"""Theorem 3.1 of paper 001, measured."""

import pytest

from cardgames.reproduce import theorem31
from cardgames.reproduce.request import Request


def test_an_interrupt_leaves_what_was_measured() -> None:
    def interrupt(words: str) -> None:
        raise KeyboardInterrupt

    rows = theorem31.run(Request(5, note=interrupt))
    first = next(rows)
    assert first["turns"] == [1, 5] and first["decisions"] <= 5
    with pytest.raises(KeyboardInterrupt):
        list(rows)
