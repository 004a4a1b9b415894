"""`cardgames train` for learners of networks: what it prints, keeps, goes on with and refuses."""

import os
import re
import sys
import time
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.progress import Progress

import cardgames
from cardgames.cli import progress
from cardgames.cli.doing import Doing
from cardgames.cli.train import ALGORITHMS as NAMES
from cardgames.cli.train import CHOICE_ALGORITHMS as CHOICE_NAMES
from cardgames.cli.training_progress import PREPARING, stopping
from cardgames.core.network_file import load_network
from cardgames.learners import run as runs
from cardgames.learners.algorithms import ALGORITHMS, choice_algorithms
from cardgames.learners.curves import read_curves
from cardgames.learners.dqn import DqnSettings
from cardgames.learners.run_files import locked
from tests.command import call

TINY = ["--rules", "rlcard", "--rule", "hand-size=2", "--device", "kernel", "--set", "hidden=8"]
TINY += [f"--set={change}" for change in ("rounds=20", "evaluate_every=10", "evaluate_games=4", "batch=4")]


def test_train_fills_a_folder_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = ["--out", str(tmp_path / "run")]
    assert call(monkeypatch, "train", "uno", "dqn", *TINY, *out, "--players", "2-3", "--seed", "4") == 0
    text = capsys.readouterr().out
    assert "20 rounds" in text and "against random (2 players), with 95 % intervals" in text and "3 players" in text
    assert {path.name for path in (tmp_path / "run").iterdir()} >= {
        runs.SETTINGS,
        runs.PROGRESS,
        runs.CHECKPOINT,
        runs.WEIGHTS,
    }
    assert call(monkeypatch, "train", "uno", "dqn", *out, "--resume", "--rounds", "25") == 0
    text = capsys.readouterr().out
    assert "dqn, 25 rounds" in text and "begins anew" not in text
    (*_, last), said = curve_of(tmp_path / "run"), text.splitlines()
    assert any(line.startswith(f"{last:.3f} [") and "against random (3 players)" in line for line in said[-3:])
    changes = ["train", "uno", "dqn", *out, "--resume"]
    for more, words in (
        (["--seed", "1"], "has seed 4, not 1"),
        (["--players", "2"], "has rlcard+hand-size=2 rules, 2, 3 players: a resumed run keeps its players"),
        (["--rules", "rlcard"], "not rlcard rules: a resumed run keeps its rules"),
        (["--rule", "hand-size=3"], "a resumed run keeps its rules"),
        (["--paper", "000"], "keeps its hidden, [8], not [64, 64]"),
        (["--set", "batch=3"], "keeps its batch"),
    ):
        assert call(monkeypatch, *changes, *more) == 2
        assert words in capsys.readouterr().err
    assert call(monkeypatch, "train", "uno", "ddqn", *out, "--resume") == 2
    assert "holds a run of uno dqn, not of uno ddqn" in capsys.readouterr().err


def test_what_began_a_run_may_be_said_again_when_it_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "own.toml").write_text("memory = 50\n")
    command = ["train", "uno", "dqn", "--paper", "002", *TINY, "--players", "3", "--seed", "4"]
    command += ["--config", str(tmp_path / "own.toml"), "--out", str(tmp_path / "run")]
    assert call(monkeypatch, *command) == 0
    capsys.readouterr()
    longer = [part.replace("rounds=20", "rounds=25") for part in command]
    assert call(monkeypatch, *longer, "--resume") == 0
    assert "dqn, 25 rounds" in capsys.readouterr().out
    config = ["--config", str(tmp_path / "run" / runs.SETTINGS)]
    assert call(monkeypatch, "train", "uno", "dqn", *config, "--out", str(tmp_path / "run"), "--resume") == 0
    (tmp_path / "own.toml").write_text("memory = 50\nrounds = 5\n")
    assert call(monkeypatch, *longer, "--resume") == 0
    assert "rounds = 25" in (tmp_path / "run" / runs.SETTINGS).read_text(), "a file makes no run longer or shorter"
    capsys.readouterr()
    for line, words in (
        ("memory = 60", "a resumed run keeps its memory, 50, not 60"),
        ("memmory = 60", "own.toml: unknown setting 'memmory'"),
    ):
        (tmp_path / "own.toml").write_text(line)
        assert call(monkeypatch, *longer, "--resume") == 2
        assert words in capsys.readouterr().err


def test_a_terminal_says_that_the_beginning_takes_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    start = runs.Run.start

    def slow(*given: Any) -> runs.Run:
        time.sleep(0.2)
        return start(*given)

    monkeypatch.setattr(runs.Run, "start", slow)
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    monkeypatch.setattr(progress, "_PACE", 0.01)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert call(monkeypatch, "train", "uno", "dqn", *TINY, "--out", str(tmp_path / "run")) == 0
    assert PREPARING[:40] in capsys.readouterr().err


def test_ctrl_c_before_the_first_round_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*told: Any) -> None:
        raise KeyboardInterrupt

    for name, options, when in (("start", [], ""), ("resume", ["--resume"], " of this sitting")):
        monkeypatch.setattr(runs.Run, name, interrupted)
        assert call(monkeypatch, "train", "uno", "dqn", "--out", str(tmp_path / "run"), *options) == 130
        assert capsys.readouterr().out == f"stopped before the first round{when}; nothing is lost\n"


@pytest.mark.parametrize("algorithm", ["sarsa", "dmc", "ddqn"])
def test_every_algorithm_takes_a_file_of_settings(
    algorithm: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own.toml").write_text("[settings]\nmemory = 50\n")
    options = [*TINY, "--config", str(tmp_path / "own.toml"), "--out", str(tmp_path / "run")]
    assert call(monkeypatch, "train", "uno", algorithm, *options) == 0
    assert "memory = 50" in (tmp_path / "run" / runs.SETTINGS).read_text()


def test_a_runs_settings_repeat_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first, again, other = (str(tmp_path / name) for name in ("first", "again", "other"))
    assert call(monkeypatch, "train", "uno", "dqn", *TINY, "--out", first, "--players", "3", "--seed", "4") == 0
    config = ["--config", f"{first}/{runs.SETTINGS}"]
    assert call(monkeypatch, "train", "uno", "dqn", *config, "--out", again) == 0
    assert (
        load_network(f"{first}/{runs.WEIGHTS}").weights.tobytes()
        == load_network(f"{again}/{runs.WEIGHTS}").weights.tobytes()
    )
    assert call(monkeypatch, "train", "uno", "ddqn", *config, "--out", other) == 2
    assert "holds a run of uno dqn, not of uno ddqn" in capsys.readouterr().err
    assert call(monkeypatch, "train", "uno", "sarsa", *config, "--out", other) == 2
    assert "holds a run of uno dqn, not of uno sarsa" in capsys.readouterr().err, "that first, not a setting it lacks"
    assert call(monkeypatch, "train", "uno", "dqn", *config, "--paper", "000", "--out", other) == 2
    assert "--paper has no effect beside" in capsys.readouterr().err
    assert call(monkeypatch, "train", "uno", "dqn", *config, "--out", other, "--players", "2") == 0
    assert load_network(f"{other}/{runs.WEIGHTS}").rules == load_network(f"{first}/{runs.WEIGHTS}").rules
    changed = [*config, "--rule", "stacking=same", "--out", str(tmp_path / "changed")]
    assert call(monkeypatch, "train", "uno", "dqn", *changed) == 0
    theirs = cardgames.make("uno", 2, "rlcard", ["hand-size=2", "stacking=same"]).rules.hash
    assert load_network(tmp_path / "changed" / runs.WEIGHTS).rules == theirs, "the run's rules, one of them changed"
    before = (tmp_path / "first" / runs.SETTINGS).read_bytes()
    assert call(monkeypatch, "train", "uno", "ddqn", "--out", first, "--resume", "--rounds", "5") == 2
    assert (tmp_path / "first" / runs.SETTINGS).read_bytes() == before, "what is refused changes nothing"
    assert call(monkeypatch, "train", "uno", "dqn", "--out", first, "--resume", "--seed", "0") == 2
    capsys.readouterr()
    assert call(monkeypatch, "train", "uno", "dqn", "--out", first, "--resume", "--rounds", "20") == 0
    assert "has its 20 rounds already" in capsys.readouterr().out
    progress = tmp_path / "first" / runs.PROGRESS
    rows = progress.read_bytes()
    progress.unlink()
    assert call(monkeypatch, "train", "uno", "dqn", "--out", first, "--resume", "--rounds", "20") == 0
    assert "has its 20 rounds already" in capsys.readouterr().out, "without the file there is no curve, and all else is"
    progress.write_bytes(rows)
    assert call(monkeypatch, "train", "uno", "dqn", "--out", first, "--resume", "--rounds", "5") == 2
    assert "has 20 rounds already, more than 5" in capsys.readouterr().err
    assert (tmp_path / "first" / runs.SETTINGS).read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "rules", "players"),
    [
        (["ddqn"], "rlcard", "3"),
        (["dqn", "--paper", "001"], "simplified", "2, 3, 4"),
        (["afdqn"], "rlcard-2022", "2"),
        (["sarsa", "--players", "2"], "rlcard-2022", "2"),
        (["dqn", "--rules", "common"], "common", "3"),
        (["actor-critic"], "official", "2"),
    ],
)
def test_rules_and_players_are_the_papers_unless_told(
    arguments: list[str],
    rules: str,
    players: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    short = [f"--set={change}" for change in ("rounds=1", "hidden=8", "evaluate_games=1")]
    short += ["--rule", "turn-limit=50", "--out", str(tmp_path / "run")]
    assert call(monkeypatch, "train", "uno", *arguments, *short) == 0
    words = f"{arguments[0]}: {rules}+turn-limit=50 rules, {players} players, seed 0"
    assert capsys.readouterr().out.startswith(words)


def test_a_run_lies_in_a_folder_of_its_algorithm_unless_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert call(monkeypatch, "train", "uno", "sarsa", *TINY) == 0
    assert (tmp_path / "runs" / "sarsa" / runs.WEIGHTS).exists()
    capsys.readouterr()
    assert call(monkeypatch, "train", "uno", "sarsa", *TINY) == 2
    assert "runs/sarsa holds a run already: resume it (--resume)" in capsys.readouterr().err
    for arguments in (["linear"], ["dqn", "--out", ""]):
        assert call(monkeypatch, "train", "uno", *arguments) == 2
        assert "say where with --out PATH" in capsys.readouterr().err


def test_a_file_of_settings_leaves_rules_and_players_to_the_paper(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "own.toml").write_text("rounds = 1\nhidden = [8]\nevaluate_games = 1\n")
    config = ["--config", str(tmp_path / "own.toml")]
    for number, (paper, words) in enumerate({"000": "rlcard rules, 3 players", "002": "rlcard-2022 rules, 2"}.items()):
        out = ["--paper", paper, "--out", str(tmp_path / str(number))]
        assert call(monkeypatch, "train", "uno", "dqn", *config, *out) == 0
        assert words in capsys.readouterr().out
    (tmp_path / "own.toml").write_text('format = "cardgames-run-9"\nrounds = 1\n')
    assert call(monkeypatch, "train", "uno", "dqn", *config, "--out", str(tmp_path / "later")) == 2
    assert "own.toml is of the format 'cardgames-run-9'" in capsys.readouterr().err


def test_a_run_goes_on_where_it_learned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = ["--out", str(tmp_path / "run")]
    auto = [option if option != "kernel" else "auto" for option in TINY]
    assert call(monkeypatch, "train", "uno", "dqn", *auto, *out) == 0
    assert 'device = "kernel"' in (tmp_path / "run" / runs.SETTINGS).read_text(), "auto may be another one elsewhere"
    capsys.readouterr()
    assert call(monkeypatch, "train", "uno", "dqn", *out, "--resume", "--rounds", "25", "--device", "cpu") == 0
    assert f"device cpu, in {tmp_path / 'run'}" in capsys.readouterr().out
    assert call(monkeypatch, "train", "uno", "dqn", *out, "--resume", "--rounds", "30") == 0
    assert "device cpu" in capsys.readouterr().out


def test_all_learners_can_be_trained_by_name() -> None:
    assert set(NAMES) == {"linear", *ALGORITHMS}


def test_two_processes_do_not_train_in_one_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "run")
    assert call(monkeypatch, "train", "uno", "dqn", *TINY, "--out", out) == 0
    capsys.readouterr()
    with locked(tmp_path / "run"):
        assert call(monkeypatch, "train", "uno", "dqn", "--out", out, "--resume", "--rounds", "40") == 2
    said = capsys.readouterr()
    assert "is being trained by another process" in said.err and not said.out, "before anything is prepared"
    assert call(monkeypatch, "train", "uno", "dqn", "--out", out, "--resume", "--rounds", "40") == 0


def test_equal_runs_write_equal_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = [tmp_path / name for name in ("first", "second")]
    for folder in folders:
        assert call(monkeypatch, "train", "uno", "dqn", *TINY, "--out", str(folder)) == 0
    first, second = ((folder / runs.WEIGHTS).read_bytes() for folder in folders)
    assert first == second


def test_algorithms_of_other_games_are_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(monkeypatch, "train", "doudizhu", "dqn", "--out", "run") == 2
    assert "unknown algorithm for doudizhu 'dqn': choose from dmc" in capsys.readouterr().err
    assert call(monkeypatch, "train", "doudizhu", "linear", "--out", "run") == 2
    assert "unknown algorithm for doudizhu 'linear'" in capsys.readouterr().err
    assert CHOICE_NAMES["doudizhu"] == tuple(choice_algorithms())


def test_a_network_of_moves_is_trained_and_gone_on_with(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out = ("--out", str(tmp_path / "run"))
    few = ("hidden=16", "tables=10", "batch=32", "evaluate_games=20", "evaluate=random")
    changes = [part for change in few for part in ("--set", change)]
    assert call(monkeypatch, "train", "doudizhu", "dmc", "--rules", "rlcard", "--rounds", "30", *changes, *out) == 0
    assert "win rate against random (in all roles)" in capsys.readouterr().out
    assert call(monkeypatch, "train", "doudizhu", "dmc", "--resume", "--rounds", "60", *out) == 0
    weights = tmp_path / "run" / runs.WEIGHTS
    agents = f"dmc:weights={weights},random"
    assert call(monkeypatch, "arena", "doudizhu", "--rules", "rlcard", "--agents", agents, "--games", "20") == 0
    assert call(monkeypatch, "arena", "doudizhu", "--rules", "classic", "--agents", agents, "--games", "6") == 2
    assert "was trained under rules rlcard, not under classic" in capsys.readouterr().err


def test_settings_are_listed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(monkeypatch, "train", "uno", "dqn", "--set", "help") == 0
    assert "target_every = 1000" in capsys.readouterr().out
    assert call(monkeypatch, "train", "uno", "dqn", "--paper", "001", "--set", "help") == 0
    assert "hidden = [512, 512]" in capsys.readouterr().out
    assert call(monkeypatch, "train", "uno", "dqn", "--paper", "9", "--set", "help") == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["linear", "--set", "help"], "--set is no option of linear"),
        (["linear", "--checkpoint", "10"], "--checkpoint is no option of linear"),
        (["linear", "--players", "2-4"], "linear learns for one number of players at a time, not 2-4"),
        (["dqn", "--set", "batch=3", "--set", "batch=4"], "--set batch=3 and --set batch=4 say the same thing twice"),
        (["rollouts", "--set", "part=0"], "part is from 0.001 to 1, not 0.0"),
        (["rollouts", "--set", "seats=all"], "unknown seats 'all': choose from first, any"),
        (["dqn", "--set", "batch"], "a setting is written KEY=VALUE, not 'batch'"),
        (["dqn", "--set", "bach=3"], "unknown setting 'bach': did you mean batch? choose from"),
        (["dqn", "--set", "opponents=nobody"], "unknown agent for uno 'nobody': choose from random"),
        (["dqn", "--set", "encoding=5x5"], "unknown encoding '5x5'"),
        (["dqn", "--paper", "004"], "no settings of paper '004' for this algorithm"),
        (["dqn", "--config", "nowhere.toml"], "cannot read nowhere.toml"),
        (["dqn", "--set", "seed=3"], "seed is no setting but an option, --seed"),
        (["dqn", "--players", "4-2"], "--players is a number, or two like 2-4, not '4-2'"),
        (["dqn", "--players", "2-999999999"], "uno is for 2 to 10 players, not 11"),
        (["dqn", "--players", "12-999999999"], "uno is for 2 to 10 players, not 12"),
        (["dqn", "--set", "outputs=1"], "the network has one output"),
        (["dqn", "--set", f"hidden={'-'.join('4' * 12)}"], "the network has 13 layers, a policy at most 12"),
        (["dqn", "--players", "1"], "uno is for 2 to 10 players, not 1"),
        (["dqn", "--checkpoint", "0"], "--checkpoint is a number of seconds above 0"),
        (["dqn", "--checkpoint", "nan"], "--checkpoint is a number of seconds above 0"),
        (["dqn", "--rounds", "20", "--set", "rounds=30"], "say the same thing twice"),
        (["dqn", "--set", "evaluate=random,reflex"], "unknown agent for uno 'random,reflex'"),
        (["dqn", "--device", "tpu"], "unknown device 'tpu'"),
        (["dqn", "--resume"], "holds no run: it does not exist"),
        (["linear", "--set", "batch=3"], "--set is no option of linear"),
        (["linear", "--resume"], "--resume is no option of linear"),
    ],
)
def test_train_refuses_in_one_line(
    arguments: list[str],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert call(monkeypatch, "train", "uno", *arguments, "--out", str(tmp_path / "run")) == 2
    error = capsys.readouterr().err
    assert words in error and error.count("\n") == 1
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("hidden = ", "own.toml is not valid TOML"),
        ("settings = 3", "own.toml: settings is no table"),
        (None, "cannot read"),
    ],
)
def test_a_file_that_says_no_settings_is_refused(
    said: str | None, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if said is not None:
        (tmp_path / "own.toml").write_text(said)
    config = ["--config", str(tmp_path / "own.toml"), "--out", str(tmp_path / "run")]
    assert call(monkeypatch, "train", "uno", "dqn", *config) == 2
    error = capsys.readouterr().err
    assert words in error and error.count("own.toml") == error.count("\n") == 1


@pytest.mark.skipif(not os.path.isdir("/dev/fd"), reason="pipes with names")
def test_settings_come_from_a_pipe(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    reading, writing = os.pipe()
    os.write(writing, b"batch = 8\n")
    os.close(writing)  # who reads twice finds nothing more, and does not wait for it
    assert call(monkeypatch, "train", "uno", "dqn", "--config", f"/dev/fd/{reading}", "--set", "help") == 0
    os.close(reading)
    assert re.search(r"^batch = 8 ", capsys.readouterr().out, re.MULTILINE)


@pytest.mark.parametrize(("said", "option"), [('rules = "rlcard"', "rules"), ("seed = 3\nbatch = 8", "seed")])
def test_a_file_of_settings_says_what_is_an_option_instead(
    said: str, option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "own.toml").write_text(said)
    config = ["--config", str(tmp_path / "own.toml"), "--out", str(tmp_path / "run")]
    assert call(monkeypatch, "train", "uno", "dqn", *config) == 2
    assert f"own.toml: {option} is no setting but an option, --{option}\n" in capsys.readouterr().err


def test_a_place_that_is_a_file_is_called_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "run").write_text("")
    assert call(monkeypatch, "train", "uno", "dqn", "--out", str(tmp_path / "run")) == 2
    assert "it is no folder" in capsys.readouterr().err


def test_a_run_too_short_to_learn_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    short = ["--set", "evaluate_games=10", "--rounds", "1", "--out", str(tmp_path / "run")]
    assert call(monkeypatch, "train", "uno", "dqn", "--rules", "rlcard", "--players", "2", *short) == 0
    assert "nothing was learned: no update was due yet" in capsys.readouterr().out


def curve_of(folder: Path) -> list[float]:
    """The win rates among three in a run's evaluations."""
    return [point.rate for point in read_curves(folder / runs.PROGRESS)["random (3 players)"]]


def test_a_run_without_a_checkpoint_says_that_it_begins_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    runs.Run.start(tmp_path / "run", "dqn", cardgames.make("uno", 2, "rlcard"), DqnSettings(rounds=3, hidden=(8,)))
    unfinished = tmp_path / "run" / ".checkpoint.safetensors.123.new"
    unfinished.touch()
    others = tmp_path / "run" / ".bashrc.new"
    others.touch()
    assert call(monkeypatch, "train", "uno", "dqn", "--out", str(tmp_path / "run"), "--resume") == 0
    assert f"{tmp_path / 'run'} has no checkpoint yet: it begins anew" in capsys.readouterr().out
    assert not unfinished.exists(), "what a killed process left half written"
    assert others.exists()


def test_the_folder_of_a_run_is_played_by_its_network(tmp_path: Path) -> None:
    game = cardgames.make("uno", 2, "rlcard")
    runs.Run.start(tmp_path / "run", "dqn", game, DqnSettings(rounds=3, hidden=(8,))).train()
    agent = cardgames.agent(f"dqn:weights={tmp_path / 'run'}", game)
    observation = game.new_initial_state(seed=1).observation()
    assert agent.act(observation).action in observation.legal_actions


def test_linear_keeps_the_weights_a_file_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    train = ["train", "uno", "linear", "--rules", "rlcard", "--rounds", "400", "--out", str(tmp_path / "file")]
    assert call(monkeypatch, *train, "--players", "2") == 0
    before = (tmp_path / "file").read_bytes()
    capsys.readouterr()
    assert call(monkeypatch, *train, "--players", "2", "--seed", "5") == 2
    assert "file holds weights for rlcard-2 already: name another file" in capsys.readouterr().err
    assert (tmp_path / "file").read_bytes() == before
    assert call(monkeypatch, *train, "--players", "3") == 0
    assert "rlcard-3" in capsys.readouterr().out


def test_a_bar_says_how_long_nothing_was_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("cardgames.cli.doing.time.monotonic", lambda: now[0])
    column, bars = Doing(), Progress()
    bars.add_task("100 rounds")
    (task,) = bars.tasks
    assert column.render(task).plain == "100 rounds"
    now[0] += 12
    assert column.render(task).plain == "12 s for this step: 100 rounds"
    column.heard()
    assert column.render(task).plain == "100 rounds"


def test_a_terminal_that_is_gone_does_not_end_a_training_that_is_to_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(StringIO):
        def isatty(self) -> bool:
            return True

        def fileno(self) -> int:
            return os.open("/dev/full", os.O_WRONLY)

    for stream in (Terminal(), None):
        monkeypatch.setattr(sys, "stdout", stream)
        stopping()
