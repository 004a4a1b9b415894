"""Wrong input of every command prints one clear line and exits with code 2."""

import importlib
import os
import struct
import sys

import pytest

import cardgames.agents.agent_factory
import cardgames.core.game_registry
from tests.command import ROOT, call, is_one_line, run, start

BAD = [
    (("play", "chess"), "unknown game 'chess': choose from uno"),
    (("play", "uno", "--vs", "nobody"), "unknown agent for uno 'nobody': choose from random"),
    (("play", "uno", "--vs", ""), "an agent's name is missing in ''"),
    (("play", "uno", "--vs", "reflex,random", "--players", "4"), "--vs names 2 agents, but there are 3 other seats"),
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
        "the name of the record's file is empty",
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
    (("arena", "uno", "--rule"), "Option '--rule' requires an argument (see cardgames arena --help)"),
    (("frobnicate",), "No such command 'frobnicate'"),
    (("watch", "uno", "--agents", "random,reflex"), "use --plain"),
    (("watch", "uno", "--agents", "random,,reflex", "--plain"), "an agent's name is missing"),
    (("watch", "uno", "--agents", "random,reflex", "--plain", "--speed", "0"), "--speed is 0.01 or more, not 0"),
    (("watch", "uno", "--agents", "random,reflex", "--plain", "--speed", "1e-300"), "--speed is 0.01 or more"),
    (("arena", "uno", "--agents", "random"), "2 to 10 players, not 1"),
    (("arena", "uno", "--agents", "random,reflex", "--games", "0"), "games is a number from 1, not 0"),
    (("rules", "uno", "mau-mau"), "unknown preset"),
    (("rules", "uno", "--rule", "stacking"), "NAME=VALUE"),
    (("rules", "uno", "common", "--rule", "wild-four=any-time"), "contradicts"),
    (("agents", "chess"), "unknown game"),
    (("agents", "uno", "mctss"), "did you mean mcts?"),
    (("arena", "uno", "--agents", "reflex,linear", "--ratings"), "ratings count from random, which is not among"),
    (("arena", "uno", "--agents", "random,reflex", "--ratings", "--anchor", "x"), "ratings count from x, which is not"),
    (("arena", "uno", "--agents", "random,random", "--ratings"), "random is named twice"),
    (("arena", "uno", "--agents", "random", "--ratings"), "a round robin needs at least 2 agents, not 1"),
    (("arena", "uno", "--agents", "random,reflex", "--anchor", "reflex"), "--anchor needs --ratings"),
    (("arena", "uno", "--agents", "random,reflex", "--out", "x.json"), "--out needs --ratings"),
    (("arena", "uno", "--agents", "random,reflex", "--ratings", "--out", "/nowhere/x"), "cannot write /nowhere/x"),
    (("watch", "doudizhu", "--agents", "random", "--plain"), "doudizhu takes 2 or 3 agents, not 1"),
    (("replay", "none.jsonl"), "cannot read none.jsonl"),
    (("replay", "pyproject.toml"), "pyproject.toml line 1: "),
    (
        ("search-debug", "uno", "--against", "cheating-all"),
        "cheating-all sees all cards: it needs a record, or a position",
    ),
    (("search-debug", "uno", "--position", "hands=r5|g55 top=r5"), "'g55' is not a card"),
    (("search-debug", "uno", "--position", "hands=r5 r5 r5|g5 top=r5"), "too many r5"),
    (("search-debug", "uno", "--position", "hands=r5|g5"), "needs top"),
    (("search-debug", "uno", "--position", "hands=r5|g5 top=r1 wind=east"), "unknown part of a position 'wind'"),
    (("search-debug", "uno", "--position", '{"hands": [1, 2]}'), "a position of Uno has no field to_move"),
    (("search-debug", "uno", "--position", "{oops"), "--position is not the JSON of state.to_dict()"),
    (("solve", "doudizhu"), "solve needs a position: give --position, or --record and --ply"),
    (("solve", "doudizhu", "--position", "hands=45|?3|3 landlord=0"), "the position is not open"),
    (("solve", "uno", "--position", "hands=r9 b2|g1 g2 top=r5 draw=b1"), "the position is not open"),
    (("solve", "uno", "--position", "hands=r9 b2|7 top=r5 pile=0"), "the position is not open"),
    (("solve", "doudizhu", "--position", "hands=45|5|3 landlord=0", "--objective", "fun"), "unknown objective 'fun'"),
    (("solve", "doudizhu", "--position", "hands=45|5|3 landlord=0", "--time", "0"), "--time is a number of seconds"),
    (("solve", "doudizhu", "--position", "hands=45|5|3 landlord=0", "--nodes", "0"), "--nodes is a number from 1"),
    (("solve", "doudizhu", "--position", "hands=45|5|3 landlord=0", "--ply", "1"), "they need --record"),
    (("solve", "doudizhu", "--record", "x", "--position", "hands=45|5|3 landlord=0"), "--record sets the game"),
    (("solve", "doudizhu", "--record", "pyproject.toml"), "pyproject.toml line 1: "),
    (("search-debug", "uno", "--agent", "solver", "--position", "hands=r5|g5 top=r1"), "solver sees all cards"),
    (("play", "uno", "--vs", "solver:nodes=0", "--plain"), "nodes is a whole number from 1"),
    (("search-debug", "uno", "--record", "pyproject.toml", "--ply", "3"), "pyproject.toml line 1: "),
    (("search-debug", "uno", "--seed", "1", "--ply", "99999"), "decisions, fewer than --ply"),
    (("search-debug", "uno", "--position", "hands=r5|g5 top=r1 top=r2"), "gives top twice"),
    (("search-debug", "uno", "--position", '{"hands": [], "hands": []}'), "gives hands twice"),
    (("search-debug", "uno", "--position", "hands=r5||g5 top=r1"), "the hand of seat 1 is empty"),
    (("play", "doudizhu", "--players", "2", "--plain"), "doudizhu is for 3 players, not 2"),
    (("play", "doudizhu", "--seat", "3", "--plain"), "--seat is a number from 0 to 2, not 3"),
    (("arena", "doudizhu", "--agents", "random"), "doudizhu takes 2 or 3 agents, not 1"),
    (("arena", "doudizhu", "--agents", "random,random,random,random"), "takes 2 or 3 agents, not 4"),
    (("arena", "doudizhu", "--agents", "random,random,reflex"), "unknown agent for doudizhu 'reflex'"),
    (("arena", "doudizhu", "--agents", "random:by=copies,random,random"), "random has no options: leave out by"),
    (("arena", "doudizhu", "--agents", "random,random,random", "--match"), "no matches over several rounds"),
    (("search-debug", "doudizhu", "--position", "hands=3|4|5 landlord=0 top=3"), "unknown part of a position 'top'"),
    (("search-debug", "doudizhu", "--position", "hands=3|4|5 landlord=x"), "landlord is a number, not 'x'"),
    (("search-debug", "doudizhu", "--position", "hands=3|4|?18 landlord=0"), "1 to 17, not 18"),
    (
        ("search-debug", "doudizhu", "--position", '{"hands": [1, 2, 3]}'),
        "a position of Dou Di Zhu has no field to_move",
    ),
    (("search-debug", "uno", "--round", "2"), "it needs --record"),
    (("search-debug", "uno", "--json", "--plain"), "choose one"),
    (("search-debug", "uno", "--seed", "1", "--ply", "9999"), "the round of seed 1 has only"),
    (("search-debug", "uno", "--depth", "-1"), "--depth is a number from 0 to 100"),
    (("search-debug", "uno", "--against", "chess"), "unknown agent for uno 'chess'"),
    (("search-debug", "uno", "--export", "/nowhere/a.json"), "there is no folder /nowhere"),
    (("search-debug", "uno", "--export", "a.json/"), "cannot write a.json/: it is a folder"),
    (("search-debug", "uno", "--export", "a.png"), "choose from FILE.json, FILE.svg"),
]


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
def test_bad_input_is_one_line_in_a_separate_process(arguments: tuple[str, ...], words: str) -> None:
    code, _, err = run(*arguments)
    assert code == 2 and is_one_line(err) and words in err


@pytest.mark.parametrize(
    ("size", "term", "words"),
    [
        ((20, 70), "xterm", ("70 columns and 20 lines", "80 and 24")),
        ((30, 90), "xterm", ("standard error",)),
        ((30, 90), "dumb", ("TERM=dumb", "--plain")),
    ],
    ids=["too small", "standard error elsewhere", "dumb"],
)
def test_unsuitable_terminal_is_refused_with_the_reason(
    monkeypatch: pytest.MonkeyPatch, size: tuple[int, int], term: str, words: tuple[str, ...]
) -> None:
    monkeypatch.setenv("TERM", term)
    fcntl, pty, termios = (pytest.importorskip(module) for module in ("fcntl", "pty", "termios"))
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
    process = start("play", "uno", "--vs", "reflex", stdin=slave, stdout=slave)
    _, err = process.communicate(timeout=60)
    os.close(master)
    os.close(slave)
    assert process.returncode == 2 and is_one_line(err)
    assert all(part in err for part in words)


def test_agent_module_that_exits_python_is_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real = importlib.import_module
    monkeypatch.setattr(
        cardgames.core.game_registry, "import_module", lambda name: sys.exit(3) if name == "mine" else real(name)
    )
    assert call(monkeypatch, "arena", "uno", "--agents", "mine:factory,random") == 2
    assert "cannot load mine:factory" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["train", "uno", "nothing", "--out", "x"], "unknown algorithm"),
        (["train", "uno", "linear", "--out", "/nowhere/x"], "cannot write"),
        (["train", "uno", "linear", "--out", "x", "--rounds", "1"], "--rounds is a number from 400, not 1"),
        (["train", "uno", "linear", "--out", "x", "--rounds", "0"], "--rounds is a number from 400, not 0"),
        (["train", "uno", "linear", "--out", __file__], "not a readable safetensors file"),
        (["train", "uno", "linear", "--out", "/"], "cannot read /: it is a folder"),
        (["train", "uno", "linear", "--out", f"{__file__}/x"], "cannot write"),
        (["train", "uno", "linear", "--out", "x" * 300], "File name too long"),
        (["train", "uno", "dqn", "--out", "x" * 300], "File name too long"),
        (["replay", ""], "file is empty"),
        (["play", "uno", "--plain", "--record", ""], "file is empty"),
        (["reproduce", "table-9"], "unknown table"),
        (["reproduce", "001-table2", "--games", "0"], "--games"),
        (["reproduce", "000-figure2", "--out", "x"], "--out has no effect on 000-figure2, only on 000-figure6"),
        (["reproduce", "002-table3", "--out", __file__], "it is not a folder"),
        (["reproduce", "002-table3", "--seeds", "0"], "--seeds is a number from 1, not 0"),
        (["reproduce", "002-figure2", "--seeds", "2"], "--seeds has no effect on 002-figure2, only on 000-figure6"),
        (["reproduce", "002-table3", "--quick", "--batched"], "exclude each other"),
        (["reproduce", "002-table3", "--batched", "--stacked"], "--batched and --stacked exclude each other"),
        (["reproduce", "002-table3", "--stacked", "--rlcard-network"], "--rlcard-network exclude each other"),
        (["reproduce", "002-figure2", "--stacked"], "--stacked has no effect on 002-figure2"),
        (
            ["reproduce", "000-table3", "--batched"],
            "--batched has no effect on 000-table3, only on 002-figure4, 002-table3",
        ),
        (["reproduce", "000-figure2", "--only", "dqn"], "--only has no effect"),
        (["reproduce", "--games", "100"], "--games needs a table"),
        (["reproduce", "--quick"], "--quick needs a table"),
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
def test_bad_input_of_train_and_reproduce_is_one_line(
    arguments: list[str], words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(monkeypatch, *arguments) == 2
    error = capsys.readouterr().err
    assert words in error and error.count("\n") == 1


def test_stacked_is_refused_without_cuda(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("cardgames.search.torch_evaluator.has_cuda", lambda: False)
    assert call(monkeypatch, "reproduce", "002-table3", "--stacked") == 2
    message = "cardgames: --stacked needs a CUDA device, but torch finds none: leave it out\n"
    assert capsys.readouterr().err == message
