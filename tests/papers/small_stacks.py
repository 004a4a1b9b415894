"""Helpers for tests of stacked trainings: small settings for the CPU, and an interrupt during the training."""

import signal
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from cardgames.papers.joint_training import stacked_training
from cardgames.papers.joint_training.stack import Stack
from cardgames.papers.request import Request, Size
from cardgames.papers.trained_player import Training

_SMALL = {"hidden": (16,), "rounds": 30, "memory": 200, "memory_init": 20, "batch": 8, "tables": 1}


def make_small(monkeypatch: pytest.MonkeyPatch, more: Mapping[str, Any] | None = None) -> None:
    """Change the settings of all trainings to small ones, and to those in `more`."""
    settings = Training.settings
    changes = {**_SMALL, **(more or {})}
    monkeypatch.setattr(Training, "settings", lambda self, size: settings(self, size).with_changes(changes))


def ask(folder: Path, **options: Any) -> Request:
    return Request(games=100, size=Size.STACKED, out=str(folder), device="cpu", trainings=1, **options)


def stop(trainings: Sequence[Training], request: Request, monkeypatch: pytest.MonkeyPatch, ticks: int = 1) -> None:
    """Train, and send SIGINT after a number of ticks of all stacks together."""
    tick, left = Stack.tick, ticks

    def on_stop_signal(self: Stack) -> None:
        nonlocal left
        tick(self)
        left -= 1
        if not left:
            signal.raise_signal(signal.SIGINT)

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(Stack, "tick", on_stop_signal)
        stacked_training.train_stacked(trainings, request)
