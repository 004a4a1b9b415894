"""Tests of runs: bit-identical results after interruptions, checkpoints, signals, progress."""

import signal
from pathlib import Path
from typing import Any

import pytest

from cardgames.learners.runs import run as runs
from cardgames.learners.runs.evaluation import evaluate_all
from cardgames.learners.runs.run import Progress, Run
from cardgames.support.errors import InvalidInput
from cardgames.support.interruption import last_signal
from tests.learners.tiny_run import VARIANTS, progress_of, same, start

SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")


@pytest.mark.parametrize(("name", "changes"), VARIANTS, ids=[name for name, _ in VARIANTS])
def test_interrupted_run_ends_bit_identical(name: str, changes: dict[str, object], tmp_path: Path) -> None:
    whole = start(tmp_path / "whole", name, **changes)
    assert whole.train()
    broken = start(tmp_path / "broken", name, **changes)
    for cycles in (40, 25):
        for _ in range(cycles):
            broken.learner.cycle()
        broken.save()
        for _ in range(10):
            broken.learner.cycle()  # lost with a killed process
        broken = Run.resume(tmp_path / "broken")
    assert broken.train()
    assert same(whole, broken)
    other = start(tmp_path / "other", name, seed=2, **changes)
    other.train()
    assert not same(whole, other)


def test_keep_all_saves_network_of_each_evaluation(tmp_path: Path) -> None:
    whole, broken = (start(tmp_path / name, keep="all") for name in ("whole", "broken"))
    assert whole.train() and broken.train()
    for name in (runs.CHECKPOINT_FILE, runs.WEIGHTS_FILE):  # as after a kill before the first checkpoint
        (tmp_path / "broken" / name).unlink()
    (tmp_path / "broken" / runs.NETWORKS_FOLDER / "99.safetensors").touch()
    (tmp_path / "broken" / runs.NETWORKS_FOLDER / "999.safetensors").mkdir()
    assert Run.resume(tmp_path / "broken").train()
    snapshots = [
        {path.name: path.read_bytes() for path in (run.folder / runs.NETWORKS_FOLDER).iterdir() if path.is_file()}
        for run in (whole, broken)
    ]
    assert snapshots[0] == snapshots[1]
    assert {f"{row['rounds']:.0f}.safetensors" for row in progress_of(whole)} == set(snapshots[0])
    assert (whole.folder / runs.WEIGHTS_FILE).read_bytes() in snapshots[0].values()
    assert len(set(snapshots[0].values())) == len(snapshots[0])


def test_only_latest_network_is_kept_by_default(tmp_path: Path) -> None:
    run = start(tmp_path / "run")
    assert run.train()
    assert not (run.folder / runs.NETWORKS_FOLDER).exists()
    resumed = Run.resume(run.folder, {"rounds": 40, "keep": "all"})
    assert resumed.train() and [path.name for path in (run.folder / runs.NETWORKS_FOLDER).iterdir()] == [
        "40.safetensors"
    ]


@pytest.mark.parametrize("stop_signal", [getattr(signal, name) for name in SIGNALS if hasattr(signal, name)])
def test_signal_leaves_a_resumable_checkpoint(stop_signal: signal.Signals, tmp_path: Path) -> None:
    whole = start(tmp_path / "whole")
    whole.train()
    stopped = start(tmp_path / "stopped")
    cycle, before = stopped.learner.cycle, signal.getsignal(stop_signal)
    if before is signal.SIG_IGN:
        pytest.skip("ignored here, as under nohup")

    def interrupted_cycle() -> None:
        cycle()
        if stopped.learner.rounds == 15:
            signal.raise_signal(stop_signal)

    stopped.learner.cycle = interrupted_cycle  # type: ignore[method-assign]
    recorded: list[int] = []
    assert not stopped.train(on_stop_signal=lambda: recorded.append(stopped.learner.rounds))
    assert recorded == [15]
    assert signal.getsignal(stop_signal) is before
    assert stopped.learner.rounds == 15 and last_signal() == stop_signal
    resumed = Run.resume(tmp_path / "stopped")
    assert resumed.train() and same(whole, resumed)
    assert progress_of(whole) == progress_of(resumed)


def test_signal_during_last_evaluation_sets_interrupted(tmp_path: Path) -> None:
    run = start(tmp_path / "run")

    def report(now: Progress) -> None:
        if run.learner.finished and now.just_evaluated:
            signal.raise_signal(signal.SIGINT)

    assert run.train(report) and run.interrupted
    assert not Run.resume(tmp_path / "run").interrupted


def test_interrupted_evaluation_is_repeated_on_resume(tmp_path: Path) -> None:
    whole = start(tmp_path / "whole")
    whole.train()
    stopped = start(tmp_path / "stopped")

    def report(now: Progress) -> None:
        if now.evaluation_progress == 0 and now.rounds == 20:
            signal.raise_signal(signal.SIGINT)

    assert not stopped.train(report) and stopped.interrupted
    assert [row["rounds"] for row in stopped._progress_table.read()] == [0, 10]
    resumed = Run.resume(tmp_path / "stopped")
    assert resumed.learner.rounds == 20 and resumed.train() and same(whole, resumed)
    assert progress_of(whole) == progress_of(resumed)


def test_failing_report_leaves_a_resumable_checkpoint(tmp_path: Path) -> None:
    whole = start(tmp_path / "whole")
    whole.train()

    def lost(progress: Progress) -> None:
        if progress.rounds == 20:
            raise OSError("the terminal is gone")

    with pytest.raises(OSError, match="gone"):
        start(tmp_path / "lost").train(lost)
    resumed = Run.resume(tmp_path / "lost")
    assert resumed.learner.rounds == 20
    assert resumed.train() and same(whole, resumed)


def test_failing_evaluation_leaves_a_resumable_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = start(tmp_path / "whole")
    whole.train()
    evaluated: list[int] = []

    def failing(*stop_signal: Any) -> Any:
        if evaluated[-1] == 20:
            raise KeyboardInterrupt
        return evaluate_all(*stop_signal)

    def report(now: Progress) -> None:
        if now.evaluation_progress == 0:
            evaluated.append(now.rounds)

    with monkeypatch.context() as patched:
        patched.setattr(runs, "evaluate_all", failing)
        with pytest.raises(KeyboardInterrupt):
            start(tmp_path / "ended").train(report)
    resumed = Run.resume(tmp_path / "ended")
    assert resumed.learner.rounds == 20 and evaluated == [0, 10, 20]
    assert resumed.train() and same(whole, resumed)
    assert progress_of(whole) == progress_of(resumed)


def test_means_survive_a_failed_progress_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, ended = start(tmp_path / "whole"), start(tmp_path / "ended")
    whole.train()
    append = ended._progress_table.append

    def full(row: Any) -> None:
        if row["rounds"] == 20:
            raise InvalidInput("no space left on device")
        append(row)

    with monkeypatch.context() as patched:
        patched.setattr(ended._progress_table, "append", full)
        with pytest.raises(InvalidInput, match="no space"):
            ended.train()
    resumed = Run.resume(tmp_path / "ended")
    assert resumed.train() and progress_of(whole) == progress_of(resumed)
    assert any(row["error"] for row in progress_of(whole))


def test_progress_rows_after_checkpoint_are_replaced(tmp_path: Path) -> None:
    run = start(tmp_path / "run")
    run.train()
    before = run._progress_table.path.read_text()
    run._progress_table.append({key: 1000.0 for key in run._progress_table.read()[0]})
    with open(run._progress_table.path, "a") as file:
        file.write("2000,17,")
    again = Run.resume(tmp_path / "run", {"rounds": 45})
    assert again.train()
    assert [row["rounds"] for row in again._progress_table.read()] == [0, 10, 20, 30, 40, 45]
    assert again._progress_table.path.read_text().startswith(before), "earlier rows stay unchanged"
    assert Run.resume(tmp_path / "run").learner.settings.rounds == 45
    lines = run._progress_table.path.read_text().splitlines()
    run._progress_table.path.write_text("\n".join([*lines[:2], "20,x", *lines[2:]]))
    with pytest.raises(InvalidInput, match="is damaged"):
        Run.resume(tmp_path / "run").train()
    run._progress_table.path.write_text("round,time\n1,2\n")
    with pytest.raises(InvalidInput, match="is damaged: it has no column 'rounds'"):
        Run.resume(tmp_path / "run").train()


def test_run_killed_before_first_checkpoint_starts_again(tmp_path: Path) -> None:
    whole, killed = start(tmp_path / "whole"), start(tmp_path / "killed")
    whole.train()
    for rounds in (0.0, 10.0):
        killed._progress_table.append({**whole._progress_table.read()[0], "rounds": rounds})
    again = Run.resume(tmp_path / "killed")
    again.train()
    assert same(whole, again)
    assert [row["rounds"] for row in again._progress_table.read()] == [0, 10, 20, 30]


@pytest.mark.parametrize("error", [KeyboardInterrupt(), InvalidInput("no space")])
def test_weights_are_saved_if_checkpoint_fails_but_not_on_ctrl_c(
    error: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*about: object) -> None:
        raise error

    run = start(tmp_path / "run")
    monkeypatch.setattr(runs, "write_checkpoint", fail)
    with pytest.raises(type(error)):
        run.train()
    assert (run.folder / runs.WEIGHTS_FILE).exists() == isinstance(error, InvalidInput)


def test_failed_training_releases_the_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = start(tmp_path / "run")
    monkeypatch.setattr(run.learner, "cycle", lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        run.train()
    assert Run.resume(tmp_path / "run").train()


def test_resumable_settings_can_change(tmp_path: Path) -> None:
    start(tmp_path / "run", decisions=100).train()
    done = Run.resume(tmp_path / "run").learner.decisions
    with pytest.raises(InvalidInput, match=f"has {done:,} decisions already, more than 50"):
        Run.resume(tmp_path / "run", {"decisions": 50})
    assert Run.resume(tmp_path / "run", {"decisions": 0}).learner.settings.decisions == 0
    start(tmp_path / "trees", "ddqn-mcts", simulations=2, rounds=5, threads=1).train()
    again = Run.resume(tmp_path / "trees", {"threads": 2}).learner
    assert again.finished and again.settings.threads == 2  # type: ignore[attr-defined]


def test_means_are_cleared_after_each_progress_row(tmp_path: Path) -> None:
    run, recorded = start(tmp_path / "run"), list[Any]()
    run.train(lambda progress: recorded.append(run.learner.means.to_dict()) if progress.just_evaluated else None)
    assert len(recorded) == 4 and not any(any(means.values()) for means in recorded)
