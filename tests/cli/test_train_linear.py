"""`cardgames train uno linear`: it adds weights to a file and never overwrites any."""

import pathlib
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from cardgames.core.game import Game
from cardgames.core.game_registry import make
from cardgames.support.errors import InvalidInput
from cardgames.support.file_lock import locked
from cardgames.uno.policies import linear_weights
from cardgames.uno.policies.linear_policy import NUM_WEIGHTS
from cardgames.uno.policies.linear_weights import read_weights
from tests.command import call


def test_trained_weights_are_added_to_a_file_and_played(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = str(tmp_path / "own.safetensors")
    for players in ("2", "3"):
        options = ["--rules", "rlcard", "--players", players, "--rounds", "400", "--out", out]
        assert call(monkeypatch, "train", "uno", "linear", *options) == 0
    agents = f"linear:weights={out},random,random"
    assert call(monkeypatch, "arena", "uno", "--rules", "rlcard", "--games", "3", "--agents", agents) == 0


def test_linear_does_not_overwrite_weights(
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


def test_concurrent_trainings_both_save_their_weights(tmp_path: Path) -> None:
    path, barrier = str(tmp_path / "file"), threading.Barrier(2, timeout=60)

    def add(players: int) -> None:
        barrier.wait()
        weights = np.full(NUM_WEIGHTS, players, np.float32)
        linear_weights.add_weights(path, make("uno", players, "rlcard"), weights, seed=0)

    for _ in range(20):
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(add, (2, 3)))
        assert read_weights(path).keys() == {"rlcard-2", "rlcard-3"}
        Path(path).unlink()


def test_locked_weights_file_is_refused_before_training(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linear_weights, "_LOCK_TIMEOUT", 0.01)
    with locked(tmp_path / ".file.lock", "busy"), pytest.raises(InvalidInput, match="is being written by another"):
        linear_weights.check_can_add_weights(str(tmp_path / "file"), make("uno", 2, "rlcard"))


def test_options_of_linear_reach_the_training(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[object, ...]] = []

    def train(game: Game, *, rounds: int, seed: int, progress: object) -> np.ndarray:
        calls.append((game.num_players, game.rules.name, rounds, seed))
        return np.zeros(NUM_WEIGHTS, np.float32)

    monkeypatch.setattr("cardgames.learners.algorithms.linear_reinforce.train", train)
    options = ["--rules", "rlcard", "--rule", "hand-size=5", "--players", "3", "--rounds", "500", "--seed", "6"]
    assert call(monkeypatch, "train", "uno", "linear", *options, "--out", str(tmp_path / "own")) == 0
    assert calls == [(3, "rlcard+hand-size=5", 500, 6)]
