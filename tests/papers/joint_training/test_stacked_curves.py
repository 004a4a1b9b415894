"""Learning curves of stacked trainings: evaluations, interrupts and resuming."""

import signal
from dataclasses import replace
from pathlib import Path

import pytest

from cardgames.learners.runs.evaluation import evaluate_all
from cardgames.learners.runs.run import PROGRESS_FILE
from cardgames.learners.runs.run_files import ProgressTable
from cardgames.papers import paper002, paper003
from cardgames.papers.joint_training import stacked_training
from cardgames.papers.joint_training.stack import Stack
from cardgames.papers.paper002 import TABLE_5
from cardgames.papers.trained_player import NETWORK_FILE, Training
from cardgames.support.errors import InvalidInput
from tests.papers.small_stacks import ask, make_small, stop

pytest.importorskip("torch")


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    make_small(monkeypatch, {"evaluate_every": 10, "evaluate_games": 20})


def players() -> list[Training]:
    return [paper003.training(player, "honest") for player in ("DQN", "DeepSARSA")]


def progress(folder: Path) -> dict[str, str]:
    """Return the progress table of each training in a folder."""
    return {path.parent.name: path.read_text() for path in folder.glob(f"*/{PROGRESS_FILE}")}


def test_figure_draws_the_curves_of_stacked_trainings(tmp_path: Path) -> None:
    *curves, files = paper003.FIGURE_3.run(ask(tmp_path))
    for row in (row for row in curves if "curve" in row):
        assert [point[0] for point in row["curve"]] == [0, 10, 20, 30]
        assert all(-1 <= low <= reward <= high <= 1 for _, reward, low, high in row["curve"])
    assert str(tmp_path / "003-figure3-seeds-1-stacked.csv") in files["files"]


def test_figure_reuses_the_stacked_trainings_of_its_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = replace(TABLE_5, cells=tuple(cell for cell in TABLE_5.cells if cell.name in ("Baseline-R", "128-128")))
    list(shown.run(ask(tmp_path)))
    monkeypatch.setattr(paper002, "_PANELS", {"c": ("CANDQN", shown, "random")})
    monkeypatch.setattr(Stack, "tick", lambda self: pytest.fail("it was trained before"))
    *curves, _ = paper002.figure4(ask(tmp_path))
    assert [row["player"] for row in curves] == ["c: CANDQN, Baseline-R", "c: CANDQN, 128-128"]


def test_first_evaluation_is_untrained_and_last_follows_all_updates(tmp_path: Path) -> None:
    stacked_training.train_stacked(players(), ask(tmp_path))
    for training in players():
        ((folder, learner),) = training.trained_players(ask(tmp_path))
        first, *_, last = ProgressTable(folder / PROGRESS_FILE).read()
        (evaluation,) = evaluate_all(training.untrained(ask(tmp_path), learner.seed), 0)
        assert first == {"rounds": 0, "updates": 0, **evaluation.columns()}
        (evaluation,) = evaluate_all(learner, 30)
        assert last["updates"] > 0 and evaluation.columns().items() <= last.items()


@pytest.mark.parametrize("ticks", [1, 300])
def test_interrupted_stack_continues_to_the_same_evaluations(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ticks: int
) -> None:
    stacked_training.train_stacked(players(), ask(tmp_path / "whole"))
    stop(players(), ask(tmp_path / "parts"), monkeypatch, ticks)
    for path in (tmp_path / "parts").glob(f"*/{PROGRESS_FILE}"):
        header, *rows = path.read_text().splitlines()
        path.write_text("\n".join([header, *rows, "29" + rows[-1][rows[-1].index(",") :]]) + "\n")
    stacked_training.train_stacked(players(), ask(tmp_path / "parts"))
    assert progress(tmp_path / "whole") == progress(tmp_path / "parts") != {}


@pytest.mark.parametrize("ends", [False, True])
def test_interrupted_stack_keeps_its_evaluations_after_a_smaller_one_ran(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ends: bool
) -> None:
    training, one, three = players()[0], ask(tmp_path / "parts"), replace(ask(tmp_path / "parts"), trainings=3)
    stacked_training.train_stacked([training], replace(ask(tmp_path / "whole"), trainings=3))
    expected = progress(tmp_path / "whole")
    stop([training], three, monkeypatch, ticks=250)
    first = training.folder(one, 0) / PROGRESS_FILE
    assert len(ProgressTable(first).read()) > 1
    if ends:
        stacked_training.train_stacked([training], one)
        expected[first.parent.name] = first.read_text()  # the table that the stack of one wrote
        stop([training], three, monkeypatch)
        assert first.read_text() == expected[first.parent.name]
    else:
        stop([training], one, monkeypatch)
        assert [row["rounds"] for row in ProgressTable(first).read()] == [0]
    stacked_training.train_stacked([training], three)
    assert progress(tmp_path / "parts") == expected


@pytest.mark.parametrize("rounds", [0, 30])
def test_interrupted_evaluations_continue_with_the_next_member(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rounds: int
) -> None:
    trainings = [choice.training("DQN", "honest") for choice in paper003.GRID[:3]]
    stacked_training.train_stacked(trainings, ask(tmp_path / "whole"))
    append = ProgressTable.append

    def interrupting(self: ProgressTable, row: dict[str, float]) -> None:
        append(self, row)
        if row["rounds"] == rounds:
            signal.raise_signal(signal.SIGINT)

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(ProgressTable, "append", interrupting)
        stacked_training.train_stacked(trainings, ask(tmp_path / "parts"))
    ends = [rows.splitlines()[-1] for rows in progress(tmp_path / "parts").values()]
    assert sum(row.startswith(f"{rounds},") for row in ends) == 1
    assert not list((tmp_path / "parts").glob(f"*/{NETWORK_FILE}"))
    stacked_training.train_stacked(trainings, ask(tmp_path / "parts"))
    assert progress(tmp_path / "whole") == progress(tmp_path / "parts")


def test_diverged_member_does_not_stop_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trainings = [choice.training("DQN", "honest") for choice in paper003.GRID[:2]]
    folders = [training.folder(ask(tmp_path), 0) for training in trainings]
    copy_to_learner = Stack.copy_to_learner

    def fail(self: Stack, member: int) -> None:
        if member == 1 and self.rounds_played[member] >= 10:
            raise InvalidInput("0.weight has entries that are no finite numbers")
        copy_to_learner(self, member)

    monkeypatch.setattr(Stack, "copy_to_learner", fail)
    stop(trainings, ask(tmp_path), monkeypatch, 300)
    with pytest.raises(InvalidInput, match="no finite numbers"):
        stacked_training.train_stacked(trainings, ask(tmp_path))
    evaluated = [[row["rounds"] for row in ProgressTable(folder / PROGRESS_FILE).read()] for folder in folders]
    assert evaluated == [[0, 10, 20, 30], [0]]


def test_checkpoint_is_saved_if_an_evaluation_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stacked_training.train_stacked(players(), ask(tmp_path / "whole"))
    append, evaluated = ProgressTable.append, list[float]()

    def full(self: ProgressTable, row: dict[str, float]) -> None:
        evaluated.append(row["rounds"])
        if evaluated.count(20) == 2:
            raise InvalidInput("no space left on device")
        append(self, row)

    with monkeypatch.context() as patched, pytest.raises(InvalidInput, match="no space"):
        patched.setattr(ProgressTable, "append", full)
        stacked_training.train_stacked(players(), ask(tmp_path / "parts"))
    assert len(list((tmp_path / "parts").glob("stack-*.safetensors"))) == 2
    stacked_training.train_stacked(players(), ask(tmp_path / "parts"))
    assert progress(tmp_path / "whole") == progress(tmp_path / "parts")
