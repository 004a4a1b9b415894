"""Paper 001: training of its DQN under every reading of the rules, its matches, and its loss curve."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

import cardgames
from cardgames.cli.reproduce_text import row_text
from cardgames.learners.algorithms.algorithm_registry import make_learner
from cardgames.learners.runs.run import WEIGHTS_FILE
from cardgames.papers import loss_curve, trained_player
from cardgames.papers.paper001 import DQN, READINGS, TABLE_2, TABLE_3
from cardgames.papers.request import Request, Size
from cardgames.papers.tournament import Cell


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        trained_player, "QUICK_SETTINGS", {"hidden": (8,), "rounds": 60, "evaluate_games": 10, "memory_init": 50}
    )


def test_dqn_has_the_papers_network_without_an_output_for_drawing() -> None:
    settings = DQN.settings(Size.FULL)
    learner = make_learner("dqn", DQN.with_rules(READINGS[0].rules, ()).games(), settings)
    assert (learner.inputs, settings.hidden, learner.outputs) == (270, (512, 512), 60)
    assert settings.decisions / settings.train_every == 25_000


def test_tables_hold_the_published_values_of_dqn() -> None:
    assert [cell.published for cell in TABLE_2.cells if cell.agents[0] == "dqn"] == [0.96, 0.93, 0.91]
    with_dqn = {cell.agents: cell.published for cell in TABLE_3.cells if "dqn" in cell.agents}
    assert with_dqn == {
        ("mcts-dbm", "dqn"): 0.55,
        ("dqn", "reflex"): 0.56,
        ("dqn", "expectimax"): 0.48,
        ("dqn", "random"): 0.96,
    }


def test_agent_is_trained_under_each_reading_and_plays_a_match_per_seed(
    tiny: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Request, "seeds", range(2))
    table = replace(
        TABLE_2, cells=(Cell(("dqn", "random"), 0.96), Cell(("reflex", "random"), 0.95)), readings=READINGS[:3]
    )
    found = list(table.run(Request(40, size=Size.QUICK, out=str(tmp_path))))
    assert [row["games"] for row in found] == [80, 40] * 3 and [len(row["seeds"]) for row in found] == [2, 1] * 3
    assert found[0]["win_rate"] == found[2]["win_rate"] == pytest.approx(sum(found[0]["seeds"]) / 2)
    assert found[0]["win_rate"] > 0.8, "a player that cannot draw voluntarily beats one that does"
    names = {path.parent.name.removeprefix("001-dqn-DQN-simplified-") for path in tmp_path.rglob(WEIGHTS_FILE)}
    assert names == {"quick-0", "quick-1", "draw-how-until-playable-quick-0", "draw-how-until-playable-quick-1"}
    assert found[0]["agents"] == ["dqn", "random"] and all(row_text(row) for row in found)
    json.dumps(found)


def test_folder_with_a_comma_is_refused(tmp_path: Path) -> None:
    table = replace(TABLE_2, cells=(Cell(("dqn", "random"), 0.96),))
    with pytest.raises(cardgames.InvalidInput, match="must have no comma"):
        list(table.run(Request(2, size=Size.QUICK, out=str(tmp_path / "a,b"))))


def test_loss_curve_has_points_and_a_verdict(tiny: None, tmp_path: Path) -> None:
    curve, verdict, files = loss_curve.run(Request(size=Size.QUICK, out=str(tmp_path)))
    iterations = [point[0] for point in curve["curve"]]
    assert iterations == sorted(iterations) and all(low <= loss <= high for _, loss, low, high in curve["curve"])
    assert curve["unit"] == "iterations" and len(verdict["losses"]) == 1 and "flattens" in row_text(verdict)
    assert files["files"][0] == str(tmp_path / "001-figure1-quick.csv")
    assert all(row_text(row) for row in (curve, verdict, files))
    assert "no interval" in curve["band"] and all(low == high for _, _, low, high in curve["curve"])


def test_interval_of_the_loss_is_students_over_the_trainings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loss_curve, "_losses", lambda losses: losses)
    runs = [[(5, 0.30, 5), (10, loss, 5)] for loss in (0.20, 0.22, 0.24)]
    first, last = loss_curve.loss_curve(runs)
    assert first == (5, 0.3, 0.3, 0.3)
    assert last == pytest.approx((10, 0.22, 0.22 - 4.303 * 0.02 / 3**0.5, 0.22 + 4.303 * 0.02 / 3**0.5), abs=1e-5)


def test_losses_are_weighted_by_their_updates() -> None:
    *_, last = loss_curve.loss_curve([[(91, 1.0, 91), (94, 3.0, 3), (100, 2.0, 6)]])
    assert last.rate == pytest.approx((91 * 1.0 + 3 * 3.0 + 6 * 2.0) / 100)


def test_part_without_evaluation_of_some_training_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loss_curve, "_losses", lambda losses: losses)
    runs = [[(2, 0.3, 2), (10, 0.2, 8)], [(7, 0.25, 7), (10, 0.2, 3)]]
    assert [point.rounds for point in loss_curve.loss_curve(runs)] == [10]
    assert loss_curve._iterations([*runs, [(9, 0.1, 9)]]) == 9


def test_loss_agrees_only_if_it_falls_and_then_is_flat() -> None:
    flattening = [(1_000, 0.5, 1_000), (12_000, 0.2, 11_000), (25_000, 0.19, 13_000)]
    flat = [(1_000, 0.2, 1_000), (12_000, 0.2, 11_000), (25_000, 0.19, 13_000)]
    rising = [(1_000, 0.5, 1_000), (12_000, 0.2, 11_000), (25_000, 0.4, 13_000)]
    agree = [loss_curve._flatness([losses], 25_000)["agrees"] for losses in (flattening, flat, rising)]
    assert agree == [True, False, False]
