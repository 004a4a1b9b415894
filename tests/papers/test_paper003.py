"""Paper 003: DQN and Deep SARSA, with and without sight of the other hands: curves, tables and the grid."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from cardgames.cli.reproduce import TABLES
from cardgames.cli.reproduce_text import row_text
from cardgames.learners.algorithms.algorithm_registry import make_learner
from cardgames.papers import paper003, trained_player
from cardgames.papers.paper003 import ALGORITHMS, CHOSEN, FIGURE_2, FIGURE_3, GRID, SIGHTS
from cardgames.papers.request import Request, Size


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trained_player, "QUICK_SETTINGS", {"hidden": (8,), "evaluate_games": 10, "memory_init": 50})
    monkeypatch.setattr(paper003, "_QUICK", {"rounds": 20, "evaluate_every": 10})
    monkeypatch.setattr(paper003, "_QUICK_GRID_ROUNDS", 10)


def rows(run: Any, out: Path, progress: list[str] | None = None) -> list[dict[str, Any]]:
    """Run a quick reproduction and return its rows; `progress` receives the descriptions of the progress."""
    result = list(
        run(
            Request(
                60, size=Size.QUICK, out=str(out), report_progress=[].append if progress is None else progress.append
            )
        )
    )
    json.dumps(result)
    assert all(row_text(row) for row in result)
    return result


def test_tables_are_registered_and_the_grid_has_the_papers_choice() -> None:
    assert {"003-figure2", "003-figure3", "003-table3", "003-table4", "003-grid"} <= set(TABLES)
    assert all(TABLES[name].trains for name in TABLES if name.startswith("003-"))
    assert len(GRID) == 18 and CHOSEN in GRID


@pytest.mark.parametrize(("sight", "inputs"), [("cheating", 420), ("honest", 240)])
def test_settings_are_those_of_the_paper(sight: str, inputs: int) -> None:
    for player in ALGORITHMS:
        player_training = paper003.training(player, sight)
        settings = player_training.settings(Size.FULL)
        learner = make_learner(player_training.algorithm, player_training.games(), settings, 0)
        assert (learner.inputs, settings.hidden, learner.outputs) == (inputs, (512, 512), 61)
        assert settings.rounds == {"DQN": 350_000, "DeepSARSA": 125_000}[player]
        chosen = CHOSEN.training(player, sight).settings(Size.FULL)
        assert chosen == settings.with_changes({"rounds": 40_000, "evaluate_every": 40_000})


def test_figure_yields_curves_and_compares_their_ends(tmp_path: Path) -> None:
    found = rows(FIGURE_3.run, tmp_path)
    curves = [row for row in found if "curve" in row]
    assert [row["player"] for row in curves] == ["DeepSARSA cheating", "DeepSARSA honest"]
    for row in curves:
        assert [round(rounds, -1) for rounds, *_ in row["curve"]] == [0, 10, 20]
        assert all(low <= rate <= high for _, rate, low, high in row["curve"])
    compared = [row for row in found if "measure" in row]
    assert [row["published"] for row in compared] == [0.605, 0.210, 0.210] * 2
    for won, right, _ in (compared[:3], compared[3:]):
        assert right["reproduced"] == pytest.approx(2 * won["reproduced"] - 1)
        assert "published is above 0.464" in won["verdict"] and "above -0.072" in right["verdict"]
    with open(tmp_path / "003-figure3-quick.csv", newline="") as file:
        assert [row["player"] for row in csv.DictReader(file)] == ["DeepSARSA cheating"] * 3 + ["DeepSARSA honest"] * 3
    assert rows(FIGURE_3.run, tmp_path, progress := []) == found
    assert not any("decisions/s" in description for description in progress)


def test_rewards_are_reported_by_correct_and_by_rlcards_payoffs(tmp_path: Path) -> None:
    measures = [row["measure"] for row in rows(FIGURE_2.run, tmp_path) if "measure" in row]
    assert measures == ["win rate", "reward", "reward by RLCard's wrong payoffs"] * 2


def test_table_3_has_a_row_for_every_published_value(tmp_path: Path) -> None:
    found = rows(paper003.table3, tmp_path)
    published = [figure for row in paper003.TABLE_3.values() for figure in row.values()]
    assert len(found) == 3 + len(SIGHTS) * (6 + 3)
    assert set(published) <= {row["published"] for row in found}
    lead = next(row for row in found if row["player"].startswith("DQN over DeepSARSA"))
    assert lead["published"] == pytest.approx(0.044) and "of 1 seeds" in lead["verdict"]


def test_table_4_plays_all_three_at_one_table(tmp_path: Path) -> None:
    found = rows(paper003.table4, tmp_path)
    for part in (found[:10], found[10:]):
        assert sum(row["reproduced"] for row in part if row["measure"] == "win rate") == pytest.approx(1)
        assert [row["published"] for row in part[::3]] == pytest.approx([0.390, 0.363, 0.247, 0.027])


def test_grid_compares_the_papers_choice_with_the_best_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paper003, "GRID", [CHOSEN, *GRID[:1]])
    found = rows(paper003.grid, tmp_path)
    assert len(found) == len(SIGHTS) * len(ALGORITHMS) * 3
    first, second, lead = found[:3]
    assert lead["player"].endswith(f"{CHOSEN} over {GRID[0]}")
    assert lead["games"] == first["games"] == second["games"]


def test_batched_grid_changes_only_batches_and_learning_rate() -> None:
    for choice in GRID:
        batched = choice.training("DQN", "honest").settings(Size.BATCHED)
        assert (batched.rounds, batched.batch, batched.train_every) == (40_000, 1024, 256)
        assert (batched.discount, batched.epsilon_factor) == (choice.discount, choice.epsilon_factor)
        assert batched.learning_rate == pytest.approx(10 * choice.learning_rate)
