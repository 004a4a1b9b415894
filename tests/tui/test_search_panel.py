"""Lines of the panel that shows a search."""

import pytest

from cardgames.search.report import ActionStatistics, SearchReport
from cardgames.tui.widgets.search import _lines


def report(prior: float | None) -> SearchReport:
    rows = ActionStatistics(1, "r5", 749, 0.39, None, prior), ActionStatistics(2, "draw", 2, 0.3, None, None)
    return SearchReport("champion", 0, 751, 0.1, rows)


@pytest.mark.parametrize(
    ("columns", "name", "told"), [(38, "R5", True), (27, "R5", False), (38, "R5" * 9, False), (41, "R5" * 9, True)]
)
def test_the_prior_is_told_where_names_leave_room(columns: int, name: str, told: bool) -> None:
    lines = [line.plain for line in _lines(report(0.2), [name, "draw"], columns)]
    assert any("prior" in line for line in lines) == told
    assert {len(line) for line in lines} == {columns + 1}
    *_, first, second = lines
    assert first.startswith(name) and first.endswith("749  39%   20%" if told else "749  39%")
    assert second.endswith("2  30%      " if told else "2  30%")


def test_without_a_prior_there_is_no_heading() -> None:
    assert len(_lines(report(None), ["R5", "draw"], 60)) == 2


def test_a_report_without_actions_has_no_lines() -> None:
    assert _lines(SearchReport("mine", 0, 0, 0.0, ()), [], 38) == []
