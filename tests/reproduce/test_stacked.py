import signal
from pathlib import Path
from typing import Any

import pytest

from cardgames.core.errors import InvalidInput
from cardgames.learners.stack import Stack
from cardgames.reproduce import paper003, stacked
from cardgames.reproduce.paper002 import TABLE_4, TABLE_5
from cardgames.reproduce.request import Request, Size
from cardgames.reproduce.training import NETWORK, Training

pytest.importorskip("torch")

SMALL = {"hidden": (16,), "rounds": 30, "memory": 200, "memory_init": 20, "batch": 8, "tables": 1}


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Training.settings
    monkeypatch.setattr(Training, "settings", lambda self, size: settings(self, size).changed(SMALL))


def ask(folder: Path, **options: Any) -> Request:
    return Request(games=100, size=Size.STACKED, out=str(folder), device="cpu", trainings=1, **options)


@pytest.mark.usefixtures("small")
def test_a_grid_is_trained_in_stacks_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paper003, "GRID", [paper003.Choice(0.75, 0.01, 0.8), paper003.CHOSEN])
    made, begin = [], Stack.__init__

    def count(self: Stack, learners: Any, device: str) -> None:
        made.append(len(learners))
        begin(self, learners, device)

    monkeypatch.setattr(Stack, "__init__", count)
    rows = list(paper003.grid(ask(tmp_path)))
    assert made == [2] * 4, "a stack for each player and each sight"
    assert len(rows) == 12 and all(0 <= row["here"] <= 1 for row in rows if "measure" not in row)
    assert len(list(tmp_path.glob(f"003-*-stacked-0/{NETWORK}"))) == 8
    assert list(paper003.grid(ask(tmp_path))) == rows and len(made) == 4, "what is trained is not trained again"


@pytest.mark.usefixtures("small")
def test_all_players_of_a_table_are_trained_at_once(tmp_path: Path) -> None:
    rows = list(TABLE_4.run(ask(tmp_path)))
    names = [row["who"] for row in rows]
    assert names[0] == "Baseline-H" and len([name for name in names if " over " not in name]) == 10


@pytest.mark.usefixtures("small")
def test_what_was_stopped_goes_on_to_the_same_networks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trainings = [paper003.training(player, "honest") for player in ("DQN", "DeepSARSA")]
    stacked.train_stacked(trainings, ask(tmp_path / "whole"))
    ticks, tick = 0, Stack.tick

    def stopped(self: Stack) -> None:
        nonlocal ticks
        ticks += 1
        tick(self)
        if ticks == 300:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Stack, "tick", stopped)
    with pytest.raises(KeyboardInterrupt):
        stacked.train_stacked(trainings, ask(tmp_path / "parts"))
    assert len(list((tmp_path / "parts").glob("stack-*.safetensors"))) == 2
    stacked.train_stacked(trainings, ask(tmp_path / "parts"))
    assert not list((tmp_path / "parts").glob("stack-*.safetensors"))
    for training in trainings:
        whole, parts = (training.learner(ask(tmp_path / part), 0).online.tensors() for part in ("whole", "parts"))
        assert all((parts[key] == tensor).all() for key, tensor in whole.items())


@pytest.mark.usefixtures("small")
def test_a_network_of_other_settings_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    training = paper003.training("DQN", "honest")
    stacked.train_stacked([training], ask(tmp_path))
    settings = Training.settings
    monkeypatch.setattr(Training, "settings", lambda self, size: settings(self, size).changed({"discount": 0.5}))
    with pytest.raises(InvalidInput, match="belongs to another run, whose discount is"):
        training.learner(ask(tmp_path), 0)


def test_what_cannot_be_stacked_is_refused_before_anything_is_trained(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="unknown algorithm that is stacked 'candqn'"):
        list(TABLE_5.run(ask(tmp_path)))
    assert not list(tmp_path.iterdir())
