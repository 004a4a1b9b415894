"""`cardgames arena`: its output, also after an interrupt or an error, its options and the names of agents."""

import json
import os
import signal
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import cardgames
from cardgames.agents.agent import Limit
from cardgames.agents.agent_names import split_agents
from cardgames.agents.agent_ratings import read_ratings
from cardgames.arena.match import play_match
from cardgames.arena.results import MatchResult
from cardgames.cli import progress
from cardgames.core.game import Game
from cardgames.support.errors import InvalidInput
from tests.cli.acting import Interrupting
from tests.command import PATIENCE, call, run, start


def test_arena_prints_one_json_object_or_tables(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    names = "random:by=copies,reflex:color=random"
    assert call(monkeypatch, "arena", "uno", "--agents", names, "--games", "9", "--seed", "1", "--json") == 0
    result = json.loads(capsys.readouterr().out)
    assert result["games"] == 10 and [entry["name"] for entry in result["agents"]] == names.split(",")
    assert call(monkeypatch, "arena", "uno", "--agents", "random,reflex,random", "--round-robin", "--games", "4") == 0
    out = capsys.readouterr().out
    assert out.count("agent ") == 4 and "12 games" in out


@pytest.mark.parametrize(("rules", "each"), [("rlcard", "each to 3 won rounds"), ("official", "each to 3 points")])
def test_status_of_matches_names_the_match_score(
    rules: str, each: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "_FIRST_LOG_SECONDS", 0.001)
    short = ("arena", "uno", "--agents", "reflex,random", "--games", "2", "--match", "--rule", "match-score=3")
    assert call(monkeypatch, *short, "--rules", rules, "--seed", "1") == 0
    assert each in capsys.readouterr().err


def test_interrupted_arena_prints_finished_games(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    agents = "tests.cli.acting:interrupting,random"
    assert call(monkeypatch, "arena", "uno", "--agents", agents, "--games", "1000", "--seed", "1", "--json") == 130
    captured = capsys.readouterr()
    result = json.loads(captured.out)
    assert 0 < result["games"] < result["games_requested"] == 1000
    assert captured.err == ""
    monkeypatch.setattr(Interrupting, "decisions", 0)
    assert call(monkeypatch, "arena", "uno", "--agents", agents, "--games", "1000", "--seed", "1") == 130
    assert capsys.readouterr().out.startswith(f"stopped after {result['games']} of 1,000 games\n")


def test_finished_arena_omits_games_requested(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(monkeypatch, "arena", "uno", "--agents", "reflex,random", "--games", "2", "--seed", "1", "--json") == 0
    assert "games_requested" not in json.loads(capsys.readouterr().out)


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_sigterm_ends_arena_without_waiting_for_thinking_workers() -> None:
    agents = ["--agents", "tests.cli.acting:pondering,random"]
    arena = start(
        "arena", "uno", "--rules", "rlcard", *agents, "--games", "1000", "--jobs", "2", "--seed", "1", "--json"
    )
    assert arena.stderr is not None and arena.stderr.readline() == "pondering\n"
    arena.terminate()
    out, err = arena.communicate(timeout=PATIENCE)
    assert arena.returncode == 128 + signal.SIGTERM
    assert 0 < json.loads(out)["games"] < 1000 and err in ("", "pondering\n")


def test_agent_that_fails_late_keeps_finished_games(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Interrupting, "decisions", 0)
    agents = "tests.cli.acting:failing_late,random"
    assert call(monkeypatch, "arena", "uno", "--agents", agents, "--games", "1000", "--seed", "1", "--json") == 2
    captured = capsys.readouterr()
    assert 0 < json.loads(captured.out)["games"] < 1000
    assert "9999 is not legal" in captured.err and captured.err.count("\n") == 1


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_output_of_agents_goes_to_standard_error(jobs: str) -> None:
    agents = "tests.cli.acting:talkative,random"
    code, out, err = run(
        "arena", "uno", "--rules", "rlcard", "--agents", agents, "--games", "4", "--jobs", jobs, "--json"
    )
    assert code == 0 and json.loads(out)["games"] == 4
    assert "here I am" in err


def test_split_agents_keeps_options_with_their_agent() -> None:
    assert split_agents("a,b:x=1,y=2,c") == ["a", "b:x=1,y=2", "c"]
    assert split_agents("m:f:x=1, y=a:b,z") == ["m:f:x=1,y=a:b", "z"]


@pytest.mark.parametrize("text", ["", "random,", "random,,random"])
def test_split_agents_refuses_empty_names(text: str) -> None:
    with pytest.raises(InvalidInput, match="name is missing"):
        split_agents(text)


def test_arena_takes_a_positive_time_per_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    options = ["--games", "2", "--time", "0.001", "--agents", "mcts,random"]
    assert call(monkeypatch, "arena", "uno", "--rules", "rlcard", *options) == 0
    assert call(monkeypatch, "arena", "uno", "--time", "0", "--agents", "mcts,random") == 2


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_workers_end_when_the_main_process_is_killed() -> None:
    """`communicate` returns only when all workers are gone, since they hold standard error open."""
    agents = "tests.cli.acting:talkative,random"
    process = start("arena", "uno", "--rules", "rlcard", "--agents", agents, "--games", "1000000", "--jobs", "2")
    assert process.stderr is not None
    talk = (line for line in process.stderr if "here I am" in line)
    assert len(list(islice(talk, 200))) == 200, "by then the workers play too, not only the process that is killed"
    process.kill()
    process.communicate(timeout=PATIENCE)


def test_arena_options_reach_play_match(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[object, ...]] = []

    def played(
        game: Game, agents: list[str], games: int, seed: int, jobs: int, limit: Limit, progress: Any, match: bool
    ) -> MatchResult:
        calls.append((agents, games, seed, jobs, limit, match))
        return play_match(game, agents, games)

    monkeypatch.setattr("cardgames.arena.match.play_match", played)
    options = ["--games", "4", "--seed", "7", "--jobs", "3", "--time", "0.5", "--match"]
    assert call(monkeypatch, "arena", "uno", "--agents", "random,reflex", *options) == 0
    assert calls == [(["random", "reflex"], 4, 7, 3, Limit(time=0.5), True)]


RATED = ("arena", "uno", "--rules", "rlcard", "--ratings", "--games", "40", "--seed", "3")


def test_ratings_are_printed_as_text_and_as_json(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    agents = "random,reflex,mcts:simulations=20"
    assert call(monkeypatch, *RATED, "--agents", agents) == 0
    source, head, *rows, note = capsys.readouterr().out.splitlines()
    assert source.startswith("uno, rlcard rules, 2 players, 120 games, seed 3, ") and head.startswith("agent")
    assert {row.split()[0] for row in rows} == {"random", "reflex", "mcts:simulations=20"}
    assert next(row for row in rows if row.startswith("random")).split()[1:5] == ["0", "0", "to", "0"]
    assert note == "Ratings are Elo points above random."
    assert call(monkeypatch, *RATED, "--agents", agents, "--anchor", "reflex", "--json") == 0
    data = json.loads(capsys.readouterr().out)
    assert data["anchor"] == "reflex" and data["games"] == 120 and len(data["pairs"]) == 3
    assert all(entry["games"] == 80 and entry["median_ms"] > 0 < entry["ms_per_decision"] for entry in data["ratings"])
    assert next(entry["rating"] for entry in data["ratings"] if entry["name"] == "reflex") == 0


def test_ratings_are_written_with_the_command_that_made_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "table.json"
    options = ("--agents", "reflex,random", "--out", str(out), "--rule", "hand-size=5")
    assert call(monkeypatch, *RATED, *options) == 0
    table = read_ratings(out)
    assert table.command == (
        "cardgames arena uno --ratings --agents reflex,random --games 40 --seed 3 --rules rlcard --rule hand-size=5"
    )
    assert f"{table.source()}\n{table.table()}\n" in capsys.readouterr().out
    assert call(monkeypatch, *table.command.split()[1:], "--json") == 0
    again = {entry["name"]: entry["rating"] for entry in json.loads(capsys.readouterr().out)["ratings"]}
    assert again == {entry.name: entry.rating for entry in table.agents}


def test_interrupted_ratings_print_what_was_played_and_write_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Interrupting, "decisions", 0)
    out = tmp_path / "table.json"
    agents = "random,reflex,tests.cli.acting:interrupting"
    options = ("--agents", agents, "--out", str(out), "--games", "60", "--json")
    assert call(monkeypatch, *RATED, *options) == 130
    data = json.loads(capsys.readouterr().out)
    assert 60 <= data["games"] < data["games_requested"] == 180 and not out.exists()
    by_name = {entry["name"]: entry for entry in data["ratings"]}
    assert by_name["reflex"]["rating"] is not None and by_name["reflex"]["median_ms"] is None


def test_doudizhu_explains_that_rates_of_roles_do_not_add_up(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(monkeypatch, "arena", "doudizhu", "--agents", "random,frugal", "--games", "6", "--seed", "1") == 0
    assert "rates may add up to" in capsys.readouterr().out.splitlines()[-1]
    assert call(monkeypatch, "arena", "uno", "--agents", "random,reflex", "--games", "6", "--seed", "1") == 0
    assert "add up" not in capsys.readouterr().out


def test_result_names_version_and_number_of_void_rounds(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    void = ("arena", "uno", "--agents", "random,random", "--games", "4", "--rule", "turn-limit=3", "--seed", "1")
    assert call(monkeypatch, *void) == 0
    assert "seed 1: 4 games, 4 void, " in capsys.readouterr().out
    assert call(monkeypatch, *void, "--json") == 0
    assert json.loads(capsys.readouterr().out)["version"] == cardgames.__version__
