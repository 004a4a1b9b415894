"""Paper 000: lengths of games, learning curves of four algorithms, and matches at one table."""

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardgames.cli.reproduce import TABLES
from cardgames.cli.reproduce_text import row_text
from cardgames.learners.runs.run import WEIGHTS_FILE
from cardgames.papers import game_lengths, paper000, trained_player
from cardgames.papers.paper000 import ALGORITHMS, DDQN_MCTS, HIGHEST, TABLE_3, TABLE_4, Matches
from cardgames.papers.request import Request, Size


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        trained_player, "QUICK_SETTINGS", {"hidden": (8,), "evaluate_games": 10, "memory_init": 50, "simulations": 2}
    )
    monkeypatch.setattr(paper000, "_QUICK", {"rounds": 20, "evaluate_every": 10, "tables": 4})
    monkeypatch.setattr(paper000, "ALGORITHMS", {name: ALGORITHMS[name] for name in (DDQN_MCTS, "DMC")})


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


def test_game_lengths_count_every_game_and_repeat() -> None:
    found = list(game_lengths.run(Request(1_500, 3)))
    assert found == list(game_lengths.run(Request(1_500, 3)))
    *bands, verdict = found
    assert sum(row["games"] for row in bands) == 1_500 and sum(row["share"] for row in bands) == pytest.approx(1)
    assert bands[0]["length"][0] == 0 and bands[-1]["length"][1] < 1_000
    assert verdict["within"] == pytest.approx(0.4, abs=0.05) and not verdict["agrees"]
    assert all(row_text(row) for row in found)


def test_tables_are_registered_and_settings_are_those_of_the_paper() -> None:
    names = {"000-figure2", "000-figure6", "000-figure7", "000-table3", "000-table4"}
    assert names <= set(TABLES) and [name for name in names if not TABLES[name].trains] == ["000-figure2"]
    for players in HIGHEST:
        for learner in ALGORITHMS:
            settings = paper000.training(learner, players).settings(Size.FULL)
            assert (settings.hidden, settings.batch, settings.learning_rate, settings.discount) == (
                (64, 64),
                32,
                5e-5,
                0.99,
            )
            on_rlcards = paper000.training(learner, players, rlcard_network=True).settings(Size.FULL).to_dict()
            assert on_rlcards["network"] == ("plain" if learner == "DMC" else "rlcard")
    for shares in (*TABLE_3.shares, *TABLE_4.shares):
        assert set(shares) <= set(ALGORITHMS) and sum(shares.values()) == pytest.approx(1)


def test_figure_6_yields_curves_highest_points_win_rates_and_rewards(tiny: None, tmp_path: Path) -> None:
    found = rows(paper000.figure6, tmp_path)
    assert len(found) == 2 * (2 * 4 + 1)
    curve, highest, won, paid = found[:4]
    assert curve["player"] == highest["player"] == won["player"] == paid["player"] == "DDQN with MCTS, 3 players"
    assert highest["reproduced"] == max(rate for _, rate, _, _ in curve["curve"])
    assert "with a reward of -0.072" in highest["verdict"] and won["published"] is None
    assert [row["published"] for row in found if "highest" in row.get("measure", "")] == [-0.05, None, -0.25, None]
    assert "wrong" in paid["measure"] and paid["reproduced"] != pytest.approx(2 * won["reproduced"] - 1)
    with open(tmp_path / "000-figure6-4-players-quick.csv", newline="") as file:
        assert len({row["player"] for row in csv.DictReader(file)}) == 2


def test_figure_7_compares_leads_with_the_published_range(tiny: None, tmp_path: Path) -> None:
    found = rows(paper000.figure7, tmp_path)
    leads = [row for row in found if "measure" in row]
    assert [row["player"] for row in leads] == [f"DDQN with MCTS over DMC, {players} players" for players in (3, 4)]
    for row, words in zip(leads, ("3 to 6.5 points", "3.5 to 6.5 points"), strict=True):
        assert words in row["verdict"] and row["ci95"][0] < row["reproduced"] < row["ci95"][1]
    (smooth, *_) = (row for row in found if "curve" in row)
    assert smooth["band"] == "standard deviations" and all(
        low <= mean <= high for _, mean, low, high in smooth["curve"]
    )


def test_match_plays_trained_players_at_one_table_and_trains_once(tiny: None, tmp_path: Path) -> None:
    table = Matches(({DDQN_MCTS: 0.40, "DMC": 0.25, "DDQN": 0.35},))
    paper000.ALGORITHMS["DDQN"] = "ddqn"
    found = rows(table.run, tmp_path)
    assert [row["published"] for row in found[:3]] == [0.40, 0.25, 0.35]
    assert sum(row["reproduced"] for row in found[:3]) == pytest.approx(1)
    assert [row["published"] for row in found[3:]] == pytest.approx([0.15, 0.05])
    written = {path: path.stat().st_mtime_ns for path in tmp_path.rglob(WEIGHTS_FILE)}
    assert len(written) == 3
    assert rows(table.run, tmp_path, progress := []) == found, "finished trainings are not repeated"
    assert written == {path: path.stat().st_mtime_ns for path in tmp_path.rglob(WEIGHTS_FILE)}
    assert not any("decisions/s" in description for description in progress)


def test_game_lengths_are_counted_in_bands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_lengths, "lengths", lambda *_: np.array([39, 40, 60, 80, 81, 200, 201, 300]))
    *rows, claim = game_lengths.run(Request())
    assert sum(row["games"] for row in rows) == 8
    assert (claim["within"], claim["beyond"]) == (3 / 8, 2 / 8) and " of 8 games" in claim["measured"]
