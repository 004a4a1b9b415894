"""Settings of `cardgames train`: from files, from the command line, from papers; and wrong settings."""

import os
import re
from pathlib import Path

import pytest

import cardgames
from cardgames.learners.runs import run as runs
from cardgames.networks.network_file import load_network
from tests.cli.tiny_training import TINY
from tests.command import call


@pytest.mark.parametrize("algorithm", ["sarsa", "dmc", "ddqn"])
def test_settings_are_read_from_a_file(algorithm: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own.toml").write_text("[settings]\nmemory = 50\n")
    options = [*TINY, "--config", str(tmp_path / "own.toml"), "--out", str(tmp_path / "run")]
    assert call(monkeypatch, "train", "uno", algorithm, *options) == 0
    assert "memory = 50" in (tmp_path / "run" / runs.SETTINGS_FILE).read_text()


def test_settings_file_of_a_run_repeats_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first, again, other = (str(tmp_path / name) for name in ("first", "again", "other"))
    assert call(monkeypatch, "train", "uno", "dqn", *TINY, "--out", first, "--players", "3", "--seed", "4") == 0
    config = ["--config", f"{first}/{runs.SETTINGS_FILE}"]
    assert call(monkeypatch, "train", "uno", "dqn", *config, "--out", again) == 0
    assert (
        load_network(f"{first}/{runs.WEIGHTS_FILE}").weights.tobytes()
        == load_network(f"{again}/{runs.WEIGHTS_FILE}").weights.tobytes()
    )
    assert call(monkeypatch, "train", "uno", "ddqn", *config, "--out", other) == 2
    assert "holds a run of uno dqn, not of uno ddqn" in capsys.readouterr().err
    assert call(monkeypatch, "train", "uno", "sarsa", *config, "--out", other) == 2
    assert "holds a run of uno dqn, not of uno sarsa" in capsys.readouterr().err, (
        "refused for its algorithm, not for a setting"
    )
    assert call(monkeypatch, "train", "uno", "dqn", *config, "--paper", "000", "--out", other) == 2
    assert "--paper cannot be used with" in capsys.readouterr().err
    assert call(monkeypatch, "train", "uno", "dqn", *config, "--out", other, "--players", "2") == 0
    assert load_network(f"{other}/{runs.WEIGHTS_FILE}").rules == load_network(f"{first}/{runs.WEIGHTS_FILE}").rules
    changed = [*config, "--rule", "stacking=same", "--out", str(tmp_path / "changed")]
    assert call(monkeypatch, "train", "uno", "dqn", *changed) == 0
    expected = cardgames.make("uno", 2, "rlcard", ["hand-size=2", "stacking=same"]).rules.hash
    assert load_network(tmp_path / "changed" / runs.WEIGHTS_FILE).rules == expected, (
        "the rules of the run, one of them changed"
    )
    before = (tmp_path / "first" / runs.SETTINGS_FILE).read_bytes()
    assert call(monkeypatch, "train", "uno", "ddqn", "--out", first, "--resume", "--rounds", "5") == 2
    assert (tmp_path / "first" / runs.SETTINGS_FILE).read_bytes() == before, "a refused command changes nothing"
    assert call(monkeypatch, "train", "uno", "dqn", "--out", first, "--resume", "--seed", "0") == 2
    capsys.readouterr()
    assert call(monkeypatch, "train", "uno", "dqn", "--out", first, "--resume", "--rounds", "20") == 0
    assert "has already played its 20 rounds" in capsys.readouterr().out
    progress = tmp_path / "first" / runs.PROGRESS_FILE
    rows = progress.read_bytes()
    progress.unlink()
    assert call(monkeypatch, "train", "uno", "dqn", "--out", first, "--resume", "--rounds", "20") == 0
    assert "has already played its 20 rounds" in capsys.readouterr().out, (
        "without the progress file only curves are missing"
    )
    progress.write_bytes(rows)
    assert call(monkeypatch, "train", "uno", "dqn", "--out", first, "--resume", "--rounds", "5") == 2
    assert "has 20 rounds already, more than 5" in capsys.readouterr().err
    assert (tmp_path / "first" / runs.SETTINGS_FILE).read_bytes() == before


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
def test_rules_and_players_default_to_those_of_the_paper(
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


def test_settings_file_does_not_change_rules_and_players_of_the_paper(
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
    assert "own.toml has the format 'cardgames-run-9'" in capsys.readouterr().err


def test_set_help_lists_settings(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(monkeypatch, "train", "uno", "dqn", "--set", "help") == 0
    assert "target_every = 1000" in capsys.readouterr().out
    assert call(monkeypatch, "train", "uno", "dqn", "--paper", "001", "--set", "help") == 0
    assert "hidden = [512, 512]" in capsys.readouterr().out
    assert call(monkeypatch, "train", "uno", "dqn", "--paper", "9", "--set", "help") == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["linear", "--set", "help"], "--set is not an option of linear"),
        (["linear", "--checkpoint", "10"], "--checkpoint is not an option of linear"),
        (["linear", "--players", "2-4"], "linear trains for one number of players at a time, not 2-4"),
        (["dqn", "--set", "batch=3", "--set", "batch=4"], "--set batch=3 and --set batch=4 exclude each other"),
        (["actor-critic", "--set", "trace=2"], "trace is from 0 to 1, not 2.0"),
        (["dqn", "--set", "seats=some"], "unknown seats 'some': choose from first, any, all"),
        (["dqn", "--set", "batch"], "a setting is written KEY=VALUE, not 'batch'"),
        (["dqn", "--set", "bach=3"], "unknown setting 'bach': did you mean batch? choose from"),
        (["dqn", "--set", "opponents=nobody"], "unknown agent for uno 'nobody': choose from random"),
        (["dqn", "--set", "encoding=5x5"], "unknown encoding '5x5'"),
        (["dqn", "--paper", "004"], "no settings of paper '004' for this algorithm"),
        (["dqn", "--config", "nowhere.toml"], "cannot read nowhere.toml"),
        (["dqn", "--set", "seed=3"], "seed is not a setting: use the option --seed"),
        (["dqn", "--players", "4-2"], "--players is a number or a range such as 2-4, not '4-2'"),
        (["dqn", "--players", "2-999999999"], "uno is for 2 to 10 players, not 11"),
        (["dqn", "--players", "12-999999999"], "uno is for 2 to 10 players, not 12"),
        (["dqn", "--set", "outputs=1"], "the network has one output"),
        (["dqn", "--set", f"hidden={'-'.join('4' * 12)}"], "the network has 13 layers; a policy may have at most 12"),
        (["dqn", "--players", "1"], "uno is for 2 to 10 players, not 1"),
        (["dqn", "--checkpoint", "0"], "--checkpoint is a number of seconds above 0"),
        (["dqn", "--checkpoint", "nan"], "--checkpoint is a number of seconds above 0"),
        (["dqn", "--rounds", "20", "--set", "rounds=30"], "exclude each other"),
        (["dqn", "--set", "evaluate=random,reflex"], "unknown agent for uno 'random,reflex'"),
        (["dqn", "--device", "tpu"], "unknown device 'tpu'"),
        (["dqn", "--resume"], "holds no run: it does not exist"),
        (["linear", "--set", "batch=3"], "--set is not an option of linear"),
        (["linear", "--resume"], "--resume is not an option of linear"),
    ],
)
def test_wrong_options_of_train_are_refused_in_one_line(
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
    ("text", "words"),
    [
        ("hidden = ", "own.toml is not valid TOML"),
        ("settings = 3", "own.toml: settings is not a table"),
        (None, "cannot read"),
    ],
)
def test_file_without_settings_is_refused(
    text: str | None, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if text is not None:
        (tmp_path / "own.toml").write_text(text)
    config = ["--config", str(tmp_path / "own.toml"), "--out", str(tmp_path / "run")]
    assert call(monkeypatch, "train", "uno", "dqn", *config) == 2
    error = capsys.readouterr().err
    assert words in error and error.count("own.toml") == error.count("\n") == 1


@pytest.mark.skipif(not os.path.isdir("/dev/fd"), reason="needs named pipes")
def test_settings_are_read_from_a_pipe(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    reading, writing = os.pipe()
    os.write(writing, b"batch = 8\n")
    os.close(writing)  # a second read returns nothing instead of waiting
    assert call(monkeypatch, "train", "uno", "dqn", "--config", f"/dev/fd/{reading}", "--set", "help") == 0
    os.close(reading)
    assert re.search(r"^batch = 8 ", capsys.readouterr().out, re.MULTILINE)


@pytest.mark.parametrize(("text", "option"), [('rules = "rlcard"', "rules"), ("seed = 3\nbatch = 8", "seed")])
def test_option_in_a_settings_file_is_refused(
    text: str, option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "own.toml").write_text(text)
    config = ["--config", str(tmp_path / "own.toml"), "--out", str(tmp_path / "run")]
    assert call(monkeypatch, "train", "uno", "dqn", *config) == 2
    assert f"own.toml: {option} is not a setting: use the option --{option}\n" in capsys.readouterr().err


def test_run_folder_that_is_a_file_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "run").write_text("")
    assert call(monkeypatch, "train", "uno", "dqn", "--out", str(tmp_path / "run")) == 2
    assert "it is not a folder" in capsys.readouterr().err


def test_repeated_run_uses_the_device_of_the_first_by_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch")
    cpu = [option if option != "kernel" else "cpu" for option in TINY]
    assert call(monkeypatch, "train", "uno", "dqn", *cpu, "--out", str(tmp_path / "run")) == 0
    config = ["--config", str(tmp_path / "run" / runs.SETTINGS_FILE)]
    for name, more, device in (("again", [], "cpu"), ("other", ["--device", "kernel"], "kernel")):
        capsys.readouterr()
        assert call(monkeypatch, "train", "uno", "dqn", *config, *more, "--out", str(tmp_path / name)) == 0
        assert f"device {device}, in {tmp_path / name}" in capsys.readouterr().out
