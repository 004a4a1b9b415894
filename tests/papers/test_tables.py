"""Tables of win rates played again under the readings of a paper's rules."""

import json
from dataclasses import replace

import pytest

from cardgames.arena.match import play_match
from cardgames.arena.results import AgentResult
from cardgames.core.game_registry import make
from cardgames.papers import theorem31, tournament
from cardgames.papers.paper001 import READINGS, TABLE_2, TABLE_3
from cardgames.papers.paper004 import FIGURE_5
from cardgames.papers.request import Request
from cardgames.papers.tournament import Cell, Reading, Tournament
from cardgames.support.errors import InvalidInput
from cardgames.support.intervals import wilson


def test_readings_are_valid_rules_and_tables_are_complete():
    for reading in READINGS:
        make("uno", 2, reading.rules, reading.overrides)
    assert len(TABLE_2.cells) == 12 and len(TABLE_3.cells) == 10


def test_cell_is_played_and_compared():
    table = Tournament((Cell(("reflex", "random"), 0.97), Cell(("reflex", "random"), 0.2)), READINGS[:1], 400)
    progress: list[str] = []
    rows = list(table.run(Request(400, report_progress=progress.append)))
    assert [row["agrees"] for row in rows] == [True, False], "values agree if their difference can be chance"
    assert all(row["games"] == 400 and row["ci95"][0] < row["win_rate"] < row["ci95"][1] for row in rows)
    assert rows[0]["win_rate"] > 0.95 and progress
    json.dumps(rows)


def test_winning_all_of_a_few_games_agrees_with_a_high_win_rate():
    table = Tournament((), READINGS[:1], 1000)
    assert table._agrees(1.0, wilson(20, 20), 0.95) and not table._agrees(1.0, wilson(200, 200), 0.95)


def test_reading_can_replace_agents():
    reading = Reading("blind", "simplified", (), {"reflex": "reflex:color=random"})
    (row,) = Tournament((Cell(("reflex", "random"), 0.95),), (reading,), 10).run(Request(20))
    assert row["agents"] == ["reflex:color=random", "random"] and row["games"] == 20


def test_match_of_two_readings_is_played_once():
    readings = (READINGS[0], READINGS[1])
    progress: list[str] = []
    table = Tournament((Cell(("linear", "random"), 0.95),), readings, 10)
    first, second = table.run(Request(20, report_progress=progress.append))
    assert first["win_rate"] == second["win_rate"] and first["reading"] != second["reading"]
    assert len(progress) == len(set(progress))


def test_only_selects_the_cells_of_one_agent():
    cells = (Cell(("reflex", "random"), 0.97), Cell(("random", "linear"), 0.04), Cell(("linear", "random"), 0.97))
    table = Tournament(cells, READINGS[:1], 10)
    rows = list(table.run(Request(10, only="linear")))
    assert [row["agents"] for row in rows] == [["random", "linear"], ["linear", "random"]]
    with pytest.raises(InvalidInput, match="choose from linear, random, reflex"):
        list(table.run(Request(10, only="dqn")))


def test_figure_5_counts_the_first_agent_in_each_role():
    rows = list(FIGURE_5.run(Request(60)))
    assert len(rows) == 18 and all(row["games"] == 20 and row["agrees"] is None for row in rows)
    rates = {(row["agents"][0], row["agents"][1], row["role"]): row["win_rate"] for row in rows}
    assert rates["rhcp", "random", "landlord"] > 0.8 > 0.2 > rates["random", "rhcp", "landlord"]
    assert rates["rhcp", "random", "peasant up"] > rates["random", "random", "peasant up"]
    assert rates["cql", "random", "landlord"] > 0.8


def test_theorem_rows_repeat_and_hold_shares():
    rows = list(theorem31.run(Request(2, 1)))
    assert rows == list(theorem31.run(Request(2, 1)))
    assert all(0 <= row["uniform"] <= 1 and 0 <= row["correct"] <= 1 for row in rows)


def test_result_of_a_role_is_selected_by_name() -> None:
    names = ("landlord", "peasant down", "peasant up")
    roles = tuple(AgentResult(name, 10, wins, 0.0) for wins, name in enumerate(names))
    table = Tournament((), (), 10)
    for wins, name in enumerate(names):
        assert table._first_result(Cell((), role=name), AgentResult("a", 30, 3, 0.0, roles=roles)).wins == wins


def test_games_seed_and_jobs_reach_play_match(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def played(game, agents, games, seed, jobs, progress):
        calls.append((games, seed, jobs))
        return play_match(game, agents, games, seed)

    monkeypatch.setattr(tournament, "play_match", played)
    list(Tournament((Cell(("reflex", "random"), 0.95),), READINGS[:1], 10).run(Request(20, 7, 3)))
    assert calls == [(20, 7, 3)]


def test_void_games_of_all_matches_of_a_cell_are_summed() -> None:
    cell, played = Cell(("reflex", "random"), 0.95), play_match(make("uno", 2), ["reflex", "random"], 4)
    matches = [replace(played, voids=voids) for voids in (3, 4)]
    assert Tournament((), (), 10)._outcome(READINGS[0], cell, cell.agents, matches)["voids"] == 7
