"""Marks of what a machine has compiled: each game, and each search agent."""

import pytest

from cardgames.arena import warmup
from cardgames.kernels import compile_cache
from tests.tui.company import FakeSearch, Scripted


@pytest.fixture
def marks(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Replace the marks of the compile cache by an empty set, and return it."""
    marked: set[str] = set()
    monkeypatch.setattr(compile_cache, "mark_compiled", marked.add)
    monkeypatch.setattr(compile_cache, "is_marked_compiled", marked.__contains__)
    return marked


@pytest.mark.usefixtures("marks")
def test_game_and_each_search_agent_are_marked_separately() -> None:
    searcher, scripted = FakeSearch(), Scripted()
    assert not warmup.is_game_compiled("uno") and not warmup.is_agent_compiled("uno", searcher)
    assert warmup.is_agent_compiled("uno", scripted) and warmup.is_agent_compiled("uno", None)
    warmup.mark_game_compiled("uno")
    warmup.mark_agent_compiled("uno", scripted)
    assert warmup.is_game_compiled("uno") and not warmup.is_agent_compiled("uno", searcher)
    warmup.mark_agent_compiled("uno", searcher)
    assert warmup.is_agent_compiled("uno", searcher) and not warmup.is_agent_compiled("doudizhu", searcher)


def test_play_once_marks_game_and_agent_as_compiled(marks: set[str]) -> None:
    warmup.play_once("uno", "")
    assert marks == {"uno"}
    warmup.play_once("uno", "mcts:setting=paper,simulations=2,trees=1")
    assert marks == {"uno", "uno mcts"}


def test_no_process_compiles_if_the_cache_cannot_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warmup, "CACHE_WRITABLE", False)
    monkeypatch.setattr(warmup.subprocess, "Popen", lambda *_, **__: pytest.fail("a process was started"))
    assert warmup.compile_in_subprocess("uno", "") is None
