"""Paper 004: learning curve of its landlord, and comparison with `rhcp` as the landlord."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from cardgames.cli.reproduce import TABLES
from cardgames.cli.reproduce_text import row_text
from cardgames.papers import paper004
from cardgames.papers.request import Request, Size

TINY = {
    "hidden": (16,),
    "features": 16,
    "head_hidden": (8,),
    "sampled": 20,
    "memory_init": 50,
    "decisions": 300,
    "evaluate_every": 2,
    "evaluate_games": 10,
}


def test_figures_are_registered_and_settings_are_those_of_the_paper() -> None:
    assert TABLES["004-figure2"].trains and not TABLES["004-figure5"].trains
    settings = paper004.CQL.settings(Size.FULL)
    assert (settings.seats, settings.opponents, settings.decisions) == ("first", "rhcp", 650_000)
    assert [game.rules.name for game in paper004.CQL.games()] == ["cql"]


def test_figure_2_yields_the_curve_and_compares_the_landlord(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both trainings end after a number of decisions, and therefore after different numbers of rounds."""
    monkeypatch.setattr(paper004, "CQL", replace(paper004.CQL, quick=TINY))
    request = Request(20, seed=3, size=Size.QUICK, out=str(tmp_path), trainings=2)
    curve, cql, rhcp, lead, files = rows = list(paper004.figure2(request))
    json.dumps(rows)
    assert all(row_text(row) for row in rows)
    assert curve["player"] == "CQL" and len(curve["curve"]) > 1
    assert cql["games"] == rhcp["games"] == 40 and len(lead["seeds"]) == 2
    assert lead["reproduced"] == pytest.approx(cql["reproduced"] - rhcp["reproduced"])
    assert all(Path(name).exists() for name in files["files"])
