"""`cardgames arena`: what it prints, also of what was stopped, and how agents are named."""

import json
import os
import signal
from itertools import islice
from typing import Any

import pytest

import cardgames
from cardgames.agents.agent import Limit
from cardgames.agents.agent_names import split_agents
from cardgames.arena.match import play_match
from cardgames.arena.results import MatchResult
from cardgames.cli import progress
from cardgames.core.game import Game
from cardgames.support.errors import InvalidInput
from tests.cli.acting import Interrupting
from tests.command import PATIENCE, call, run, start


def test_arena_prints_one_object(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    names = "random:by=copies,reflex:color=random"
    assert call(monkeypatch, "arena", "uno", "--agents", names, "--games", "9", "--seed", "1", "--json") == 0
    result = json.loads(capsys.readouterr().out)
    assert result["games"] == 10 and [entry["name"] for entry in result["agents"]] == names.split(",")
    assert call(monkeypatch, "arena", "uno", "--agents", "random,reflex,random", "--round-robin", "--games", "4") == 0
    out = capsys.readouterr().out
    assert out.count("agent ") == 4 and "12 games" in out


@pytest.mark.parametrize(("rules", "each"), [("rlcard", "each to 3 won rounds"), ("official", "each to 3 points")])
def test_while_matches_are_played_it_is_said_how_long_they_are(
    rules: str, each: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "_FIRST_LOG_SECONDS", 0.001)
    short = ("arena", "uno", "--agents", "reflex,random", "--games", "2", "--match", "--rule", "match-score=3")
    assert call(monkeypatch, *short, "--rules", rules, "--seed", "1") == 0
    assert each in capsys.readouterr().err


def test_an_interrupted_arena_prints_what_was_finished(
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


def test_a_finished_arena_does_not_say_what_was_asked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(monkeypatch, "arena", "uno", "--agents", "reflex,random", "--games", "2", "--seed", "1", "--json") == 0
    assert "games_requested" not in json.loads(capsys.readouterr().out)


@pytest.mark.skipif(os.name != "posix", reason="asked by a signal")
def test_an_arena_asked_to_end_does_not_wait_for_what_its_processes_think_of() -> None:
    agents = ["--agents", "tests.cli.acting:pondering,random"]
    arena = start(
        "arena", "uno", "--rules", "rlcard", *agents, "--games", "1000", "--jobs", "2", "--seed", "1", "--json"
    )
    assert arena.stderr is not None and arena.stderr.readline() == "pondering\n"
    arena.terminate()
    out, err = arena.communicate(timeout=PATIENCE)
    assert arena.returncode == 128 + signal.SIGTERM
    assert 0 < json.loads(out)["games"] < 1000 and err in ("", "pondering\n")


def test_an_agent_that_fails_late_loses_no_game_before(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Interrupting, "decisions", 0)
    agents = "tests.cli.acting:failing_late,random"
    assert call(monkeypatch, "arena", "uno", "--agents", agents, "--games", "1000", "--seed", "1", "--json") == 2
    captured = capsys.readouterr()
    assert 0 < json.loads(captured.out)["games"] < 1000
    assert "9999 is not legal" in captured.err and captured.err.count("\n") == 1


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_what_an_agent_prints_is_no_part_of_a_result(jobs: str) -> None:
    agents = "tests.cli.acting:talkative,random"
    code, out, err = run(
        "arena", "uno", "--rules", "rlcard", "--agents", agents, "--games", "4", "--jobs", jobs, "--json"
    )
    assert code == 0 and json.loads(out)["games"] == 4
    assert "here I am" in err


def test_agents_are_split_at_commas_but_options_stay_together() -> None:
    assert split_agents("a,b:x=1,y=2,c") == ["a", "b:x=1,y=2", "c"]
    assert split_agents("m:f:x=1, y=a:b,z") == ["m:f:x=1,y=a:b", "z"]


@pytest.mark.parametrize("text", ["", "random,", "random,,random"])
def test_an_agent_without_a_name_is_missing(text: str) -> None:
    with pytest.raises(InvalidInput, match="name is missing"):
        split_agents(text)


def test_arena_takes_a_time_for_every_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    options = ["--games", "2", "--time", "0.001", "--agents", "mcts,random"]
    assert call(monkeypatch, "arena", "uno", "--rules", "rlcard", *options) == 0
    assert call(monkeypatch, "arena", "uno", "--time", "0", "--agents", "mcts,random") == 2


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no signal that nobody is told of")
def test_processes_end_with_the_one_that_asked_for_them_though_it_is_killed() -> None:
    """They hold standard error open as long as they live."""
    agents = "tests.cli.acting:talkative,random"
    process = start("arena", "uno", "--rules", "rlcard", "--agents", agents, "--games", "1000000", "--jobs", "2")
    assert process.stderr is not None
    talk = (line for line in process.stderr if "here I am" in line)
    assert len(list(islice(talk, 200))) == 200, "by then others play, and not only the one that is killed"
    process.kill()
    process.communicate(timeout=PATIENCE)


def test_what_is_asked_of_an_arena_reaches_it(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[object, ...]] = []

    def played(
        game: Game, agents: list[str], games: int, seed: int, jobs: int, limit: Limit, progress: Any, match: bool
    ) -> MatchResult:
        asked.append((agents, games, seed, jobs, limit, match))
        return play_match(game, agents, games)

    monkeypatch.setattr("cardgames.arena.match.play_match", played)
    options = ["--games", "4", "--seed", "7", "--jobs", "3", "--time", "0.5", "--match"]
    assert call(monkeypatch, "arena", "uno", "--agents", "random,reflex", *options) == 0
    assert asked == [(["random", "reflex"], 4, 7, 3, Limit(time=0.5), True)]


def test_a_result_says_by_which_version_and_how_many_rounds_nobody_won(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    void = ("arena", "uno", "--agents", "random,random", "--games", "4", "--rule", "turn-limit=3", "--seed", "1")
    assert call(monkeypatch, *void) == 0
    assert "seed 1: 4 games, 4 void, " in capsys.readouterr().out
    assert call(monkeypatch, *void, "--json") == 0
    assert json.loads(capsys.readouterr().out)["version"] == cardgames.__version__
