"""Helpers that run the command line, in its own process or in this one."""

import os
import pathlib
import subprocess
import sys

import pytest

from cardgames.cli import main

ROOT = pathlib.Path(__file__).parents[1]
PATIENCE = 600
"""Timeout of a command in seconds, compilation included."""


def start(*arguments: str, **streams: int) -> "subprocess.Popen[str]":
    """Start the command in its own process, its streams as pipes unless `streams` says otherwise."""
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | streams
    command = [sys.executable, "-m", "cardgames", *arguments]
    return subprocess.Popen(command, cwd=ROOT, env=environment, text=True, **pipes)


def run(*arguments: str, typed: str = "") -> tuple[int, str, str]:
    """Run the command in its own process; return exit code, standard output and standard error."""
    process = start(*arguments)
    out, err = process.communicate(typed, timeout=PATIENCE)
    return process.returncode, out, err


def call(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    """Run the command in this process and return its exit code."""
    monkeypatch.setattr(sys, "argv", ["cardgames", *arguments])
    with pytest.raises(SystemExit) as exit_:
        main()
    return int(exit_.value.code or 0)


def is_one_line(err: str) -> bool:
    """Return whether standard error is a single error line of the command."""
    return err.startswith("cardgames: ") and err.endswith("\n") and err.count("\n") == 1
