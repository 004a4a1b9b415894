"""Tensors as files: whole, the same bytes for the same contents, refused with the reason."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from cardgames.learners.runs.run_files import read_checkpoint
from cardgames.support.atomic_write import atomic_write, describe_file_error, file_stamp, remove_partial_files
from cardgames.support.errors import InvalidInput
from cardgames.support.tensor_file import read_tensors, write_tensors

TENSORS = {"b": np.arange(6, dtype=np.float32).reshape(2, 3), "a": np.array([7], np.int64)}


def test_a_file_that_may_not_be_opened_is_not_called_missing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert describe_file_error(tmp_path / "none", FileNotFoundError("none")) == "there is no such file"
    assert describe_file_error(tmp_path / "file" / "below", FileNotFoundError("none")) == "Not a directory"
    with pytest.raises(InvalidInput, match="cannot read a\0b: embedded null byte"):
        file_stamp("a\0b")


def test_equal_contents_are_equal_bytes_that_safetensors_reads(tmp_path: Path) -> None:
    words = {f"key {number}": "\u00e9t\u00e9 " * number for number in range(9)}
    for name in ("first", "second"):
        write_tensors(tmp_path / name, TENSORS, words)
        words = dict(reversed(words.items()))
    assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()
    found, metadata = read_tensors(tmp_path / "first")
    assert metadata == words and found.keys() == TENSORS.keys()
    assert all(np.array_equal(found[name], tensor) for name, tensor in TENSORS.items())
    assert load_file(tmp_path / "first").keys() == TENSORS.keys()


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    path, link = tmp_path / "file", tmp_path / "link"
    path.write_text("before")
    link.symlink_to(path)
    with pytest.raises(ZeroDivisionError), atomic_write(path) as new:
        new.write_text("half")
        raise ZeroDivisionError
    assert path.read_text() == "before"
    with atomic_write(link) as new:
        new.write_text("after")
    assert path.read_text() == "after" and link.is_symlink()
    assert {entry.name for entry in tmp_path.iterdir()} == {"file", "link"}, "nothing is left behind"


def test_what_is_replaced_keeps_its_rights(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.touch(mode=0o600)
    with atomic_write(path) as new:
        new.write_text("after")
    assert path.read_text() == "after" and path.stat().st_mode & 0o777 == 0o600


def test_threads_that_write_one_file_do_not_meet(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with atomic_write(path) as new, ThreadPoolExecutor(1) as pool:
        new.write_text("late")
        pool.submit(write_tensors, path, TENSORS, {}).result()
        assert new.exists() and path.exists()
    assert path.read_text() == "late"


@pytest.mark.parametrize(
    ("name", "reason"), [("", "it is a folder"), ("file/x", "Not a directory"), ("no/x", "No such")]
)
def test_what_cannot_be_written_is_told(name: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InvalidInput, match=f"cannot write .*: {reason}"):
        write_tensors(tmp_path / name, TENSORS, {})


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes among files")
def test_a_pipe_is_refused_before_anybody_waits_for_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InvalidInput, match=r"cannot read .*pipe: it is not a regular file"):
        read_tensors(tmp_path / "pipe")
    with pytest.raises(InvalidInput, match=r"cannot read .*pipe: it is not a regular file"):
        read_checkpoint(tmp_path / "pipe", {})
    with pytest.raises(InvalidInput, match=r"cannot write .*pipe: it is not a regular file"):
        write_tensors(tmp_path / "pipe", TENSORS, {})


def test_a_file_takes_the_place_of_another_once_it_is_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, there = tmp_path / "file", list[str]()
    path.write_text("before")
    monkeypatch.setattr("cardgames.support.atomic_write.os.fsync", lambda number: there.append(path.read_text()))
    with atomic_write(path) as new:
        new.write_text("after")
    assert there == ["before"] and path.read_text() == "after"


def test_what_was_left_beside_what_a_link_leads_to_is_swept_away(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    unfinished = tmp_path / "folder" / ".file.1-2.new"
    unfinished.touch()
    (tmp_path / "link").symlink_to(tmp_path / "folder" / "file")
    remove_partial_files(tmp_path / "link")
    assert not unfinished.exists()
