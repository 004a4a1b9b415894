"""Text tables: aligned columns, and names too long for the width."""

from cardgames.support.text_table import text_table

ROWS = [("agent", "games"), ("a", "1"), ("a long name", "20")]


def test_columns_are_aligned() -> None:
    assert text_table(ROWS).splitlines() == ["agent        games", "a                1", "a long name     20"]


def test_name_that_does_not_fit_has_its_own_line() -> None:
    assert text_table(ROWS, 14).splitlines() == ["agent    games", "a            1", "a long name", "            20"]
    assert text_table(ROWS, 1).splitlines()[0] == "agent  games", "the first heading always fits"
