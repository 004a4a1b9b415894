"""What a machine is known to have compiled: games by their rounds, and agents that search one by one."""

import pytest

from cardgames.arena import warmup
from cardgames.kernels import compile_cache
from tests.tui.company import FakeSearch, Scripted


@pytest.fixture
def notes(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """What was noted on a machine new to everything."""
    noted: set[str] = set()
    monkeypatch.setattr(compile_cache, "mark_compiled", noted.add)
    monkeypatch.setattr(compile_cache, "is_marked_compiled", noted.__contains__)
    return noted


@pytest.mark.usefixtures("notes")
def test_a_game_is_known_apart_from_searches_and_these_one_by_one() -> None:
    is_searcher, follows = FakeSearch(), Scripted()
    assert not warmup.is_game_compiled("uno") and not warmup.is_agent_compiled("uno", is_searcher)
    assert warmup.is_agent_compiled("uno", follows) and warmup.is_agent_compiled("uno", None)
    warmup.mark_game_compiled("uno")
    warmup.mark_agent_compiled("uno", follows)
    assert warmup.is_game_compiled("uno") and not warmup.is_agent_compiled("uno", is_searcher)
    warmup.mark_agent_compiled("uno", is_searcher)
    assert warmup.is_agent_compiled("uno", is_searcher) and not warmup.is_agent_compiled("doudizhu", is_searcher)


def test_a_round_played_beforehand_is_noted(notes: set[str]) -> None:
    warmup.play_once("uno", "")
    assert notes == {"uno"}
    warmup.play_once("uno", "mcts:simulations=2,trees=1")
    assert notes == {"uno", "uno mcts"}


def test_where_nothing_can_be_kept_nothing_is_compiled_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warmup, "CACHE_WRITABLE", False)
    monkeypatch.setattr(warmup.subprocess, "Popen", lambda *_, **__: pytest.fail("a process began"))
    assert warmup.compile_in_subprocess("uno", "") is None
