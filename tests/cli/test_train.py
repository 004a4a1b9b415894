"""`cardgames train` for learners of networks: what it prints, keeps and goes on with."""

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


def test_train_fills_a_folder_and_goes_on(
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
    config = ["--config", str(tmp_path / "run" / runs.SETTINGS_FILE)]
    assert call(monkeypatch, "train", "uno", "dqn", *config, "--out", str(tmp_path / "run"), "--resume") == 0
    (tmp_path / "own.toml").write_text("memory = 50\nrounds = 5\n")
    assert call(monkeypatch, *longer, "--resume") == 0
    assert "rounds = 25" in (tmp_path / "run" / runs.SETTINGS_FILE).read_text(), "a file makes no run longer or shorter"
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
    def interrupted(*told: Any) -> None:
        raise KeyboardInterrupt

    for name, options, when in (("start", [], ""), ("resume", ["--resume"], " of this sitting")):
        monkeypatch.setattr(runs.Run, name, interrupted)
        assert call(monkeypatch, "train", "uno", "dqn", "--out", str(tmp_path / "run"), *options) == 130
        assert capsys.readouterr().out == f"stopped before the first round{when}; nothing is lost\n"


def test_a_run_stopped_before_its_first_evaluation_says_how_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(run: runs.Run, *told: Any) -> bool:
        (run.folder / runs.PROGRESS_FILE).touch()
        return False

    monkeypatch.setattr(runs.Run, "train", stopped)
    assert call(monkeypatch, "train", "uno", "dqn", "--out", str(tmp_path), *TINY) == 130
    assert f"stopped after 0 rounds; go on with --resume --out {tmp_path}\n" in capsys.readouterr().out
    assert not (tmp_path / "curve.png").exists()


def test_a_run_lies_in_a_folder_of_its_algorithm_unless_told(
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
        assert "say where with --out PATH" in capsys.readouterr().err


def test_a_run_goes_on_where_it_learned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = ["--out", str(tmp_path / "run")]
    auto = [option if option != "kernel" else "auto" for option in TINY]
    assert call(monkeypatch, "train", "uno", "dqn", *auto, *out) == 0
    assert 'device = "kernel"' in (tmp_path / "run" / runs.SETTINGS_FILE).read_text(), (
        "auto may be another one elsewhere"
    )
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
    first, second = ((folder / runs.WEIGHTS_FILE).read_bytes() for folder in folders)
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
    weights = tmp_path / "run" / runs.WEIGHTS_FILE
    agents = f"dmc:weights={weights},random"
    assert call(monkeypatch, "arena", "doudizhu", "--rules", "rlcard", "--agents", agents, "--games", "20") == 0
    assert call(monkeypatch, "arena", "doudizhu", "--rules", "classic", "--agents", agents, "--games", "6") == 2
    assert "was trained under rules rlcard, not under classic" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("algorithm", "changes"), [("dqn", ["--set", "memory_init=5000"]), ("nfsp", ["--set", "anticipatory=0.001"])]
)
def test_a_run_too_short_to_learn_says_so(
    algorithm: str,
    changes: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """For `nfsp` it is the average policy that counts, which learns from best responses alone."""
    assert call(monkeypatch, "train", "uno", algorithm, *TINY, *changes, "--out", str(tmp_path / "run")) == 0
    assert "what it plays by has learned nothing: no update was due yet" in capsys.readouterr().out


def curve_of(folder: Path) -> list[float]:
    """The win rates among three in a run's evaluations."""
    return [point.rate for point in read_curves(folder / runs.PROGRESS_FILE)["random (3 players)"]]


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


def test_the_folder_of_a_run_is_played_by_its_network_and_played_against(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
    assert Opponents([game], "mcts").policy_id[0] == PYTHON_OPPONENT, "an agent's name means no folder"


def test_a_run_without_tensorboard_says_that_it_has_no_events(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("cardgames.learners.runs.tensorboard.installed", lambda: False)
    assert call(monkeypatch, "train", "uno", "dqn", *TINY, "--out", str(tmp_path / "run")) == 0
    assert "no TensorBoard events: TensorBoard is not installed" in capsys.readouterr().out


def test_a_run_stopped_in_its_last_evaluation_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    train, out = runs.Run.train, str(tmp_path / "run")

    def stopped(run: runs.Run, *told: Any) -> bool:
        train(run, *told)
        return False

    monkeypatch.setattr(runs.Run, "train", stopped)
    assert call(monkeypatch, "train", "uno", "dqn", *TINY, "--out", out) == 130
    *_, found, end = capsys.readouterr().out.splitlines()
    assert found.endswith(" (after 20 rounds)")
    assert end == f"stopped after 20 rounds, all of them; an evaluation is missing; go on with --resume --out {out}"
