"""Tests of the TensorBoard events of a run."""

import itertools
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from cardgames.learners.runs import tensorboard
from cardgames.learners.runs.run import Run
from tests.learners.tiny_run import start

event_accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
pytest.importorskip("torch")


def read(folder: Path) -> dict[str, dict[int, float]]:
    """Return the events: tag -> step -> value."""
    events = event_accumulator.EventAccumulator(str(folder))
    events.Reload()
    return {tag: {event.step: event.value for event in events.Scalars(tag)} for tag in events.Tags()["scalars"]}


def test_every_progress_column_is_written_as_event(tmp_path: Path) -> None:
    run = start(tmp_path / "run")
    assert run.train()
    events = read(run.folder)
    rows = run._progress_table.read()
    assert set(events) == {name.replace(" ", "_") for name in rows[0]}
    assert events["epsilon"] == {int(row["rounds"]): pytest.approx(row["epsilon"]) for row in rows}


def test_resumed_run_purges_events_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # without this, event files of one second would be read in text order of their numbers, 10 before 9
    seconds = SimpleNamespace(time=itertools.count().__next__)
    monkeypatch.setattr("tensorboard.summary.writer.event_file_writer.time", seconds)
    run = start(tmp_path / "run")
    assert run.train()
    run._progress_table.append({key: 100.0 for key in run._progress_table.read()[0]})
    writer = tensorboard.TensorBoardWriter(run.folder, 31)
    writer.write({"rounds": 100, "epsilon": 7.0})
    writer.close()
    assert Run.resume(run.folder, {"rounds": 50}).train()
    assert sorted(read(run.folder)["epsilon"]) == [0, 10, 20, 30, 40, 50]


def test_run_survives_errors_of_event_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("torch.utils.tensorboard.SummaryWriter.add_scalar", full)
    assert start(tmp_path / "run").train()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_run_in_folder_with_non_utf8_name_has_no_events(tmp_path: Path) -> None:
    assert start(tmp_path / "ou\udcff").train()


def test_run_works_without_tensorboard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", None)
    assert start(tmp_path / "run").train()
    assert not list(tmp_path.glob("run/events*"))
