"""What a machine is known to have compiled: games by their rounds, and agents that search one by one."""

import pytest

from cardgames.arena import warmup
from cardgames.kernels import compile_cache
from tests.tui.company import FakeSearch, Scripted


@pytest.fixture
def notes(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """What was noted on a machine new to everything."""
    noted: set[str] = set()
    monkeypatch.setattr(compile_cache, "note", noted.add)
    monkeypatch.setattr(compile_cache, "is_noted", noted.__contains__)
    return noted


@pytest.mark.usefixtures("notes")
def test_a_game_is_known_apart_from_searches_and_these_one_by_one() -> None:
    searches, follows = FakeSearch(), Scripted()
    assert not warmup.knows_rules("uno") and not warmup.knows_search("uno", searches)
    assert warmup.knows_search("uno", follows) and warmup.knows_search("uno", None)
    warmup.note_rules("uno")
    warmup.note_search("uno", follows)
    assert warmup.knows_rules("uno") and not warmup.knows_search("uno", searches)
    warmup.note_search("uno", searches)
    assert warmup.knows_search("uno", searches) and not warmup.knows_search("doudizhu", searches)


def test_a_round_played_beforehand_is_noted(notes: set[str]) -> None:
    warmup.play_once("uno", "")
    assert notes == {"uno"}
    warmup.play_once("uno", "mcts:simulations=2,trees=1")
    assert notes == {"uno", "uno mcts"}


def test_where_nothing_can_be_kept_nothing_is_compiled_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warmup, "KEEPING", False)
    monkeypatch.setattr(warmup.subprocess, "Popen", lambda *_, **__: pytest.fail("a process began"))
    assert warmup.compile_apart("uno", "") is None
