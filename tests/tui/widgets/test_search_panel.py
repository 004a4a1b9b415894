"""Lines of the search panel."""

import pytest

from cardgames.search.report import ActionStatistics, SearchReport
from cardgames.tui.widgets.search_panel import SearchPanel, _lines
from tests.tui.company import app_at, table_screen, uno, until_said


def report(prior: float | None) -> SearchReport:
    rows = ActionStatistics(1, "r5", 749, 0.39, None, prior), ActionStatistics(2, "draw", 2, 0.3, None, None)
    return SearchReport("champion", 0, 751, 0.1, rows)


@pytest.mark.parametrize(
    ("columns", "name", "with_prior"),
    [(38, "R5", True), (27, "R5", False), (38, "R5" * 9, False), (41, "R5" * 9, True)],
)
def test_priors_are_shown_if_names_leave_room(columns: int, name: str, with_prior: bool) -> None:
    lines = [line.plain for line in _lines(report(0.2), [name, "draw"], columns)]
    assert any("prior" in line for line in lines) == with_prior
    assert {len(line) for line in lines} == {columns + 1}
    *_, first, second = lines
    assert first.startswith(name) and first.endswith("749  39 %   20 %" if with_prior else "749  39 %")
    assert second.endswith("2  30 %       " if with_prior else "2  30 %")


def test_heading_is_shown_only_with_priors() -> None:
    assert len(_lines(report(None), ["R5", "draw"], 60)) == 2


def test_report_without_actions_has_no_lines() -> None:
    assert _lines(SearchReport("mine", 0, 0, 0.0, ()), [], 38) == []


async def test_search_panel_names_likely_cards_of_opponents():
    belief = {1: (0.1, 0.9, 0.4, 0.2, 0.3)}
    believing = SearchReport("mine", 0, 9, 0.1, (), belief=belief, card_kinds=("r1", "g2", "b3", "y4", "w"))
    app = app_at(uno(2).position(hands=["r1 r2 b3", 5], top="r5"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until_said(pilot, "Your turn")
        table_screen(app).query_one(SearchPanel).show("Search", believing)
        await until_said(pilot, "scripted 1 likely holds: G2, B3, Wild, Y4", "#report")
