"""`cardgames solve`, and `play` and `search-debug` of positions in which all cards are known."""

import io
import json
import pathlib

import pytest

import cardgames
from cardgames.records.recorder import Recorder
from tests.command import call, is_one_line

ENDGAME = "hands=3455KK|345522|3 landlord=0 to_move=0"


def test_solve_prints_value_moves_and_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(monkeypatch, "solve", "doudizhu", "--rules", "online", "--position", ENDGAME) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "value: win"
    assert lines[2] == "winning moves: 4, 5"
    assert lines[3].startswith("principal line: ")


def test_solve_prints_one_json_object(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    position = "hands=5BR|668|79T landlord=0 to_move=0"
    options = ("--rules", "douzero", "--objective", "payoff", "--json")
    assert call(monkeypatch, "solve", "doudizhu", "--position", position, *options) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["value"], data["unit"], data["complete"]) == (4.0, "points", True)
    assert sorted(data["winning"]) == ["5", "BR"]
    assert set(data) == {"value", "unit", "winning", "line", "nodes", "seconds", "complete"}


def test_solve_stopped_by_its_limit_says_what_it_knows(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    position = "hands=3366789TJQKKR|789TJQKAA|3 landlord=0"
    shown = ("solve", "doudizhu", "--rules", "online", "--position", position, "--nodes", "1000")
    assert call(monkeypatch, *shown) == 0
    out = capsys.readouterr().out
    assert "value: unknown" in out and "losing moves (so far): " in out and "the limit of nodes was reached" in out
    assert call(monkeypatch, *shown, "--json") == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["value"], data["complete"], data["winning"]) == (None, False, [])


def test_open_position_of_uno(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    position = "hands=rs gs w|g1 g2 y5 top=r8 draw=b1 r9 pile=2"
    assert call(monkeypatch, "solve", "uno", "--position", position) == 0
    assert "value: win" in capsys.readouterr().out
    state = cardgames.make("uno").position(hands=["rs gs w", "g1 g2 y5"], top="r8", seed=1)
    assert call(monkeypatch, "solve", "uno", "--position", json.dumps(state.to_dict()), "--nodes", "2000") == 0
    assert "value: win" in capsys.readouterr().out


def test_position_of_a_record(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: pathlib.Path
) -> None:
    game = cardgames.make("doudizhu", rules="cql")
    state = game.new_initial_state(seed=3)
    with Recorder(tmp_path / "game.jsonl", game, ["frugal"] * 3, 3) as recorder:
        recorder.begin(state)
        agent, ply = cardgames.agent("frugal", game, 0), 0
        while not state.is_terminal():
            action = agent.act(state.observation()).action
            state.apply_action(action)
            recorder.step(state, action)
            ply += 1
        recorder.end(state)
    record = ("--record", str(tmp_path / "game.jsonl"), "--ply")
    assert call(monkeypatch, "solve", "doudizhu", *record, str(ply - 6), "--json") == 0
    assert json.loads(capsys.readouterr().out)["complete"]
    assert call(monkeypatch, "search-debug", "doudizhu", "--agent", "solver", *record, str(ply - 6), "--plain") == 0
    assert "solver plays" in capsys.readouterr().out
    assert call(monkeypatch, "solve", "doudizhu", *record, str(ply)) == 2
    assert "the round is over in this position" in capsys.readouterr().err


def test_search_debug_of_agents_that_see_all_cards(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = ("search-debug", "doudizhu", "--rules", "online", "--plain", "--position", ENDGAME)
    for agent in ("solver", "cheating-all:simulations=20", "cheating-hands:simulations=20"):
        assert call(monkeypatch, *shown, "--agent", agent) == 0
        assert "plays" in capsys.readouterr().out


def test_play_from_a_position_with_open_hands(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    played = (
        "play",
        "doudizhu",
        "--rules",
        "online",
        "--vs",
        "solver",
        "--plain",
        "--position",
        ENDGAME,
        "--seed",
        "1",
    )
    monkeypatch.setattr("sys.stdin", io.StringIO("4\nx\n"))
    assert call(monkeypatch, *played, "--open") == 0
    out = capsys.readouterr().out
    assert "solver 1: peasant, 3 4 55 22" in out and "your hand (landlord): 3 4 55 KK" in out
    monkeypatch.setattr("sys.stdin", io.StringIO("x\n"))
    assert call(monkeypatch, *played) == 0
    assert "solver 1: peasant, 6 cards" in capsys.readouterr().out
    assert call(monkeypatch, "play", "uno", "--plain", "--position", "hands=r1|g1") == 2
    assert is_one_line(capsys.readouterr().err)
