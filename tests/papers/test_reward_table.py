"""Tables of mean rewards of trained players (paper 002): training, tests, comparison, resuming, and figures 2 and 4."""

import json
import math
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import typer

import cardgames
from cardgames.cli import app
from cardgames.cli.reproduce import TABLES, reproduce
from cardgames.cli.reproduce_text import row_text
from cardgames.learners.algorithms.dqn import DqnSettings
from cardgames.learners.runs.evaluation import Evaluation
from cardgames.learners.runs.run import PROGRESS_FILE, SETTINGS_FILE, WEIGHTS_FILE, Run
from cardgames.networks.network_file import load_network
from cardgames.papers import paper002, reward_table, trained_player
from cardgames.papers.comparison import win_loss_interval
from cardgames.papers.paper_settings import SETUPS
from cardgames.papers.request import Request, Size
from cardgames.papers.reward_table import RewardCell, RewardTable
from cardgames.papers.trained_player import TrainedPlayer
from cardgames.papers.training_curve import reward_curve
from cardgames.support.errors import InvalidInput

PAPER_TABLES = [getattr(paper002, f"TABLE_{number}") for number in range(3, 9)]


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        trained_player, "QUICK_SETTINGS", {"hidden": (8,), "rounds": 30, "evaluate_games": 10, "memory_init": 50}
    )


def table(*cells: RewardCell) -> RewardTable:
    return RewardTable("002", cells, 1000)


def run(paper_table: RewardTable, out: Path, progress: list[str]) -> list[dict[str, object]]:
    return list(paper_table.run(Request(200, size=Size.QUICK, out=str(out), report_progress=progress.append)))


def test_tables_are_complete_and_all_settings_are_valid() -> None:
    assert [len(paper_table.cells) for paper_table in PAPER_TABLES] == [11, 10, 8, 11, 10, 8]
    assert [paper_table.games for paper_table in PAPER_TABLES] == [1000] * 3 + [2000] * 3
    for paper_table in PAPER_TABLES:
        names = [cell.name for cell in paper_table.cells]
        assert len(set(names)) == len(names)
        for cell in paper_table.cells:
            assert paper_table.training(cell).settings(Size.FULL).hidden == (512, 512)
            paper_table.training(cell).settings(Size.QUICK)
    assert [cell.name for cell in PAPER_TABLES[0].cells] == [cell.name for cell in PAPER_TABLES[3].cells]
    assert {f"002-table{number}" for number in range(3, 9)} | {"002-figure2", "002-figure4"} <= set(TABLES)


def test_cell_is_trained_tested_and_compared(tmp_path: Path) -> None:
    cells = (
        RewardCell("MSE-0.5", 0.02, "afdqn", changes={"focus_loss": "mse", "focus_weight": 0.5}),
        RewardCell("CANDQN-H", 0.95, "candqn", "rlcard-rule"),
    )
    first, second = run(table(*cells), tmp_path, [])
    assert (first["player"], first["games"], first["opponent"]) == ("MSE-0.5", 200, "random")
    assert (second["opponent"], second["agrees"]) == ("rlcard-rule", False)
    for row in (first, second):
        low, high = row["ci95"]  # type: ignore[misc]
        assert -1 <= low < row["reproduced"] < high <= 1  # type: ignore[operator]
    json.dumps([first, second])


def test_players_are_tested_in_the_first_seat_with_rewards_1_and_minus_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tested_seats: list[str] = []

    def tested(*_: object, seats: str) -> Evaluation:
        tested_seats.append(seats)
        return Evaluation("random", 400, 360, 0, 0.8)

    monkeypatch.setattr(reward_table, "evaluate", tested)
    (row,) = run(table(RewardCell("Baseline-R", 0.024, "dqn")), tmp_path, [])
    assert tested_seats == ["first"] and row["reproduced"] == 0.8
    assert row["ci95"] == pytest.approx([0.8 - 1.96 * 0.6 / 20, 0.8 + 1.96 * 0.6 / 20], rel=1e-4)


def test_void_rounds_have_reward_0_and_narrow_the_interval(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reward_table, "evaluate", lambda *_, seats: Evaluation("random", 400, 200, 100, 0.25))
    (row,) = run(table(RewardCell("Baseline-R", 0.024, "dqn")), tmp_path, [])
    half = 1.96 * np.repeat([1.0, -1.0, 0.0], [200, 100, 100]).std() / 20
    assert row["ci95"] == pytest.approx([0.25 - half, 0.25 + half], rel=1e-4)


def test_players_are_trained_and_tested_against_the_cells_opponent() -> None:
    for paper_table in PAPER_TABLES:
        for cell in paper_table.cells:
            settings = paper_table.training(cell).settings(Size.FULL)
            assert settings.opponents == settings.evaluate == cell.opponent


def test_players_of_several_seeds_are_tested_on_different_cards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cards: list[object] = []

    def tested(*arguments: Any, seats: str) -> Evaluation:
        cards.append(arguments[4])
        return Evaluation("random", 400, 200, 0, 0.0)

    monkeypatch.setattr(reward_table, "evaluate", tested)
    list(table(RewardCell("x", 0.0, "dqn")).run(Request(200, size=Size.QUICK, out=str(tmp_path), trainings=2)))
    assert len(set(cards)) == len(cards) == 2


def test_batched_training_keeps_network_and_rounds_of_the_paper() -> None:
    for paper_table in PAPER_TABLES:
        for cell in paper_table.cells:
            full, batched = (paper_table.training(cell).settings(size) for size in (Size.FULL, Size.BATCHED))
            assert (batched.hidden, batched.rounds, batched.opponents) == (full.hidden, full.rounds, full.opponents)
            assert batched.batch == 1024 and batched.learning_rate == pytest.approx(10 * full.learning_rate)


def test_row_of_a_player_is_followed_by_its_lead_over_the_baseline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paid = iter((0.25, 0.5, 0.0))
    monkeypatch.setattr(reward_table, "evaluate", lambda *_, seats: Evaluation("random", 400, 0, 0, next(paid)))
    cells = (
        RewardCell("Baseline-R", 0.02, "dqn"),
        RewardCell("128-256", 0.04, "candqn"),
        RewardCell("H", 0.1, "candqn", "reflex"),
    )
    rows = run(table(*cells), tmp_path, [])
    assert [row["player"] for row in rows] == ["Baseline-R", "128-256", "128-256 over Baseline-R", "H"]
    lead = rows[2]
    assert (lead["reproduced"], lead["published"], lead["seeds"]) == (0.25, pytest.approx(0.02), [0.25])
    half = 1.96 * math.hypot(math.sqrt(1 - 0.25**2), math.sqrt(1 - 0.5**2)) / 20
    assert lead["ci95"] == pytest.approx([0.25 - half, 0.25 + half], rel=1e-4)
    assert lead["opponent"] == "random" and str(lead["verdict"]).endswith("more (more with 1 of 1 seeds)")


def test_only_selects_one_player_of_a_table(tmp_path: Path) -> None:
    paper_table = table(RewardCell("Baseline-R", 0.024, "dqn"), RewardCell("128-256", 0.04, "candqn"))
    (row,) = paper_table.run(Request(200, size=Size.QUICK, out=str(tmp_path), only="128-256"))
    assert row["player"] == "128-256" and len(list(tmp_path.iterdir())) == 1
    with pytest.raises(InvalidInput, match="choose from Baseline-R, 128-256"):
        next(paper_table.run(Request(200, size=Size.QUICK, out=str(tmp_path), only="dqn")))


def test_finished_training_is_not_repeated(tmp_path: Path) -> None:
    paper_table = table(RewardCell("128-256", 0.04, "candqn"))
    before = run(paper_table, tmp_path, [])
    (weights,) = tmp_path.rglob(WEIGHTS_FILE)
    written = weights.stat().st_mtime_ns
    progress: list[str] = []
    assert run(paper_table, tmp_path, progress) == before
    assert weights.stat().st_mtime_ns == written and not any("rounds" in description for description in progress)


def test_training_folder_with_other_settings_or_rules_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cell = RewardCell("x", 0.0, "candqn")
    run(table(cell), tmp_path, [])
    with pytest.raises(
        cardgames.InvalidInput, match="holds a training of x with other settings: choose another folder"
    ):
        run(table(replace(cell, changes={"color_units": 9})), tmp_path, [])
    monkeypatch.setattr(reward_table, "SETUPS", {"002": SETUPS["002"]._replace(rules="rlcard")})
    with pytest.raises(cardgames.InvalidInput, match="holds a training of x with other settings"):
        run(table(cell), tmp_path, [])


def test_players_on_rlcards_network_have_other_folders() -> None:
    for paper_table in PAPER_TABLES:
        for cell in paper_table.cells:
            usual, other = paper_table.training(cell), paper_table.training(cell, rlcard_network=True)
            network = other.settings(Size.BATCHED).to_dict()["network"]
            assert network == ("plain" if cell.algorithm == "afdqn" else "rlcard")
            assert (other == usual) is (other.name == usual.name) is (cell.algorithm == "afdqn")


def test_rlcard_network_affects_only_algorithms_that_may_use_it(tmp_path: Path) -> None:
    paper_table = replace(
        table(RewardCell("Baseline-R", 0.024, "dqn"), RewardCell("MSE-1.5", 0.136, "afdqn")),
        rlcard_network_algorithms=("dqn",),
    )
    request = Request(20, size=Size.QUICK, out=str(tmp_path), rlcard_network=True)
    list(paper_table.run(request))
    activations = {path.parent.name: load_network(path).activations for path in tmp_path.rglob(WEIGHTS_FILE)}
    assert activations == {
        "002-dqn-Baseline-R-rlcard-network-quick-0": ("tanh",),
        "002-afdqn-MSE-1.5-quick-0": ("relu",),
    }
    with pytest.raises(InvalidInput, match=r"no effect on MSE-1\.5, only on Baseline-R"):
        next(paper_table.run(replace(request, only="MSE-1.5")))


def test_options_of_tables_are_options_of_reproduce() -> None:
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    options = {option for parameter in commands["reproduce"].params for option in parameter.opts}
    assert {option for spec in TABLES.values() for option in spec.options} <= options
    assert all(("--out" in spec.options) == ("--seeds" in spec.options) == spec.trains for spec in TABLES.values())


def test_players_with_equal_folders_have_equal_settings() -> None:
    settings: dict[tuple[str, str], list[object]] = {}
    for paper_table in PAPER_TABLES:
        for cell in paper_table.cells:
            trained_player = paper_table.training(cell)
            settings.setdefault((trained_player.algorithm, trained_player.name), []).append(
                trained_player.settings(Size.FULL)
            )
    assert len(settings) == 27 and all(other == same[0] for same in settings.values() for other in same)


def test_figure_4_has_a_curve_for_every_player_of_the_tables(tmp_path: Path) -> None:
    rows = list(paper002.figure4(Request(size=Size.QUICK, out=str(tmp_path))))
    json.dumps(rows)
    assert all(row_text(row) for row in rows)
    panels = [[row["player"] for row in rows if row.get("player", "").startswith(f"{panel}:")] for panel in "abcd"]
    assert [len(who) for who in panels] == [11, 10, 6, 2]
    assert panels[3] == ["d: CANDQN-H, Baseline-H", "d: CANDQN-H, CANDQN-H"]
    for panel in "abcd":
        assert (tmp_path / f"002-figure4{panel}-quick.csv").exists()


def test_only_selects_the_curves_of_one_player_of_figure_4(tmp_path: Path) -> None:
    request = Request(size=Size.QUICK, out=str(tmp_path), only="CANDQN-H")
    curve, files = paper002.figure4(request)
    assert curve["player"] == "d: CANDQN-H, CANDQN-H"
    assert str(tmp_path / "002-figure4d-CANDQN-H-quick.csv") in files["files"]
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == [
        "002-candqn-CANDQN-H-against-rlcard-rule-quick-0"
    ]
    with pytest.raises(InvalidInput, match=r"did you mean MSE-1\.5"):
        next(paper002.figure4(replace(request, only="mse-1.5")))
    with pytest.raises(InvalidInput, match=r"no effect on MSE-1\.5, only on Baseline-R, Baseline-H, 128-128"):
        next(paper002.figure4(replace(request, only="MSE-1.5", rlcard_network=True)))


def test_figure_2_counts_legal_actions_and_repeats() -> None:
    assert len(list(paper002.figure2(Request(size=Size.QUICK)))) < len(list(paper002.figure2(Request(100))))
    *rows, claim = result = list(paper002.figure2(Request(30, 2)))
    assert result == list(paper002.figure2(Request(30, 2)))
    assert sum(row["share"] for row in rows) == pytest.approx(1)
    up_to = {row["legal"]: row["up_to"] for row in rows}
    assert up_to[4] > 0.9, "section 5.2: in most rounds not more than 4"
    low, high = claim["few_ci95"]
    assert claim["few"] == pytest.approx(up_to[4]) and 0.9 < low < up_to[4] < high < 1 and claim["agrees"]


def test_interrupt_in_the_last_evaluation_stops_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def train(self: Run, *_: object) -> bool:
        self.interrupted = True
        return True

    monkeypatch.setattr(Run, "train", train)
    with pytest.raises(KeyboardInterrupt):
        run(table(RewardCell("MSE-0.5", 0.02, "dqn")), tmp_path, [])


def test_interval_of_equal_trainings_is_that_of_all_their_games(tmp_path: Path) -> None:
    trained = []
    for seed in range(2):
        (tmp_path / str(seed)).mkdir()
        rows = "rounds,decisions,random (2 players) paid\n0,0,0.2\n30,99,0.5\n"
        (tmp_path / str(seed) / PROGRESS_FILE).write_text(rows)
        learner: Any = SimpleNamespace(settings=DqnSettings(rounds=30, evaluate_games=100))
        trained.append(TrainedPlayer(tmp_path / str(seed), learner))
    for n in (1, 2):
        assert reward_curve(trained[:n])[-1] == pytest.approx((30, 0.5, *win_loss_interval(0.5, 100 * n)))


def test_curve_is_refused_if_evaluations_are_missing(tmp_path: Path) -> None:
    paper_table = table(RewardCell("Baseline-R", 0.02, "dqn"))
    request = Request(size=Size.QUICK, out=str(tmp_path))
    trained = [paper_table.training(paper_table.cells[0]).trained(request, seed) for seed in (0, 1)]
    progress = trained[0].folder / PROGRESS_FILE
    progress.write_text("\n".join(progress.read_text().splitlines()[:2]) + "\n")
    with pytest.raises(InvalidInput, match=f"{progress} lacks evaluations"):
        reward_curve(trained)


def test_training_killed_in_its_last_evaluation_repeats_it(tmp_path: Path) -> None:
    paper_table = table(RewardCell("Baseline-R", 0.02, "dqn"))
    request = Request(size=Size.QUICK, out=str(tmp_path))
    run = paper_table.training(paper_table.cells[0]).trained(request, 0)
    run._evaluated_after = 0  # as in the checkpoint before that evaluation
    run.save()
    assert run.learner.finished and not run.complete
    again = paper_table.training(paper_table.cells[0]).trained(request, 0)
    assert again.complete and reward_curve([again])


def test_training_from_a_gpu_can_be_used_without_one(tmp_path: Path) -> None:
    paper_table = table(RewardCell("Baseline-R", 0.02, "dqn"))
    request = Request(size=Size.QUICK, out=str(tmp_path))
    settings = paper_table.training(paper_table.cells[0]).trained(request, 0).folder / SETTINGS_FILE
    assert 'device = "kernel"' in settings.read_text()
    settings.write_text(settings.read_text().replace('device = "kernel"', 'device = "cuda"'))
    assert paper_table.training(paper_table.cells[0]).trained(request, 0).complete


def test_interrupt_prints_how_to_continue(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(trained_player.Training, "trained", interrupted)
    with pytest.raises(KeyboardInterrupt):
        reproduce("002-table5", quick=True, out=str(tmp_path))
    assert capsys.readouterr().err == f"stopped; the same command continues the trainings in {tmp_path}\n"


def test_training_has_the_requested_seed(tmp_path: Path) -> None:
    paper_table = table(RewardCell("Baseline-R", 0.02, "dqn"))
    request = Request(size=Size.QUICK, out=str(tmp_path))
    seeds = [paper_table.training(paper_table.cells[0]).trained(request, seed).learner.seed for seed in (0, 3)]
    assert seeds == [0, 3]
