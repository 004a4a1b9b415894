"""Tests of a run's folder: damaged files and those of other runs are refused, and nothing is overwritten."""

from pathlib import Path
from typing import Any

import pytest
from safetensors.numpy import save_file

import cardgames
from cardgames.learners.algorithms.algorithm_registry import algorithm
from cardgames.learners.algorithms.dqn import DqnSettings
from cardgames.learners.runs import run as runs
from cardgames.learners.runs.run import Run
from cardgames.learners.runs.run_config import identity_of
from cardgames.learners.runs.run_files import locked
from cardgames.support.errors import InvalidInput
from tests.learners.tiny_run import start


@pytest.mark.parametrize(
    "missing",
    [{runs.CHECKPOINT_FILE}, {runs.SETTINGS_FILE}, {runs.SETTINGS_FILE, runs.CHECKPOINT_FILE, runs.PROGRESS_FILE}],
)
def test_remaining_files_of_a_run_are_not_overwritten(missing: set[str], tmp_path: Path) -> None:
    assert start(tmp_path / "run").train()
    for name in missing:
        (tmp_path / "run" / name).unlink()
    files_before = {path.name: path.read_bytes() for path in (tmp_path / "run").iterdir()}
    message = (
        "has weights.safetensors but no checkpoint.safetensors to resume"
        if runs.SETTINGS_FILE not in missing
        else "holds no run"
    )
    with pytest.raises(InvalidInput, match=message):
        Run.resume(tmp_path / "run")
    with pytest.raises(InvalidInput, match="name another folder"):
        start(tmp_path / "run")
    assert files_before == {path.name: path.read_bytes() for path in (tmp_path / "run").iterdir()}


def test_existing_networks_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "run" / runs.NETWORKS_FOLDER).mkdir(parents=True)
    with pytest.raises(InvalidInput, match="networks would be overwritten: name another folder"):
        start(tmp_path / "run")


def test_progress_without_last_evaluation_is_refused(tmp_path: Path) -> None:
    run = start(tmp_path / "run")
    run.train()
    lines = run._progress_table.path.read_text().splitlines(keepends=True)
    for rows in (lines[:-1], [*lines[:-1], "30,x,"], []):
        run._progress_table.path.write_text("".join(rows))
        with pytest.raises(InvalidInput, match="is damaged: it lacks the evaluation after 30 rounds"):
            Run.resume(tmp_path / "run", {"rounds": 40}).train()
        assert run._progress_table.path.read_text() == "".join(rows)
    run._progress_table.path.unlink()
    assert Run.resume(tmp_path / "run", {"rounds": 40}).train()
    assert [row["rounds"] for row in run._progress_table.read()] == [40]


def test_run_trained_by_another_process_is_refused(tmp_path: Path) -> None:
    first = start(tmp_path / "run")
    second = Run.resume(tmp_path / "run")
    assert first.train()
    files = {path.name: path.read_bytes() for path in (tmp_path / "run").iterdir()}
    with pytest.raises(InvalidInput, match="was trained by another process in the meantime"):
        second.train()
    with locked(tmp_path / "run"), pytest.raises(InvalidInput, match="is being trained by another process"):
        Run.resume(tmp_path / "run", {"rounds": 40}).train()
    assert files == {path.name: path.read_bytes() for path in (tmp_path / "run").iterdir()}
    assert first.train(), "the run's own checkpoint is accepted"


@pytest.mark.parametrize(
    ("name", "key", "changes"),
    [
        ("dqn", "opponents", {"memory": 200, "batch": 4}),
        ("ddqn-mcts", "simulated", {"memory": 200, "batch": 4, "simulations": 2}),
    ],
)
def test_resume_with_changed_policy_file_is_refused(
    name: str, key: str, changes: dict[str, object], tmp_path: Path
) -> None:
    first, second = start(tmp_path / "first", "dmc"), start(tmp_path / "second", "dmc", seed=2)
    assert first.train() and second.train()
    file, first_weights = tmp_path / "policy.safetensors", (first.folder / runs.WEIGHTS_FILE).read_bytes()
    file.write_bytes(first_weights)
    small = {"hidden": "8", "rounds": 30, "evaluate": "random", "evaluate_games": 4, key: str(file)}
    settings = algorithm(name).settings_class().with_changes(small | changes)
    Run.start(tmp_path / "run", name, first.learner.games, settings).train()
    file.write_bytes((second.folder / runs.WEIGHTS_FILE).read_bytes())
    with pytest.raises(InvalidInput, match="has changed since the run began"):
        Run.resume(tmp_path / "run", {"rounds": 40})
    file.write_bytes(first_weights)
    assert Run.resume(tmp_path / "run", {"rounds": 40}).train()


def test_run_files_have_the_same_permissions(tmp_path: Path) -> None:
    run = start(tmp_path / "run")
    run.save()
    assert (
        len(
            {
                (run.folder / name).stat().st_mode
                for name in (runs.SETTINGS_FILE, runs.CHECKPOINT_FILE, runs.WEIGHTS_FILE)
            }
        )
        == 1
    )


def test_invalid_settings_and_checkpoints_are_refused_with_reason(tmp_path: Path) -> None:
    run = start(tmp_path / "run")
    run.train()
    with pytest.raises(InvalidInput, match="holds a run already"):
        start(tmp_path / "run")
    with pytest.raises(
        InvalidInput, match="a resumed run keeps its batch, 4, not 5: only rounds, decisions, evaluate_games"
    ):
        Run.resume(tmp_path / "run", {"batch": 5})
    with pytest.raises(InvalidInput, match="holds no run"):
        Run.resume(tmp_path / "nowhere")
    other = start(tmp_path / "other", seed=2)
    checkpoint = run.folder / runs.CHECKPOINT_FILE
    checkpoint.rename(other.folder / runs.CHECKPOINT_FILE)
    with pytest.raises(InvalidInput, match="belongs to another run, whose seed is 1, not 2"):
        Run.resume(tmp_path / "other")
    checkpoint.write_bytes((run.folder / runs.WEIGHTS_FILE).read_bytes())
    with pytest.raises(InvalidInput, match="is not a checkpoint of this version of cardgames"):
        Run.resume(tmp_path / "run")
    whole = (other.folder / runs.CHECKPOINT_FILE).read_bytes()
    checkpoint.write_bytes(whole.replace(b"cardgames-checkpoint-8", b"cardgames-checkpoint-7"))
    with pytest.raises(InvalidInput, match="is not a checkpoint of this version of cardgames"):
        Run.resume(tmp_path / "run")
    (other.folder / runs.CHECKPOINT_FILE).rename(checkpoint)
    Run.resume(tmp_path / "run")
    checkpoint.write_bytes(whole[:-9] + bytes([whole[-9] ^ 1]) + whole[-8:])
    with pytest.raises(InvalidInput, match="its checksum does not match"):
        Run.resume(tmp_path / "run")
    save_file({}, checkpoint, {"format": "cardgames-checkpoint-8", "identity": "[1"})
    with pytest.raises(InvalidInput, match="is damaged: it has no identity"):
        Run.resume(tmp_path / "run")
    checkpoint.write_bytes(b"half a che")
    with pytest.raises(InvalidInput, match="is damaged"):
        Run.resume(tmp_path / "run")
    checkpoint.write_bytes(whole)
    config_text = (run.folder / runs.SETTINGS_FILE).read_text()
    for line, other_line, message in (
        ("batch = 4", "batch = 5", "belongs to another run, whose batch is 4, not 5"),
        ('stacking = "none"', 'stacking = "same"', "whose rule stacking is none, not same"),
        ("batch = 4", 'batch = "many"', "settings.toml: batch is a whole number"),
        ("seed = 1", "seed = inf", "settings.toml is damaged: seed is a whole number, not inf"),
        ("seed = 1", "seed = true", "settings.toml is damaged: seed is a whole number, not True"),
        ("players = [2]", "players = [2.5]", "settings.toml is damaged: players is a whole number, not 2.5"),
        ("players = [2]", "players = 2", "settings.toml is damaged: players is a list of whole numbers, not 2"),
        (
            'rules_name = "rlcard+hand-size=2"',
            "rules_name = 7",
            "settings.toml is damaged: rules_name is a text, not 7",
        ),
        ('stacking = "none"', "stacking = []", "settings.toml is damaged: unknown value of rule stacking"),
        ('algorithm = "dqn"', "algorithm = []", "settings.toml is damaged: algorithm is a text"),
    ):
        (run.folder / runs.SETTINGS_FILE).write_text(config_text.replace(line, other_line))
        with pytest.raises(InvalidInput, match=message):
            Run.resume(tmp_path / "run")
    (run.folder / runs.SETTINGS_FILE).write_text("seed = 1\n")
    with pytest.raises(InvalidInput, match="does not describe a run"):
        Run.resume(tmp_path / "run")


def test_added_setting_keeps_checkpoint_identity(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = start(tmp_path / "run")
    identity, to_dict = identity_of(run.learner), DqnSettings.to_dict
    monkeypatch.setattr(DqnSettings, "to_dict", lambda self: to_dict(self) | {"later": 0})
    assert identity_of(run.learner) == identity
    assert identity_of(start(tmp_path / "other", batch=5).learner) != identity


def test_games_of_different_rules_are_refused(tmp_path: Path) -> None:
    games = [cardgames.make("uno", 2, "rlcard"), cardgames.make("uno", 3, "rlcard-2022")]
    with pytest.raises(InvalidInput, match="must be the same game under the same rules"):
        Run.start(tmp_path / "run", "dqn", games)
    with pytest.raises(InvalidInput, match="must each have another number of players"):
        Run.start(tmp_path / "run", "dqn", games[:1] * 2)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"games": []}, "games must be a list of at least one game"),
        ({"settings": {"rounds": 20}}, "dqn takes DqnSettings"),
        ({"seed": 1.5}, "a seed is a whole number from 0 to 18446744073709551615, not 1.5"),
    ],
)
def test_invalid_arguments_of_start_are_refused(parts: dict[str, Any], message: str, tmp_path: Path) -> None:
    game = cardgames.make("uno", 2, "rlcard")
    with pytest.raises(InvalidInput, match=message):
        Run.start(tmp_path / "run", "dqn", **({"games": game} | parts))
    assert not (tmp_path / "run").exists()
