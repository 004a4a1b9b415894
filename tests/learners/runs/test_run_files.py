"""Tests of a run's progress file."""

from pathlib import Path

import pytest

from cardgames.learners.runs.run_files import ProgressTable
from cardgames.support.errors import InvalidInput


def test_row_with_other_columns_is_refused(tmp_path: Path) -> None:
    table = ProgressTable(tmp_path / "progress.csv")
    table.append({"rounds": 1, "error": 0.5})
    table.append({"rounds": 2, "error": 0.25})
    before = table.path.read_bytes()
    with pytest.raises(InvalidInput, match="has other columns, perhaps of another version: move it away"):
        table.append({"rounds": 3, "loss": 0.1})
    assert table.path.read_bytes() == before
    assert table.read() == [{"rounds": 1, "error": 0.5}, {"rounds": 2, "error": 0.25}]


def test_incomplete_last_row_is_ignored(tmp_path: Path) -> None:
    table = ProgressTable(tmp_path / "progress.csv")
    table.append({"rounds": 1, "error": 0.5})
    whole = len(table.path.read_bytes())
    table.append({"rounds": 2, "error": 0.125})
    text = table.path.read_bytes()
    for cut in range(whole, len(text)):
        table.path.write_bytes(text[:cut])
        assert table.read() == [{"rounds": 1, "error": 0.5}]
