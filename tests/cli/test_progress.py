"""How long work tells that it goes on: lines in a log, a bar in a terminal."""

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


def test_long_work_leaves_a_line_in_a_log_now_and_then(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = threading.Event()

    def words() -> str:
        said.set()
        return "training"

    monkeypatch.setattr(progress, "_FIRST_LOG_SECONDS", 0.01)
    with progress.show_status(words):
        assert said.wait(PATIENCE)
    assert re.match(r"training, \d+ s\n", capsys.readouterr().err)


def test_such_lines_come_ever_less_often_until_every_ten_minutes(
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


def test_a_terminal_says_that_the_beginning_takes_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    start = runs.Run.start

    def slow(*given: Any) -> runs.Run:
        time.sleep(0.2)
        return start(*given)

    monkeypatch.setattr(runs.Run, "start", slow)
    monkeypatch.setattr(progress, "_DELAY_SECONDS", 0.0)
    monkeypatch.setattr(progress, "_REFRESH_SECONDS", 0.01)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert call(monkeypatch, "train", "uno", "dqn", *TINY, "--out", str(tmp_path / "run")) == 0
    assert PREPARING[:40] in capsys.readouterr().err


def test_a_bar_says_how_long_nothing_was_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("cardgames.cli.progress_column.time.monotonic", lambda: now[0])
    column, bars = ActivityColumn(), Progress()
    bars.add_task("100 rounds")
    (task,) = bars.tasks
    assert column.render(task).plain == "100 rounds"
    now[0] += 12
    assert column.render(task).plain == "12 s for this step: 100 rounds"
    column.reset_timer()
    assert column.render(task).plain == "100 rounds"


def test_a_terminal_that_is_gone_does_not_end_a_training_that_is_to_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(StringIO):
        def isatty(self) -> bool:
            return True

        def fileno(self) -> int:
            return os.open("/dev/full", os.O_WRONLY)

    for stream in (Terminal(), None):
        monkeypatch.setattr(sys, "stdout", stream)
        announce_stop()


@pytest.mark.parametrize(("seconds", "words"), [(9.6, "0:10"), (61, "1:01"), (3661, "1:01:01"), (7322.4, "2:02:02")])
def test_a_time_is_told_in_hours_minutes_and_seconds(seconds: float, words: str) -> None:
    assert _time(seconds) == words
