"""`cardgames train uno linear`: a file of weights that is added to, and never overwritten."""

import pathlib
from pathlib import Path

import pytest

from tests.command import call


def test_train_adds_to_a_file_that_plays(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = str(tmp_path / "own.safetensors")
    for players in ("2", "3"):
        options = ["--rules", "rlcard", "--players", players, "--rounds", "400", "--out", out]
        assert call(monkeypatch, "train", "uno", "linear", *options) == 0
    agents = f"linear:weights={out},random,random"
    assert call(monkeypatch, "arena", "uno", "--rules", "rlcard", "--games", "3", "--agents", agents) == 0


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
