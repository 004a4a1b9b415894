"""Status of long work: lines in a log, a status line and a progress bar in a terminal."""

import os
import re
import sys
import threading
import time
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.progress import Progress

from cardgames.cli import progress
from cardgames.cli.progress_column import ActivityColumn
from cardgames.cli.training_progress import PREPARING, _time, announce_stop
from cardgames.learners.runs import run as runs
from tests.cli.tiny_training import TINY
from tests.command import PATIENCE, call


def test_status_is_logged_without_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    status_read = threading.Event()

    def status() -> str:
        status_read.set()
        return "training"

    monkeypatch.setattr(progress, "_FIRST_LOG_SECONDS", 0.01)
    with progress.show_status(status):
        assert status_read.wait(PATIENCE)
    assert re.match(r"training, \d+ s\n", capsys.readouterr().err)


def test_pauses_between_log_lines_double_up_to_ten_minutes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pauses: list[float] = []

    class Unending(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            pauses.append(timeout or 0.0)
            return len(pauses) > 6

    monkeypatch.setattr(progress, "_FIRST_LOG_SECONDS", 60.0)
    progress._write_log(lambda: "training", Unending())
    assert pauses == [60, 120, 240, 480, 600, 600, 600]
    assert capsys.readouterr().err.count("training") == 6


def test_preparation_is_shown_in_a_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    start = runs.Run.start

    def slow(*arguments: Any) -> runs.Run:
        time.sleep(0.2)
        return start(*arguments)

    monkeypatch.setattr(runs.Run, "start", slow)
    monkeypatch.setattr(progress, "_DELAY_SECONDS", 0.0)
    monkeypatch.setattr(progress, "_REFRESH_SECONDS", 0.01)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert call(monkeypatch, "train", "uno", "dqn", *TINY, "--out", str(tmp_path / "run")) == 0
    assert PREPARING[:40] in capsys.readouterr().err


def test_activity_column_shows_seconds_without_update(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("cardgames.cli.progress_column.time.monotonic", lambda: now[0])
    column, bars = ActivityColumn(), Progress()
    bars.add_task("100 rounds")
    (task,) = bars.tasks
    assert column.render(task).plain == "100 rounds"
    now[0] += 12
    assert column.render(task).plain == "no update for 12 s: 100 rounds"
    column.reset_timer()
    assert column.render(task).plain == "100 rounds"


def test_announce_stop_ignores_a_terminal_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(StringIO):
        def isatty(self) -> bool:
            return True

        def fileno(self) -> int:
            return os.open("/dev/full", os.O_WRONLY)

    for stream in (Terminal(), None):
        monkeypatch.setattr(sys, "stdout", stream)
        announce_stop()


@pytest.mark.parametrize(("seconds", "words"), [(9.6, "0:10"), (61, "1:01"), (3661, "1:01:01"), (7322.4, "2:02:02")])
def test_time_is_formatted_in_hours_minutes_and_seconds(seconds: float, words: str) -> None:
    assert _time(seconds) == words
