"""Tests of tensor files and atomic writes: complete files, reproducible bytes, reasons of errors."""

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


def test_describe_file_error_distinguishes_missing_from_unreadable(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert describe_file_error(tmp_path / "none", FileNotFoundError("none")) == "there is no such file"
    assert describe_file_error(tmp_path / "file" / "below", FileNotFoundError("none")) == "Not a directory"
    with pytest.raises(InvalidInput, match="cannot read a\0b: embedded null byte"):
        file_stamp("a\0b")


def test_equal_contents_give_equal_bytes(tmp_path: Path) -> None:
    metadata = {f"key {number}": "\u00e9t\u00e9 " * number for number in range(9)}
    for name in ("first", "second"):
        write_tensors(tmp_path / name, TENSORS, metadata)
        metadata = dict(reversed(metadata.items()))
    assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()
    tensors, read_metadata = read_tensors(tmp_path / "first")
    assert read_metadata == metadata and tensors.keys() == TENSORS.keys()
    assert all(np.array_equal(tensors[name], tensor) for name, tensor in TENSORS.items())
    assert load_file(tmp_path / "first").keys() == TENSORS.keys()


def test_atomic_write_replaces_whole_file_or_nothing(tmp_path: Path) -> None:
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
    assert {entry.name for entry in tmp_path.iterdir()} == {"file", "link"}, "no temporary file is left"


def test_atomic_write_keeps_permissions(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.touch(mode=0o600)
    with atomic_write(path) as new:
        new.write_text("after")
    assert path.read_text() == "after" and path.stat().st_mode & 0o777 == 0o600


def test_two_threads_can_write_the_same_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with atomic_write(path) as new, ThreadPoolExecutor(1) as pool:
        new.write_text("late")
        pool.submit(write_tensors, path, TENSORS, {}).result()
        assert new.exists() and path.exists()
    assert path.read_text() == "late"


@pytest.mark.parametrize(
    ("name", "reason"), [("", "it is a folder"), ("file/x", "Not a directory"), ("no/x", "No such")]
)
def test_write_error_names_reason(name: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InvalidInput, match=f"cannot write .*: {reason}"):
        write_tensors(tmp_path / name, TENSORS, {})


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this system")
def test_named_pipe_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InvalidInput, match=r"cannot read .*pipe: it is not a regular file"):
        read_tensors(tmp_path / "pipe")
    with pytest.raises(InvalidInput, match=r"cannot read .*pipe: it is not a regular file"):
        read_checkpoint(tmp_path / "pipe", {})
    with pytest.raises(InvalidInput, match=r"cannot write .*pipe: it is not a regular file"):
        write_tensors(tmp_path / "pipe", TENSORS, {})


def test_file_is_on_disk_before_it_replaces_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, contents_at_sync = tmp_path / "file", list[str]()
    path.write_text("before")
    monkeypatch.setattr(
        "cardgames.support.atomic_write.os.fsync", lambda number: contents_at_sync.append(path.read_text())
    )
    with atomic_write(path) as new:
        new.write_text("after")
    assert contents_at_sync == ["before"] and path.read_text() == "after"


def test_remove_partial_files_beside_target_of_link(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    unfinished = tmp_path / "folder" / ".file.1-2.new"
    unfinished.touch()
    (tmp_path / "link").symlink_to(tmp_path / "folder" / "file")
    remove_partial_files(tmp_path / "link")
    assert not unfinished.exists()
