"""Stacked trainings of tables and grids: saving, resuming, and errors."""

import signal
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from cardgames.networks.network_file import save_network
from cardgames.papers import paper003
from cardgames.papers.joint_training import stacked_training
from cardgames.papers.joint_training.stack import Stack
from cardgames.papers.paper002 import TABLE_4, TABLE_5
from cardgames.papers.trained_player import NETWORK_FILE, Training
from cardgames.support.errors import InvalidInput
from tests.papers.small_stacks import ask, make_small, stop

pytest.importorskip("torch")


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    make_small(monkeypatch)


@pytest.mark.usefixtures("small")
def test_grid_is_trained_in_stacks_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paper003, "GRID", [paper003.Hyperparameters(0.75, 0.01, 0.8), paper003.CHOSEN])
    sizes, init = [], Stack.__init__

    def count(self: Stack, learners: Any, device: str) -> None:
        sizes.append(len(learners))
        init(self, learners, device)

    monkeypatch.setattr(Stack, "__init__", count)
    rows = list(paper003.grid(ask(tmp_path)))
    assert sizes == [2] * 4, "a stack for each player and each sight"
    assert len(rows) == 12 and all(0 <= row["reproduced"] <= 1 for row in rows if "measure" not in row)
    assert len(list(tmp_path.glob(f"003-*-stacked-0/{NETWORK_FILE}"))) == 8
    assert list(paper003.grid(ask(tmp_path))) == rows and len(sizes) == 4, "finished trainings are not repeated"


@pytest.mark.usefixtures("small")
def test_all_players_of_a_table_are_stacked(tmp_path: Path) -> None:
    rows = list(TABLE_4.run(ask(tmp_path)))
    names = [row["player"] for row in rows]
    assert names[0] == "Baseline-H" and len([name for name in names if " over " not in name]) == 10
    branched = ask(tmp_path, only="256-128")
    assert [row["player"] for row in TABLE_5.run(branched)] == ["256-128"]


@pytest.mark.usefixtures("small")
def test_interrupted_stack_continues_to_the_same_networks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trainings = [paper003.training(player, "honest") for player in ("DQN", "DeepSARSA")]
    stacked_training.train_stacked(trainings, ask(tmp_path / "whole"))
    stop(trainings, ask(tmp_path / "parts"), monkeypatch, ticks=300)
    assert len(list((tmp_path / "parts").glob("stack-*.safetensors"))) == 2
    stacked_training.train_stacked(trainings, ask(tmp_path / "parts"))
    assert not list((tmp_path / "parts").glob("stack-*.safetensors"))
    for training in trainings:
        whole, parts = (training.learner(ask(tmp_path / part), 0).online.tensors() for part in ("whole", "parts"))
        assert all((parts[key] == tensor).all() for key, tensor in whole.items())


@pytest.mark.usefixtures("small")
def test_finished_stack_is_saved_while_another_continues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trainings = [paper003.training(player, "honest") for player in ("DQN", "DeepSARSA")]
    settings, tick = Training.settings, Stack.tick
    shorter = {"dqn": {"rounds": 5}, "sarsa": {}}

    def stopped(self: Stack) -> None:
        tick(self)
        if any(tmp_path.glob(f"*/{NETWORK_FILE}")):
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(
        Training, "settings", lambda self, size: settings(self, size).with_changes(shorter[self.algorithm])
    )
    monkeypatch.setattr(Stack, "tick", stopped)
    with pytest.raises(KeyboardInterrupt):
        stacked_training.train_stacked(trainings, ask(tmp_path))
    assert [path.parent.name for path in tmp_path.glob(f"*/{NETWORK_FILE}")] == ["003-dqn-honest-stacked-0"]
    assert len(list(tmp_path.glob("stack-*.safetensors"))) == 1


@pytest.mark.usefixtures("small")
def test_saved_network_of_other_settings_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    training = paper003.training("DQN", "honest")
    stacked_training.train_stacked([training], ask(tmp_path))
    settings = Training.settings
    monkeypatch.setattr(Training, "settings", lambda self, size: settings(self, size).with_changes({"discount": 0.5}))
    with pytest.raises(InvalidInput, match="belongs to another run, whose discount is"):
        training.learner(ask(tmp_path), 0)


@pytest.mark.usefixtures("small")
def test_interrupted_stack_of_one_seed_continues_beside_new_seeds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    training, seeds, init = paper003.training("DQN", "honest"), list[list[int]](), Stack.__init__
    stop([training], ask(tmp_path), monkeypatch)

    def note_seeds(self: Stack, learners: Any, device: str) -> None:
        seeds.append([learner.seed for learner in learners])
        init(self, learners, device)

    monkeypatch.setattr(Stack, "__init__", note_seeds)
    stacked_training.train_stacked([training], replace(ask(tmp_path), trainings=3))
    assert seeds == [[0], [1, 2]]


@pytest.mark.usefixtures("small")
def test_error_while_saving_networks_loses_no_training(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trainings, written = [choice.training("DQN", "honest") for choice in paper003.GRID[:3]], list[Path]()

    def full(network: Any, path: Path, notes: Any) -> None:
        written.append(path)
        if len(written) == 2:
            raise InvalidInput("the disk is full")
        save_network(network, path, notes)

    monkeypatch.setattr(stacked_training, "save_network", full)
    with pytest.raises(InvalidInput, match="the disk is full"):
        stacked_training.train_stacked(trainings, ask(tmp_path))
    monkeypatch.setattr(Stack, "tick", lambda self: pytest.fail("it was trained to the end"))
    stacked_training.train_stacked(trainings, ask(tmp_path))
    assert all((training.folder(ask(tmp_path), 0) / NETWORK_FILE).exists() for training in trainings)
    assert not list(tmp_path.glob("stack-*"))


@pytest.mark.usefixtures("small")
def test_diverged_network_is_reported_and_all_others_are_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = product(paper003.GRID[:3], paper003.ALGORITHMS)
    trainings, copy_to_learner = [choice.training(player, "honest") for choice, player in pairs], Stack.copy_to_learner

    def fail(self: Stack, member: int) -> None:
        if member == 1 and self.learners[0].name == "dqn":
            raise InvalidInput("0.weight has values that are no numbers")
        copy_to_learner(self, member)

    monkeypatch.setattr(Stack, "copy_to_learner", fail)
    with pytest.raises(InvalidInput, match=r"003-dqn-honest-.*: 0\.weight has values that are no numbers"):
        stacked_training.train_stacked(trainings, ask(tmp_path))
    assert len(list(tmp_path.glob(f"*/{NETWORK_FILE}"))) == 5
    assert len(list(tmp_path.glob("stack-*"))) == 1


@pytest.mark.usefixtures("small")
def test_resumed_stack_does_not_overwrite_a_saved_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    training, three = paper003.training("DQN", "honest"), replace(ask(tmp_path), trainings=3)
    stop([training], three, monkeypatch)
    stacked_training.train_stacked([training], ask(tmp_path))
    first = training.folder(three, 0) / NETWORK_FILE
    before = first.stat().st_mtime_ns
    stacked_training.train_stacked([training], three)
    assert first.stat().st_mtime_ns == before and len(list(tmp_path.glob(f"*/{NETWORK_FILE}"))) == 3
    assert not list(tmp_path.glob("stack-*"))


@pytest.mark.usefixtures("small")
def test_checkpoint_of_other_settings_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trainings = [choice.training("DQN", "honest") for choice in paper003.GRID[:2]]
    stop(trainings, ask(tmp_path), monkeypatch)
    settings = Training.settings
    monkeypatch.setattr(Training, "settings", lambda self, size: settings(self, size).with_changes({"rounds": 31}))
    with pytest.raises(InvalidInput, match=r"belongs to another run, whose 003-dqn-.* rounds is 30, not 31"):
        stacked_training.train_stacked(trainings, ask(tmp_path))


def test_unstackable_player_is_refused_before_training(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="stacked learners need network=plain, not rlcard"):
        list(TABLE_4.run(ask(tmp_path, rlcard_network=True)))
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("small")
def test_stack_writes_checkpoints_at_intervals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Killed(BaseException):
        pass

    tick, ticks = Stack.tick, 0

    def killed(self: Stack) -> None:
        nonlocal ticks
        ticks += 1
        if ticks > 20:
            raise Killed
        tick(self)

    monkeypatch.setattr(stacked_training, "CHECKPOINT_SECONDS", -1)
    monkeypatch.setattr(Stack, "tick", killed)
    with pytest.raises(Killed):
        stacked_training.train_stacked([paper003.training("DQN", "honest")], ask(tmp_path))
    assert len(list(tmp_path.glob("stack-*.safetensors"))) == 1
