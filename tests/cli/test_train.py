"""`cardgames train` for algorithms that train networks: output, run folder and resuming."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cardgames
from cardgames.cli.train import ALGORITHMS as NAMES
from cardgames.cli.train import CHOICE_ALGORITHMS as CHOICE_NAMES
from cardgames.learners.algorithms.algorithm_registry import ALGORITHMS, choice_algorithms
from cardgames.learners.algorithms.dqn import DqnSettings
from cardgames.learners.environments.opponents import PYTHON_OPPONENT, Opponents
from cardgames.learners.runs import run as runs
from cardgames.learners.runs.curves import read_curves
from cardgames.learners.runs.run_files import locked
from cardgames.networks.policy_lookup import find_policy
from cardgames.support.errors import InvalidInput
from tests.cli.tiny_training import TINY
from tests.command import call


def test_train_writes_a_run_folder_and_resumes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = ["--out", str(tmp_path / "run")]
    assert call(monkeypatch, "train", "uno", "dqn", *TINY, *out, "--players", "2-3", "--seed", "4") == 0
    text = capsys.readouterr().out
    assert "20 rounds" in text and "against random (2 players), with 95 % intervals" in text and "3 players" in text
    assert {path.name for path in (tmp_path / "run").iterdir()} >= {
        runs.SETTINGS_FILE,
        runs.PROGRESS_FILE,
        runs.CHECKPOINT_FILE,
        runs.WEIGHTS_FILE,
    }
    assert call(monkeypatch, "train", "uno", "dqn", *out, "--resume", "--rounds", "25") == 0
    text = capsys.readouterr().out
    assert "dqn, 25 rounds" in text and "has no checkpoint yet" not in text
    (*_, last), lines = curve_of(tmp_path / "run"), text.splitlines()
    assert any(line.startswith(f"{last:.3f} [") and "against random (3 players)" in line for line in lines[-3:])
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


def test_resume_accepts_the_options_that_started_the_run(
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
    config = ["--config", str(tmp_path / "run" / runs.SETTINGS_FILE)]
    assert call(monkeypatch, "train", "uno", "dqn", *config, "--out", str(tmp_path / "run"), "--resume") == 0
    (tmp_path / "own.toml").write_text("memory = 50\nrounds = 5\n")
    assert call(monkeypatch, *longer, "--resume") == 0
    assert "rounds = 25" in (tmp_path / "run" / runs.SETTINGS_FILE).read_text(), (
        "the file of --config does not change the length of a resumed run"
    )
    capsys.readouterr()
    for line, words in (
        ("memory = 60", "a resumed run keeps its memory, 50, not 60"),
        ("memmory = 60", "own.toml: unknown setting 'memmory'"),
    ):
        (tmp_path / "own.toml").write_text(line)
        assert call(monkeypatch, *longer, "--resume") == 2
        assert words in capsys.readouterr().err


def test_ctrl_c_before_the_first_round_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    for name, options, which in (("start", [], ""), ("resume", ["--resume"], " new")):
        monkeypatch.setattr(runs.Run, name, interrupted)
        assert call(monkeypatch, "train", "uno", "dqn", "--out", str(tmp_path / "run"), *options) == 130
        assert capsys.readouterr().out == f"stopped before the first{which} round; nothing is lost\n"


def test_run_stopped_before_its_first_evaluation_prints_how_to_continue(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(run: runs.Run, *_: Any) -> bool:
        (run.folder / runs.PROGRESS_FILE).touch()
        return False

    monkeypatch.setattr(runs.Run, "train", stopped)
    assert call(monkeypatch, "train", "uno", "dqn", "--out", str(tmp_path), *TINY) == 130
    assert f"stopped after 0 rounds; continue with --resume --out {tmp_path}\n" in capsys.readouterr().out
    assert not (tmp_path / "curve.png").exists()


def test_default_run_folder_is_named_after_the_algorithm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert call(monkeypatch, "train", "uno", "sarsa", *TINY) == 0
    assert (tmp_path / "runs" / "sarsa" / runs.WEIGHTS_FILE).exists()
    capsys.readouterr()
    assert call(monkeypatch, "train", "uno", "sarsa", *TINY) == 2
    assert "runs/sarsa holds a run already: resume it (--resume)" in capsys.readouterr().err
    for arguments in (["linear"], ["dqn", "--out", ""]):
        assert call(monkeypatch, "train", "uno", *arguments) == 2
        assert "name it with --out PATH" in capsys.readouterr().err


def test_resumed_run_keeps_its_device(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = ["--out", str(tmp_path / "run")]
    auto = [option if option != "kernel" else "auto" for option in TINY]
    assert call(monkeypatch, "train", "uno", "dqn", *auto, *out) == 0
    assert 'device = "kernel"' in (tmp_path / "run" / runs.SETTINGS_FILE).read_text(), (
        "the device that auto chose is saved"
    )
    capsys.readouterr()
    assert call(monkeypatch, "train", "uno", "dqn", *out, "--resume", "--rounds", "25", "--device", "cpu") == 0
    assert f"device cpu, in {tmp_path / 'run'}" in capsys.readouterr().out
    assert call(monkeypatch, "train", "uno", "dqn", *out, "--resume", "--rounds", "30") == 0
    assert "device cpu" in capsys.readouterr().out


def test_train_lists_all_algorithms() -> None:
    assert set(NAMES) == {"linear", *ALGORITHMS}


def test_run_folder_is_locked_while_it_is_trained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "run")
    assert call(monkeypatch, "train", "uno", "dqn", *TINY, "--out", out) == 0
    capsys.readouterr()
    with locked(tmp_path / "run"):
        assert call(monkeypatch, "train", "uno", "dqn", "--out", out, "--resume", "--rounds", "40") == 2
    captured = capsys.readouterr()
    assert "is being trained by another process" in captured.err and not captured.out, "refused before preparing"
    assert call(monkeypatch, "train", "uno", "dqn", "--out", out, "--resume", "--rounds", "40") == 0


def test_equal_runs_write_identical_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = [tmp_path / name for name in ("first", "second")]
    for folder in folders:
        assert call(monkeypatch, "train", "uno", "dqn", *TINY, "--out", str(folder)) == 0
    first, second = ((folder / runs.WEIGHTS_FILE).read_bytes() for folder in folders)
    assert first == second


def test_train_refuses_algorithms_of_other_games(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(monkeypatch, "train", "doudizhu", "dqn", "--out", "run") == 2
    assert "unknown algorithm for doudizhu 'dqn': choose from dmc" in capsys.readouterr().err
    assert call(monkeypatch, "train", "doudizhu", "linear", "--out", "run") == 2
    assert "unknown algorithm for doudizhu 'linear'" in capsys.readouterr().err
    assert CHOICE_NAMES["doudizhu"] == tuple(choice_algorithms())


def test_action_input_network_is_trained_resumed_and_played(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out = ("--out", str(tmp_path / "run"))
    few = ("hidden=16", "tables=10", "batch=32", "evaluate_games=20", "evaluate=random")
    changes = [part for change in few for part in ("--set", change)]
    assert call(monkeypatch, "train", "doudizhu", "dmc", "--rules", "rlcard", "--rounds", "30", *changes, *out) == 0
    assert "win rate against random (in all roles)" in capsys.readouterr().out
    assert call(monkeypatch, "train", "doudizhu", "dmc", "--resume", "--rounds", "60", *out) == 0
    weights = tmp_path / "run" / runs.WEIGHTS_FILE
    agents = f"dmc:weights={weights},random"
    assert call(monkeypatch, "arena", "doudizhu", "--rules", "rlcard", "--agents", agents, "--games", "20") == 0
    assert call(monkeypatch, "arena", "doudizhu", "--rules", "classic", "--agents", agents, "--games", "6") == 2
    assert "was trained under rules rlcard, not under classic" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("algorithm", "changes"), [("dqn", ["--set", "memory_init=5000"]), ("nfsp", ["--set", "anticipatory=0.001"])]
)
def test_run_too_short_for_an_update_is_reported(
    algorithm: str,
    changes: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """`nfsp` plays by its average policy, which learns only from best responses."""
    assert call(monkeypatch, "train", "uno", algorithm, *TINY, *changes, "--out", str(tmp_path / "run")) == 0
    assert "the network that plays is untrained: the run was too short" in capsys.readouterr().out


def curve_of(folder: Path) -> list[float]:
    """Return the win rates of a run's evaluations with three players."""
    return [point.rate for point in read_curves(folder / runs.PROGRESS_FILE)["random (3 players)"]]


def test_resumed_run_without_checkpoint_starts_from_the_beginning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    runs.Run.start(tmp_path / "run", "dqn", cardgames.make("uno", 2, "rlcard"), DqnSettings(rounds=3, hidden=(8,)))
    unfinished = tmp_path / "run" / ".checkpoint.safetensors.123.new"
    unfinished.touch()
    others = tmp_path / "run" / ".bashrc.new"
    others.touch()
    assert call(monkeypatch, "train", "uno", "dqn", "--out", str(tmp_path / "run"), "--resume") == 0
    assert (
        f"{tmp_path / 'run'} has no checkpoint yet: the training starts from the beginning" in capsys.readouterr().out
    )
    assert not unfinished.exists(), "a file that a killed process left incomplete is removed"
    assert others.exists()


def test_run_folder_names_an_agent_and_an_opponent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = cardgames.make("uno", 2, "rlcard")
    folder = str(tmp_path / "run")
    with pytest.raises(InvalidInput, match=r"unknown opponent '.*run': choose from .*, FOLDER of a training"):
        find_policy(game, folder, "opponent")
    runs.Run.start(tmp_path / "run", "dqn", game, DqnSettings(rounds=3, hidden=(8,))).train()
    agent = cardgames.agent(f"dqn:weights={folder}", game)
    observation = game.new_initial_state(seed=1).observation()
    assert agent.act(observation).action in observation.legal_actions
    own = find_policy(game, f"{folder}/{runs.WEIGHTS_FILE}")
    assert np.array_equal(find_policy(game, folder).weights, own.weights)
    settings = DqnSettings(rounds=3, hidden=(8,), opponents=f"{folder}+random", evaluate=folder)
    assert runs.Run.start(tmp_path / "next", "dqn", game, settings).train()
    (tmp_path / "run").rename(tmp_path / "mcts")
    monkeypatch.chdir(tmp_path)
    assert Opponents([game], "./mcts").policy_id[0] == game.networks.policy_id
    assert Opponents([game], "mcts").policy_id[0] == PYTHON_OPPONENT, (
        "the name of an agent takes precedence over a folder"
    )


def test_missing_tensorboard_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("cardgames.learners.runs.tensorboard.installed", lambda: False)
    assert call(monkeypatch, "train", "uno", "dqn", *TINY, "--out", str(tmp_path / "run")) == 0
    assert "no TensorBoard events: TensorBoard is not installed" in capsys.readouterr().out


def test_run_stopped_in_its_last_evaluation_says_that_it_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    train, out = runs.Run.train, str(tmp_path / "run")

    def stopped(run: runs.Run, *arguments: Any) -> bool:
        train(run, *arguments)
        return False

    monkeypatch.setattr(runs.Run, "train", stopped)
    assert call(monkeypatch, "train", "uno", "dqn", *TINY, "--out", out) == 130
    *_, evaluation, end = capsys.readouterr().out.splitlines()
    assert evaluation.endswith(" (after 20 rounds)")
    assert end == f"stopped after 20 rounds, before the last evaluation; continue with --resume --out {out}"
