"""Tests of reading and writing TOML files."""

from pathlib import Path

import pytest

from cardgames.support.errors import InvalidInput
from cardgames.support.toml_file import read_toml, write_toml


def test_read_toml_reads_what_write_toml_wrote(tmp_path: Path) -> None:
    data = {
        "text": 'a "b" \\ \n \x00 \x7f \u00e9 \U0001f0a1',
        "truth": True,
        "many": [1, 2.5],
        "table": {"none": []},
        "infinite": float("inf"),
    }
    write_toml(tmp_path / "data.toml", data)
    assert read_toml(tmp_path / "data.toml") == data


def test_text_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "data.toml"
    path.write_text("before = 1\n")
    with pytest.raises(InvalidInput, match="cannot be written as UTF-8"):
        write_toml(path, {"name": "bad\udcff"})
    assert path.read_text() == "before = 1\n"


def test_byte_order_mark_is_skipped(tmp_path: Path) -> None:
    path = tmp_path / "data.toml"
    path.write_bytes(b"\xef\xbb\xbfa = 1\n")
    assert read_toml(path) == {"a": 1}


@pytest.mark.parametrize(
    ("text", "message"), [(b"a = ", "is not valid TOML"), (b"\xff", "is not valid TOML"), (None, "cannot")]
)
def test_invalid_or_missing_toml_file_is_refused(text: bytes | None, message: str, tmp_path: Path) -> None:
    path = tmp_path / "data.toml"
    if text is not None:
        path.write_bytes(text)
    with pytest.raises(InvalidInput, match=message):
        read_toml(path)


def test_path_with_null_byte_is_refused() -> None:
    with pytest.raises(InvalidInput, match="cannot read a\0b: embedded null byte"):
        read_toml(Path("a\0b"))
