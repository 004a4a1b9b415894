"""The command line as a user meets it: what it prints, and one clear line for everything that cannot be."""

import importlib
import json
import os
import pathlib
import re
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint
from typing import Any

import pytest

import cardgames.core.agents
import cardgames.core.game
from cardgames.cli import progress, train
from cardgames.cli.options import split_agents
from cardgames.core.agents import agent
from cardgames.core.decision import Agent, Decision, Limit
from cardgames.core.errors import InvalidInput
from cardgames.core.game import Game, make
from cardgames.core.observation import Observation
from cardgames.core.record import read
from cardgames.core.recorder import Recorder
from cardgames.learners.algorithms import ALGORITHMS
from cardgames.tui.table import Table
from tests.command import PATIENCE, ROOT, call, run, start


class Interrupting:
    """Plays the first action, and after a while Ctrl-C is pressed."""

    name = "interrupting"
    decisions = 0

    def act(self, observation: Observation, limit: Limit | None = None) -> Decision:
        Interrupting.decisions += 1
        if Interrupting.decisions > 200:
            raise KeyboardInterrupt
        return Decision(observation.legal_actions[0])


class Ending(Interrupting):
    """Plays the first action, and after a while the process is asked to end."""

    asked = 0
    """The signal by which."""

    def act(self, observation: Observation, limit: Limit | None = None) -> Decision:
        try:
            return super().act(observation, limit)
        except KeyboardInterrupt:
            signal.raise_signal(self.asked)
            raise AssertionError from None


def interrupting(game: Game, seed: int) -> Agent:
    return Interrupting()


def ending(game: Game, seed: int) -> Agent:
    return Ending()


class FailingLate(Interrupting):
    """Plays the first action, and after a while one that is not legal."""

    def act(self, observation: Observation, limit: Limit | None = None) -> Decision:
        try:
            return super().act(observation, limit)
        except KeyboardInterrupt:
            return Decision(9999)


def failing_late(game: Game, seed: int) -> Agent:
    return FailingLate()


class Pondering(Interrupting):
    """Plays the first action, and after a while thinks for hours."""

    def act(self, observation: Observation, limit: Limit | None = None) -> Decision:
        try:
            return super().act(observation, limit)
        except KeyboardInterrupt:
            print("pondering", file=sys.stderr, flush=True)
            time.sleep(10 * PATIENCE)
            raise AssertionError from None


def pondering(game: Game, seed: int) -> Agent:
    return Pondering()


def test_help_imports_nothing_heavy() -> None:
    code = """
import sys
from cardgames.cli import main
sys.argv = ["cardgames", "--help"]
try:
    main()
except SystemExit as end:
    assert not end.code
heavy = {"numba", "numpy", "torch", "textual"} & set(sys.modules)
assert not heavy, heavy
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for command in ("play", "watch", "arena", "search-debug", "agents", "rules", "replay", "warmup", "bench"):
        assert f"\n  {command} " in done.stdout


def test_ctrl_c_while_the_command_line_is_loaded_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    from cardgames.__main__ import main as begin

    class Loading:
        @property
        def main(self) -> None:
            raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, "cardgames.cli", Loading())  # type: ignore[arg-type]
    with pytest.raises(SystemExit) as end:
        begin()
    assert end.value.code == 130


BAD = [
    (("play", "chess"), "unknown game 'chess': choose from uno"),
    (("play", "uno", "--vs", "nobody"), "unknown agent for uno 'nobody': choose from random"),
    (("play", "uno", "--vs", ""), "an agent's name is missing in ''"),
    (("play", "uno", "--vs", "reflex,random", "--players", "4"), "--vs names 2 agents, and beside you 3 can play"),
    (("play", "doudizhu", "--vs", "random,random,random"), "doudizhu is for 3 players"),
    (("play", "uno", "--vs", "mctss"), "did you mean mcts? choose from random"),
    (("play", "uno", "--vs", "MCTS"), "did you mean mcts? choose from random"),
    (("play", "uno", "--vs", "reflex:speed=9"), "unknown option of reflex 'speed': choose from color"),
    (("play", "uno", "--players", "11", "--plain"), "2 to 10 players, not 11"),
    (("play", "uno", "--players", "0", "--plain"), "2 to 10 players, not 0"),
    (("play", "uno", "--seat", "2", "--plain"), "--seat is a number from 0 to 1, not 2"),
    (("play", "uno", "--rules", "mau-mau"), "unknown preset of uno 'mau-mau': choose from official"),
    (("play", "uno", "--rules", "none.toml"), "cannot read none.toml"),
    (("play", "uno", "--rule", "stack=any"), "unknown rule 'stack': did you mean stacking? choose from hand-size"),
    (("play", "uno", "--rule", "stacking=maybe"), "unknown value of rule stacking 'maybe': choose from none, same"),
    (("play", "uno", "--rule", "hand-size=99"), "hand-size is a number from 1 to 20"),
    (("play", "uno", "--rule", "wild-four=any-time"), "challenge=victim contradicts wild-four=any-time"),
    (("play", "uno", "--players", "9", "--rule", "hand-size=12"), "needs 109 cards, the deck has 108"),
    (
        ("play", "uno", "--vs", "reflex", "--plain", "--record", ""),
        "the record has no file: its name is empty",
    ),
    (("play", "uno", "--vs", "reflex", "--plain", "--rules", ""), "unknown preset"),
    (
        ("play", "uno", "--vs", "reflex", "--plain", "--record", "/nowhere/game.jsonl"),
        "cannot write /nowhere/game.jsonl",
    ),
    (("play", "uno", "--vs", "reflex"), "use --plain"),
    (("play", "uno", "--seed", "x"), "--seed"),
    (("play", "uno", "--frobnicate"), "No such option: --frobnicate"),
    (("play",), "Missing argument 'GAME'"),
    (("frobnicate",), "No such command 'frobnicate'"),
    (("watch", "uno", "--agents", "random,reflex"), "use --plain"),
    (("watch", "uno", "--agents", "random,,reflex", "--plain"), "an agent's name is missing"),
    (("watch", "uno", "--agents", "random,reflex", "--plain", "--speed", "0"), "--speed is greater than 0"),
    (("arena", "uno", "--agents", "random"), "2 to 10 players, not 1"),
    (("arena", "uno", "--agents", "random,reflex", "--games", "0"), "games is a number from 1, not 0"),
    (("rules", "uno", "mau-mau"), "unknown preset"),
    (("agents", "chess"), "unknown game"),
    (("replay", "none.jsonl"), "cannot read none.jsonl"),
    (("replay", "pyproject.toml"), "pyproject.toml line 1: "),
    (("search-debug", "uno", "--position", "hands=r5|g55 top=r5"), "'g55' is not a card"),
    (("search-debug", "uno", "--position", "hands=r5 r5 r5|g5 top=r5"), "not that many r5"),
    (("search-debug", "uno", "--position", "hands=r5|g5"), "says nothing of top"),
    (("search-debug", "uno", "--position", "hands=r5|g5 top=r1 wind=east"), "unknown part of a position 'wind'"),
    (("search-debug", "uno", "--position", '{"hands": [1, 2]}'), "a position of Uno says nothing of to_move"),
    (("search-debug", "uno", "--position", "{oops"), "--position is not JSON"),
    (("search-debug", "uno", "--record", "pyproject.toml", "--ply", "3"), "pyproject.toml line 1: "),
    (("search-debug", "uno", "--seed", "1", "--ply", "99999"), "decisions, --ply"),
    (("search-debug", "uno", "--position", "hands=r5|g5 top=r1 top=r2"), "says top twice"),
    (("search-debug", "uno", "--position", '{"hands": [], "hands": []}'), "says hands twice"),
    (("search-debug", "uno", "--position", "hands=r5||g5 top=r1"), "the hand of seat 1 is empty"),
    (("play", "doudizhu", "--players", "2", "--plain"), "doudizhu is for 3 players, not 2"),
    (("play", "doudizhu", "--seat", "3", "--plain"), "--seat is a number from 0 to 2, not 3"),
    (("arena", "doudizhu", "--agents", "random"), "one agent a seat, or two against each other, not 1"),
    (("arena", "doudizhu", "--agents", "random,random,random,random"), "two against each other, not 4"),
    (("arena", "doudizhu", "--agents", "random,random,reflex"), "unknown agent for doudizhu 'reflex'"),
    (("arena", "doudizhu", "--agents", "random:by=copies,random,random"), "random has no options: leave out by"),
    (("arena", "doudizhu", "--agents", "random,random,random", "--match"), "no matches over several rounds"),
    (("search-debug", "doudizhu", "--position", "hands=3|4|5 landlord=0 top=3"), "unknown part of a position 'top'"),
    (("search-debug", "doudizhu", "--position", "hands=3|4|5 landlord=x"), "landlord is a number, not 'x'"),
    (("search-debug", "doudizhu", "--position", "hands=3|4|?18 landlord=0"), "1 to 17, not 18"),
    (
        ("search-debug", "doudizhu", "--position", '{"hands": [1, 2, 3]}'),
        "a position of Dou Di Zhu says nothing of to_move",
    ),
    (("search-debug", "uno", "--round", "2"), "it needs --record"),
    (("search-debug", "uno", "--json", "--plain"), "choose one"),
    (("search-debug", "uno", "--seed", "1", "--ply", "9999"), "the round of seed 1 has"),
    (("search-debug", "uno", "--depth", "-1"), "--depth is a number from 0 to 100"),
    (("search-debug", "uno", "--against", "chess"), "unknown agent for uno 'chess'"),
    (("search-debug", "uno", "--export", "/nowhere/a.json"), "there is no folder /nowhere"),
    (("search-debug", "uno", "--export", "a.png"), "choose from FILE.json, FILE.svg"),
]


def is_one_line(err: str) -> bool:
    return err.startswith("cardgames: ") and err.endswith("\n") and err.count("\n") == 1


@pytest.mark.parametrize(("arguments", "words"), BAD)
def test_bad_input_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], words: str
) -> None:
    monkeypatch.chdir(ROOT)
    assert call(monkeypatch, *arguments) == 2
    err = capsys.readouterr().err
    assert is_one_line(err) and words in err


@pytest.mark.parametrize(
    ("arguments", "words"), [case for case in BAD if case[0][-1] in ("chess", "any-time", "/nowhere/game.jsonl")]
)
def test_bad_input_in_a_process_of_its_own(arguments: tuple[str, ...], words: str) -> None:
    code, _, err = run(*arguments)
    assert code == 2 and is_one_line(err) and words in err


@pytest.mark.parametrize(
    ("size", "words"),
    [((20, 70), ("70 columns and 20 lines", "80 and 24")), ((30, 90), ("standard error",))],
    ids=["too small", "standard error elsewhere"],
)
def test_a_terminal_the_screen_does_not_fit_is_told_why(size: tuple[int, int], words: tuple[str, ...]) -> None:
    fcntl, pty, termios = (pytest.importorskip(module) for module in ("fcntl", "pty", "termios"))
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
    process = start("play", "uno", "--vs", "reflex", stdin=slave, stdout=slave)
    _, err = process.communicate(timeout=60)
    os.close(master)
    os.close(slave)
    assert process.returncode == 2 and is_one_line(err)
    assert all(part in err for part in words)


def test_a_scripted_game_is_recorded_and_replayed(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "game.jsonl"
    rules = ("--rules", "common", "--rule", "hand-size=2")
    code, out, err = run(
        "play",
        "uno",
        "--plain",
        "--vs",
        "reflex",
        "--seed",
        "3",
        *rules,
        "--record",
        str(path),
        typed="zzz\n" + "1\n" * 300,
    )
    assert code == 0 and err == ""
    assert out.startswith("seed 3\n") and "'zzz' is not a move" in out and "Round over" in out
    code, out, err = run("replay", str(path))
    assert code == 0 and err == "" and "result: " in out
    hands = read(str(path))[0].header["start"]["hands"]
    assert out.splitlines()[1].strip().startswith("0 you: ") and len(hands[0].split()) == 2
    assert f"1 reflex: {hands[1]}\n" in out and "is turned up" in out.splitlines()[3]
    code, out, err = run("replay", str(path), "--json")
    first = json.loads(out)["rounds"][0]
    assert first["seed"] == 3 and first["finished"] and first["players"][0]["name"] == "you"
    code, out, err = run(
        "search-debug", "uno", "--agent", "mcts-dbm:simulations=30", "--record", str(path), "--ply", "0", "--json"
    )
    assert json.loads(out)["position"]["hands"] and json.loads(out)["rules"]["name"] == "common+hand-size=2"
    assert json.loads(out)["seed"] == 3
    code, out, err = run("search-debug", "uno", "--agent", "reflex", "--record", str(path), "--seed", "5", "--json")
    assert code == 0 and json.loads(out)["seed"] == 5


def test_leaving_the_screen_says_how_a_record_goes_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: pathlib.Path
) -> None:
    def played(table: Table, hint: Callable[[], Agent]) -> None:
        assert hint().name == "mcts", "who searches is asked for hints, and compiled beforehand"
        table.deal()
        table.close()

    monkeypatch.setattr("cardgames.tui.app.run_play", played)
    monkeypatch.setattr("cardgames.cli.session.check_terminal", lambda: None)
    path = tmp_path / "game.jsonl"
    assert call(monkeypatch, "play", "uno", "--vs", "reflex,mcts", "--seed", "3", "--record", str(path)) == 0
    assert capsys.readouterr().out == f"seed 3\n--resume {path} goes on\n"
    assert read(path)[0].names == ["you", "reflex", "mcts"]


def test_a_game_broken_off_goes_on(tmp_path: pathlib.Path) -> None:
    path = str(tmp_path / "game.jsonl")
    seated = ("--vs", "reflex", "--rules", "rlcard", "--players", "3", "--seat", "1", "--seed", "3", "--record", path)
    code, out, err = run("play", "uno", "--plain", *seated, typed="1\n1\n")
    assert code == 0 and err == "" and out.endswith(f"Goodbye. --resume {path} goes on.\n")
    (begun,) = read(path)
    os.truncate(path, os.path.getsize(path) - 5)
    code, out, err = run("play", "uno", "--plain", "--resume", path, typed="1\n" * 300)
    dropped = f"{path} line {begun.last_line}: cut off within, and dropped\n"
    assert code == 0 and err == "" and out.startswith(f"{dropped}seed 3\nuno, rlcard rules")
    assert "Round 1\n" in out and "Round over" in out and "reflex 0" in out and "reflex 2" in out
    ended = read(path)[0]
    assert ended.header == begun.header and ended.steps[: len(begun.steps) - 1] == begun.steps[:-1] and ended.returns


@pytest.mark.parametrize(
    ("arguments", "names", "words"),
    [
        (("doudizhu",), ["you", "reflex"], "is a record of uno, not of doudizhu"),
        (("uno",), ["random", "reflex"], "0 seats of a person; one can go on"),
        (("uno",), ["you", "you"], "2 seats of a person; one can go on"),
        (("uno",), ["you", "nobody"], "unknown agent for uno 'nobody'"),
        (("uno", "--vs", "reflex"), ["you", "reflex"], "--vs has no effect beside --resume"),
        (("uno", "--seat", "0"), ["you", "reflex"], "--seat has no effect beside --resume"),
        (("uno", "--rule", "stacking=same"), ["you", "reflex"], "--rule has no effect beside --resume"),
    ],
)
def test_what_cannot_go_on_stays_as_it_is(
    tmp_path: pathlib.Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    names: list[str],
    words: str,
) -> None:
    path, game = tmp_path / "game.jsonl", make("uno", players=2)
    with Recorder(path, game, names, 0) as recorder:
        recorder.begin(game.new_initial_state(0))
    path.write_bytes(path.read_bytes().rstrip())
    before = path.read_bytes()
    assert call(monkeypatch, "play", *arguments, "--plain", "--resume", str(path)) == 2
    err = capsys.readouterr().err
    assert is_one_line(err) and words in err and path.read_bytes() == before


def test_only_one_session_goes_on(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path, game = tmp_path / "game.jsonl", make("uno", players=2)
    for seed in (0, 1):
        with Recorder(path, game, ["you", "reflex"], seed, resume=seed > 0) as recorder:
            recorder.begin(game.new_initial_state(seed))
    assert call(monkeypatch, "play", "uno", "--plain", "--resume", str(path)) == 2
    assert "line 2: another session begins here" in capsys.readouterr().err


def test_a_scripted_game_of_doudizhu_is_recorded_and_replayed(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "game.jsonl"
    options = ["--vs", "rhcp", "--seed", "3", "--rules", "online", "--record", str(path)]
    code, out, err = run("play", "doudizhu", "--plain", *options, typed="zzz\n" + "#1\n" * 300)
    assert code == 0 and err == ""
    assert "no cards are played yet: choose from pass, " in out and "Round over" in out
    code, out, err = run("replay", str(path))
    assert code == 0 and err == "" and "result: " in out


def test_watch_plain() -> None:
    code, out, err = run("watch", "uno", "--agents", "reflex,random,reflex", "--rules", "rlcard", "--plain")
    assert code == 0 and err == ""
    assert out.startswith("seed ") and "Round over" in out


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
    monkeypatch.setattr(progress, "_FIRST", 0.001)
    short = ("arena", "uno", "--agents", "reflex,random", "--games", "2", "--match", "--rule", "match-score=3")
    assert call(monkeypatch, *short, "--rules", rules, "--seed", "1") == 0
    assert each in capsys.readouterr().err


def test_an_interrupted_arena_prints_what_was_finished(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    agents = "tests.test_cli:interrupting,random"
    assert call(monkeypatch, "arena", "uno", "--agents", agents, "--games", "1000", "--seed", "1", "--json") == 130
    captured = capsys.readouterr()
    result = json.loads(captured.out)
    assert 0 < result["games"] < result["asked"] == 1000
    assert captured.err == ""
    monkeypatch.setattr(Interrupting, "decisions", 0)
    assert call(monkeypatch, "arena", "uno", "--agents", agents, "--games", "1000", "--seed", "1") == 130
    assert capsys.readouterr().out.startswith(f"stopped after {result['games']} of 1,000 games\n")


def test_a_finished_arena_does_not_say_what_was_asked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(monkeypatch, "arena", "uno", "--agents", "reflex,random", "--games", "2", "--seed", "1", "--json") == 0
    assert "asked" not in json.loads(capsys.readouterr().out)


@pytest.mark.skipif(os.name != "posix", reason="asked by a signal")
def test_an_arena_asked_to_end_does_not_wait_for_what_its_processes_think_of() -> None:
    agents = ["--agents", "tests.test_cli:pondering,random"]
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
    agents = "tests.test_cli:failing_late,random"
    assert call(monkeypatch, "arena", "uno", "--agents", agents, "--games", "1000", "--seed", "1", "--json") == 2
    captured = capsys.readouterr()
    assert 0 < json.loads(captured.out)["games"] < 1000
    assert "9999 is not legal" in captured.err and captured.err.count("\n") == 1


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device that is always full")
def test_output_that_cannot_be_written_is_said_in_one_line() -> None:
    with open("/dev/full", "w") as full:
        process = start("agents", "uno", stdout=full.fileno())
        _, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (2, "cardgames: cannot write the output: No space left on device\n")


def test_information(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(monkeypatch, "--version") == 0
    assert capsys.readouterr().out.startswith("cardgames 0.")
    assert call(monkeypatch, "agents", "uno") == 0
    assert "mcts-dbm" in capsys.readouterr().out
    assert call(monkeypatch, "rules", "uno") == 0
    text = capsys.readouterr().out
    assert "stacking: " in text and "rlcard-2022" in text
    assert call(monkeypatch, "rules", "uno", "simplified") == 0
    assert "draw-how=until-satisfied" in capsys.readouterr().out


def test_information_for_programs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def printed(*arguments: str) -> dict[str, Any]:
        assert call(monkeypatch, *arguments, "--json") == 0
        data: dict[str, Any] = json.loads(capsys.readouterr().out)
        return data

    listed = printed("agents", "uno")
    assert {"name", "games", "words", "options", "factory"} == set(listed["agents"][0]) and "reflex" in listed[
        "policies"
    ]
    assert {entry["name"] for entry in printed("agents")["agents"]} > {entry["name"] for entry in listed["agents"]}
    rules = printed("rules", "uno")
    assert "same" in rules["axes"]["stacking"]["choices"] and rules["axes"]["hand-size"]["numbers"] == [1, 20]
    preset = printed("rules", "uno", "simplified")
    assert preset.pop("game") == "uno" and preset in rules["presets"]
    assert preset["axes"]["draw-how"] == "until-satisfied"


def talkative(game: Game, seed: int) -> Agent:
    print("here I am")
    return agent("random", game, seed)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_what_an_agent_prints_is_no_part_of_a_result(jobs: str) -> None:
    agents = "tests.test_cli:talkative,random"
    code, out, err = run(
        "arena", "uno", "--rules", "rlcard", "--agents", agents, "--games", "4", "--jobs", jobs, "--json"
    )
    assert code == 0 and json.loads(out)["games"] == 4
    assert "here I am" in err


def test_every_algorithm_can_be_named_and_plays() -> None:
    assert set(train.ALGORITHMS) == {*ALGORITHMS, "linear"}
    assert set(train.ALGORITHMS) <= set(cardgames.core.agents.available("uno"))


def test_agents_of_other_packages_are_listed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    points = {name: EntryPoint(name, "tests.test_cli:interrupting", "cardgames.agents") for name in ("mine", "reflex")}
    monkeypatch.setattr(cardgames.core.agents, "plugins", lambda: points)
    assert call(monkeypatch, "agents", "uno") == 0
    mine, reflex = (line for line in capsys.readouterr().out.splitlines() if "tests.test_cli" in line)
    assert mine.startswith("mine ") and "hidden" not in mine
    assert reflex.startswith("reflex ") and reflex.endswith("hidden by the built-in agent of that name")
    assert call(monkeypatch, "arena", "uno", "--agents", "nobody,random") == 2
    assert capsys.readouterr().err.count("reflex") == 1


def test_a_game_of_somebody_else_is_told_and_compiled(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(cardgames.core.game.BUILT_IN, "highest", "tests.core.toy:Highest")
    assert call(monkeypatch, "agents", "highest") == 0
    assert call(monkeypatch, "warmup", "highest") == 0
    out = capsys.readouterr().out
    assert "the rules" in out and "the search" not in out


def test_a_module_that_ends_python_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    real = importlib.import_module
    monkeypatch.setattr(
        cardgames.core.game, "import_module", lambda name: sys.exit(3) if name == "mine" else real(name)
    )
    assert call(monkeypatch, "arena", "uno", "--agents", "mine:factory,random") == 2
    assert "cannot load mine:factory" in capsys.readouterr().err


def test_what_was_measured_is_told_though_a_benchmark_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def measured(names: list[str]) -> Iterator[dict[str, Any]]:
        yield {"name": "first", "value": 1.0, "unit": "ms", "peers": {}}
        raise KeyboardInterrupt

    monkeypatch.setattr("cardgames.bench.run", measured)
    assert call(monkeypatch, "bench") == 130
    assert capsys.readouterr().out.startswith("first ")
    assert call(monkeypatch, "bench", "--json") == 130
    assert [row["name"] for row in json.loads(capsys.readouterr().out)] == ["first"]


def test_agents_are_split_at_commas_but_options_stay_together() -> None:
    assert split_agents("a,b:x=1,y=2,c") == ["a", "b:x=1,y=2", "c"]
    assert split_agents("m:f:x=1, y=a:b,z") == ["m:f:x=1,y=a:b", "z"]


@pytest.mark.parametrize("text", ["", "random,", "random,,random"])
def test_an_agent_without_a_name_is_missing(text: str) -> None:
    with pytest.raises(InvalidInput, match="name is missing"):
        split_agents(text)


def test_benchmarks_are_listed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(monkeypatch, "bench", "--list") == 0
    assert "uno-decisions\n" in capsys.readouterr().out
    assert call(monkeypatch, "bench", "--list", "--json") == 0
    assert "uno-decisions" in json.loads(capsys.readouterr().out)
    assert call(monkeypatch, "bench", "uno-decisions", "--list") == 2
    assert "leave out uno-decisions" in capsys.readouterr().err


def test_train_adds_to_a_file_that_plays(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = str(tmp_path / "own.safetensors")
    for players in ("2", "3"):
        options = ["--rules", "rlcard", "--players", players, "--rounds", "400", "--out", out]
        assert call(monkeypatch, "train", "uno", "linear", *options) == 0
    agents = f"linear:weights={out},random,random"
    assert call(monkeypatch, "arena", "uno", "--rules", "rlcard", "--games", "3", "--agents", agents) == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["train", "uno", "nothing", "--out", "x"], "unknown algorithm"),
        (["train", "uno", "linear", "--out", "/nowhere/x"], "cannot write"),
        (["train", "uno", "linear", "--out", "x", "--rounds", "1"], "--rounds is a number from 400, not 1"),
        (["train", "uno", "linear", "--out", "x", "--rounds", "0"], "--rounds is a number from 400, not 0"),
        (["train", "uno", "linear", "--out", __file__], "no readable safetensors file"),
        (["train", "uno", "linear", "--out", "/"], "cannot read /: it is a folder"),
        (["train", "uno", "linear", "--out", f"{__file__}/x"], "cannot write"),
        (["train", "uno", "linear", "--out", "x" * 300], "File name too long"),
        (["train", "uno", "dqn", "--out", "x" * 300], "File name too long"),
        (["replay", ""], "its name is empty"),
        (["play", "uno", "--plain", "--record", ""], "its name is empty"),
        (["reproduce", "table-9"], "unknown table"),
        (["reproduce", "001-table2", "--games", "0"], "--games"),
        (["reproduce", "000-figure2", "--out", "x"], "--out has no effect on 000-figure2, only on 000-figure6"),
        (["reproduce", "002-table3", "--out", __file__], "it is no folder"),
        (["reproduce", "002-table3", "--seeds", "0"], "--seeds is a number from 1, not 0"),
        (["reproduce", "002-figure2", "--seeds", "2"], "--seeds has no effect on 002-figure2, only on 000-figure6"),
        (["reproduce", "002-table3", "--quick", "--batched"], "exclude each other"),
        (["reproduce", "002-table3", "--batched", "--stacked"], "--batched and --stacked exclude each other"),
        (["reproduce", "002-table3", "--stacked", "--rlcard-network"], "--rlcard-network exclude each other"),
        (["reproduce", "002-figure4", "--stacked"], "--stacked has no effect on 002-figure4"),
        (
            ["reproduce", "000-table3", "--batched"],
            "--batched has no effect on 000-table3, only on 002-figure4, 002-table3",
        ),
        (["reproduce", "000-figure2", "--only", "dqn"], "--only has no effect"),
        (
            ["reproduce", "002-table3", "--rlcard-network", "--only", "MSE-1.5"],
            "no effect on MSE-1.5, only on Baseline-R",
        ),
        (["reproduce", "003-table3", "--rlcard-network"], "has no effect on 003-table3, only on 000-figure6"),
        (["reproduce", "001-figure1", "--games", "5"], "--games has no effect"),
        (["reproduce", "002-table3", "--jobs", "2"], "--jobs has no effect"),
        (["reproduce", "001-table2", "--only", "nobody"], "choose from dqn, expectimax"),
    ],
)
def test_training_and_reproducing_refuse_in_one_line(
    arguments: list[str], words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(monkeypatch, *arguments) == 2
    error = capsys.readouterr().err
    assert words in error and error.count("\n") == 1


def test_stacks_are_refused_without_cuda(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("cardgames.search.torch_evaluator.has_cuda", lambda: False)
    assert call(monkeypatch, "reproduce", "002-table3", "--stacked") == 2
    told = "cardgames: --stacked trains on a CUDA device, and torch finds none here: leave it out\n"
    assert capsys.readouterr().err == told


@pytest.mark.skipif(os.name != "posix", reason="closes streams as a shell does")
@pytest.mark.parametrize(
    ("arguments", "closed", "code"),
    [
        ("arena uno --agents random,reflex --games 20 --seed 1", "2>&-", 0),
        ("watch uno --plain --rules rlcard --agents random,random --seed 1", ">&-", 0),
        ("watch uno --agents random,random --seed 1", "<&-", 2),
        ("search-debug uno --agent reflex --seed 1 --json", "<&-", 0),
        ("rules uno nobody", "2>&-", 2),
    ],
)
def test_closed_streams_are_empty_ones(arguments: str, closed: str, code: int) -> None:
    command = f'exec "$0" -m cardgames {arguments} {closed}'
    done = subprocess.run(
        ["sh", "-c", command, sys.executable], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == code and "Traceback" not in done.stderr
    assert bool(done.stdout) == (code == 0 and closed != ">&-")
    assert code == 0 or closed == "2>&-" or is_one_line(done.stderr)


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="signals of a terminal")
@pytest.mark.parametrize("asked", ["SIGTERM", "SIGHUP"])
def test_a_process_asked_to_end_prints_what_was_finished(
    asked: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    number = getattr(signal, asked)
    before = signal.getsignal(number)
    if before is signal.SIG_IGN:
        pytest.skip("ignored here, as under nohup")
    monkeypatch.setattr(Interrupting, "decisions", 0)
    monkeypatch.setattr(Ending, "asked", number)
    agents = "tests.test_cli:ending,random"
    code = call(monkeypatch, "arena", "uno", "--agents", agents, "--games", "1000", "--seed", "1", "--json")
    assert code == 128 + number and signal.getsignal(number) is before
    assert 0 < json.loads(capsys.readouterr().out)["games"] < 1000


@pytest.mark.skipif(os.name != "posix", reason="signals of a terminal")
def test_a_table_watched_line_by_line_says_by_which_signal_it_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    if signal.getsignal(signal.SIGTERM) is signal.SIG_IGN:
        pytest.skip("ignored here")
    monkeypatch.setattr(Interrupting, "decisions", 195)
    monkeypatch.setattr(Ending, "asked", signal.SIGTERM)
    watched = ("watch", "uno", "--plain", "--agents", "tests.test_cli:ending,tests.test_cli:ending", "--seed", "1")
    assert call(monkeypatch, *watched) == 128 + signal.SIGTERM


def test_reproduce_lists_its_tables(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(monkeypatch, "reproduce") == 0
    assert "001-table2" in capsys.readouterr().out


def test_long_work_leaves_a_line_in_a_log_now_and_then(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = threading.Event()

    def words() -> str:
        said.set()
        return "training"

    monkeypatch.setattr(progress, "_FIRST", 0.01)
    with progress.waiting(words):
        assert said.wait(PATIENCE)
    assert re.match(r"training, \d+ s\n", capsys.readouterr().err)


def test_such_lines_come_ever_less_often_until_every_ten_minutes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pauses: list[float] = []

    class Unending(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            pauses.append(timeout or 0.0)
            return len(pauses) > 6

    monkeypatch.setattr(progress, "_FIRST", 60.0)
    progress._log(lambda: "training", Unending())
    assert pauses == [60, 120, 240, 480, 600, 600, 600]
    assert capsys.readouterr().err.count("training") == 6


def test_arena_takes_a_time_for_every_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    options = ["--games", "2", "--time", "0.001", "--agents", "mcts,random"]
    assert call(monkeypatch, "arena", "uno", "--rules", "rlcard", *options) == 0
    assert call(monkeypatch, "arena", "uno", "--time", "0", "--agents", "mcts,random") == 2
