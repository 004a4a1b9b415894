"""What a machine is known to have compiled: games by their rounds, and agents that search one by one."""

import pytest

from cardgames.core import machine_code, warmup
from tests.tui.company import FakeSearch, Scripted


@pytest.fixture
def marks(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """What was noted on a machine new to everything."""
    noted: set[str] = set()
    monkeypatch.setattr(machine_code, "note_warm", noted.add)
    monkeypatch.setattr(machine_code, "is_warm", noted.__contains__)
    return noted


def test_a_game_is_known_apart_from_searches_and_these_one_by_one(marks: set[str]) -> None:
    searches, follows = FakeSearch(), Scripted()
    assert not warmup.is_warm("uno", [])
    warmup.note_playable("uno")
    assert warmup.is_warm("uno", [None, follows]) and not warmup.is_warm("doudizhu", [])
    assert not warmup.is_warm("uno", [None, searches])
    warmup.note_searched("uno", [searches, follows, None])
    assert warmup.is_warm("uno", [None, searches])
    assert not warmup.have_searched("doudizhu", [searches])


def test_a_search_in_one_position_tells_of_no_round(marks: set[str]) -> None:
    warmup.note_searched("uno", [FakeSearch()])
    assert warmup.have_searched("uno", [FakeSearch()]) and not warmup.is_warm("uno", [FakeSearch()])


def test_a_round_played_beforehand_is_noted(marks: set[str]) -> None:
    warmup.play_once("uno", "")
    assert marks == {"uno"}
    warmup.play_once("uno", "mcts:simulations=2,trees=1")
    assert marks == {"uno", "uno mcts"}
