"""Runs: the same to the last bit, however often interrupted."""

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
def test_interrupted_anywhere_a_run_ends_with_the_same_bits(
    name: str, changes: dict[str, object], tmp_path: Path
) -> None:
    whole = start(tmp_path / "whole", name, **changes)
    assert whole.train()
    broken = start(tmp_path / "broken", name, **changes)
    for cycles in (40, 25):
        for _ in range(cycles):
            broken.learner.cycle()
        broken.save()
        for _ in range(10):
            broken.learner.cycle()  # what a kill loses
        broken = Run.resume(tmp_path / "broken")
    assert broken.train()
    assert same(whole, broken)
    other = start(tmp_path / "other", name, seed=2, **changes)
    other.train()
    assert not same(whole, other)


def test_networks_of_all_evaluations_are_kept_if_asked_for(tmp_path: Path) -> None:
    whole, broken = (start(tmp_path / name, keep="all") for name in ("whole", "broken"))
    assert whole.train() and broken.train()
    for name in (runs.CHECKPOINT_FILE, runs.WEIGHTS_FILE):  # as a kill before the first checkpoint leaves it
        (tmp_path / "broken" / name).unlink()
    (tmp_path / "broken" / runs.NETWORKS_FOLDER / "99.safetensors").touch()
    (tmp_path / "broken" / runs.NETWORKS_FOLDER / "999.safetensors").mkdir()
    assert Run.resume(tmp_path / "broken").train()
    kept = [
        {path.name: path.read_bytes() for path in (run.folder / runs.NETWORKS_FOLDER).iterdir() if path.is_file()}
        for run in (whole, broken)
    ]
    assert kept[0] == kept[1]
    assert {f"{row['rounds']:.0f}.safetensors" for row in progress_of(whole)} == set(kept[0])
    assert (whole.folder / runs.WEIGHTS_FILE).read_bytes() in kept[0].values()
    assert len(set(kept[0].values())) == len(kept[0])


def test_no_network_but_the_latest_is_kept_unless_asked_for(tmp_path: Path) -> None:
    run = start(tmp_path / "run")
    assert run.train()
    assert not (run.folder / runs.NETWORKS_FOLDER).exists()
    resumed = Run.resume(run.folder, {"rounds": 40, "keep": "all"})
    assert resumed.train() and [path.name for path in (run.folder / runs.NETWORKS_FOLDER).iterdir()] == [
        "40.safetensors"
    ]


@pytest.mark.parametrize("asked", [getattr(signal, name) for name in SIGNALS if hasattr(signal, name)])
def test_signals_leave_a_checkpoint_to_go_on_from(asked: signal.Signals, tmp_path: Path) -> None:
    whole = start(tmp_path / "whole")
    whole.train()
    stopped = start(tmp_path / "stopped")
    cycle, before = stopped.learner.cycle, signal.getsignal(asked)
    if before is signal.SIG_IGN:
        pytest.skip("ignored here, as under nohup")

    def interrupted_cycle() -> None:
        cycle()
        if stopped.learner.rounds == 15:
            signal.raise_signal(asked)

    stopped.learner.cycle = interrupted_cycle  # type: ignore[method-assign]
    told: list[int] = []
    assert not stopped.train(on_stop_signal=lambda: told.append(stopped.learner.rounds))
    assert told == [15]
    assert signal.getsignal(asked) is before
    assert stopped.learner.rounds == 15 and last_signal() == asked
    resumed = Run.resume(tmp_path / "stopped")
    assert resumed.train() and same(whole, resumed)
    assert progress_of(whole) == progress_of(resumed)


def test_a_signal_during_the_last_evaluation_is_told(tmp_path: Path) -> None:
    run = start(tmp_path / "run")

    def report(now: Progress) -> None:
        if run.learner.finished and now.just_evaluated:
            signal.raise_signal(signal.SIGINT)

    assert run.train(report) and run.interrupted
    assert not Run.resume(tmp_path / "run").interrupted


def test_an_evaluation_that_a_signal_ends_is_played_by_whoever_goes_on(tmp_path: Path) -> None:
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


def test_where_a_report_fails_a_checkpoint_is_left_to_go_on_from(tmp_path: Path) -> None:
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


def test_where_an_evaluation_fails_a_checkpoint_is_left_to_go_on_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = start(tmp_path / "whole")
    whole.train()
    said: list[int] = []

    def failing(*asked: Any) -> Any:
        if said[-1] == 20:
            raise KeyboardInterrupt
        return evaluate_all(*asked)

    def report(now: Progress) -> None:
        if now.evaluation_progress == 0:
            said.append(now.rounds)

    with monkeypatch.context() as patched:
        patched.setattr(runs, "evaluate_all", failing)
        with pytest.raises(KeyboardInterrupt):
            start(tmp_path / "ended").train(report)
    resumed = Run.resume(tmp_path / "ended")
    assert resumed.learner.rounds == 20 and said == [0, 10, 20]
    assert resumed.train() and same(whole, resumed)
    assert progress_of(whole) == progress_of(resumed)


def test_what_a_row_was_to_tell_is_kept_where_it_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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


def test_progress_after_the_checkpoint_is_played_again(tmp_path: Path) -> None:
    run = start(tmp_path / "run")
    run.train()
    before = run._progress_table.path.read_text()
    run._progress_table.append({key: 1000.0 for key in run._progress_table.read()[0]})
    with open(run._progress_table.path, "a") as file:
        file.write("2000,17,")
    again = Run.resume(tmp_path / "run", {"rounds": 45})
    assert again.train()
    assert [row["rounds"] for row in again._progress_table.read()] == [0, 10, 20, 30, 40, 45]
    assert again._progress_table.path.read_text().startswith(before), "rows that stay are as they were"
    assert Run.resume(tmp_path / "run").learner.settings.rounds == 45
    lines = run._progress_table.path.read_text().splitlines()
    run._progress_table.path.write_text("\n".join([*lines[:2], "20,x", *lines[2:]]))
    with pytest.raises(InvalidInput, match="is damaged"):
        Run.resume(tmp_path / "run").train()
    run._progress_table.path.write_text("round,time\n1,2\n")
    with pytest.raises(InvalidInput, match="is damaged: it has no column 'rounds'"):
        Run.resume(tmp_path / "run").train()


def test_a_run_killed_before_its_first_checkpoint_begins_anew(tmp_path: Path) -> None:
    whole, killed = start(tmp_path / "whole"), start(tmp_path / "killed")
    whole.train()
    for rounds in (0.0, 10.0):
        killed._progress_table.append({**whole._progress_table.read()[0], "rounds": rounds})
    again = Run.resume(tmp_path / "killed")
    again.train()
    assert same(whole, again)
    assert [row["rounds"] for row in again._progress_table.read()] == [0, 10, 20, 30]


@pytest.mark.parametrize("error", [KeyboardInterrupt(), InvalidInput("no space")])
def test_weights_are_saved_where_their_checkpoint_has_no_room_and_not_where_ctrl_c_ends_it(
    error: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*about: object) -> None:
        raise error

    run = start(tmp_path / "run")
    monkeypatch.setattr(runs, "write_checkpoint", fail)
    with pytest.raises(type(error)):
        run.train()
    assert (run.folder / runs.WEIGHTS_FILE).exists() == isinstance(error, InvalidInput)


def test_a_failure_leaves_the_folder_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = start(tmp_path / "run")
    monkeypatch.setattr(run.learner, "cycle", lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        run.train()
    assert Run.resume(tmp_path / "run").train()


def test_a_resumed_run_may_change_what_changes_nothing_learned(tmp_path: Path) -> None:
    start(tmp_path / "run", decisions=100).train()
    done = Run.resume(tmp_path / "run").learner.decisions
    with pytest.raises(InvalidInput, match=f"has {done:,} decisions already, more than 50"):
        Run.resume(tmp_path / "run", {"decisions": 50})
    assert Run.resume(tmp_path / "run", {"decisions": 0}).learner.settings.decisions == 0
    start(tmp_path / "trees", "ddqn-mcts", simulations=2, rounds=5, threads=1).train()
    again = Run.resume(tmp_path / "trees", {"threads": 2}).learner
    assert again.finished and again.settings.threads == 2  # type: ignore[attr-defined]


def test_a_row_of_progress_is_of_what_was_learned_since_the_last(tmp_path: Path) -> None:
    run, told = start(tmp_path / "run"), list[Any]()
    run.train(lambda progress: told.append(run.learner.means.to_dict()) if progress.just_evaluated else None)
    assert len(told) == 4 and not any(any(means.values()) for means in told)
