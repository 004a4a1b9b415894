"""The command line as a process: imports, standard streams, signals and exit codes."""

import errno
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.acting import Ending, Interrupting
from tests.command import PATIENCE, ROOT, call, is_one_line, start


def test_help_imports_nothing_heavy() -> None:
    code = """
import sys
from cardgames.cli import main
sys.argv = ["cardgames", "--help"]
try:
    main()
except SystemExit as end:
    assert not end.code
heavy = {"numba", "numpy", "torch", "textual"} & set(sys.modules)
assert not heavy, heavy
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for command in ("play", "watch", "arena", "search-debug", "agents", "rules", "replay", "warmup", "bench"):
        assert f"\n  {command} " in done.stdout


def test_ctrl_c_during_import_exits_silently(monkeypatch: pytest.MonkeyPatch) -> None:
    from cardgames.__main__ import main as begin

    class Loading:
        @property
        def main(self) -> None:
            raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, "cardgames.cli", Loading())  # type: ignore[arg-type]
    with pytest.raises(SystemExit) as end:
        begin()
    assert end.value.code == 130


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_output_that_cannot_be_written_is_reported_in_one_line() -> None:
    with open("/dev/full", "w") as full:
        process = start("agents", "uno", stdout=full.fileno())
        _, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (2, "cardgames: cannot write the output: No space left on device\n")


@pytest.mark.skipif(os.name != "posix", reason="closes streams as a shell does")
@pytest.mark.parametrize(
    ("arguments", "closed", "code"),
    [
        ("arena uno --agents random,reflex --games 20 --seed 1", "2>&-", 0),
        ("watch uno --plain --rules rlcard --agents random,random --seed 1", ">&-", 0),
        ("watch uno --agents random,random --seed 1", "<&-", 2),
        ("search-debug uno --agent reflex --seed 1 --json", "<&-", 0),
        ("rules uno nobody", "2>&-", 2),
    ],
)
def test_closed_standard_streams_are_treated_as_empty(arguments: str, closed: str, code: int) -> None:
    command = f'exec "$0" -m cardgames {arguments} {closed}'
    done = subprocess.run(
        ["sh", "-c", command, sys.executable], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == code and "Traceback" not in done.stderr
    assert bool(done.stdout) == (code == 0 and closed != ">&-")
    assert code == 0 or closed == "2>&-" or is_one_line(done.stderr)


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="signals of a terminal")
@pytest.mark.parametrize("signal_name", ["SIGTERM", "SIGHUP"])
def test_arena_ended_by_a_signal_prints_finished_games(
    signal_name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    number = getattr(signal, signal_name)
    before = signal.getsignal(number)
    if before is signal.SIG_IGN:
        pytest.skip("ignored here, as under nohup")
    monkeypatch.setattr(Interrupting, "decisions", 0)
    monkeypatch.setattr(Ending, "signal_number", number)
    agents = "tests.cli.acting:ending,random"
    code = call(monkeypatch, "arena", "uno", "--agents", agents, "--games", "1000", "--seed", "1", "--json")
    assert code == 128 + number and signal.getsignal(number) is before
    assert 0 < json.loads(capsys.readouterr().out)["games"] < 1000


@pytest.mark.skipif(os.name != "posix", reason="signals of a terminal")
def test_exit_code_of_watch_names_the_signal(monkeypatch: pytest.MonkeyPatch) -> None:
    if signal.getsignal(signal.SIGTERM) is signal.SIG_IGN:
        pytest.skip("ignored here")
    monkeypatch.setattr(Interrupting, "decisions", 195)
    monkeypatch.setattr(Ending, "signal_number", signal.SIGTERM)
    watched = ("watch", "uno", "--plain", "--agents", "tests.cli.acting:ending,tests.cli.acting:ending", "--seed", "1")
    assert call(monkeypatch, *watched) == 128 + signal.SIGTERM


def test_module_in_the_working_folder_does_not_shadow_a_library(tmp_path: Path) -> None:
    (tmp_path / "csv.py").write_text("raise SystemExit('mine')")
    code = "import sys; from cardgames.cli import main; sys.argv = ['cardgames', 'curves', 'nothing']; main()"
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2 and "nothing" in done.stderr and "mine" not in done.stderr


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (MemoryError("of 9 TiB"), "there is not enough memory: of 9 TiB"),
        (MemoryError(), "there is not enough memory"),
        (PermissionError(errno.EACCES, "Permission denied", "mine.toml"), "cannot use mine.toml: Permission denied"),
    ],
)
def test_errors_of_the_operating_system_are_one_line(
    error: Exception, words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused(name: str) -> None:
        raise error

    monkeypatch.setattr("cardgames.core.game_registry.game_class", refused)
    assert call(monkeypatch, "rules", "uno") == 2
    assert capsys.readouterr().err == f"cardgames: {words}\n"


@pytest.mark.skipif(os.name != "posix", reason="closes pipes as a shell does")
@pytest.mark.parametrize("arguments", [["--version"], ["agents", "uno"]], ids=["little", "much"])
def test_closed_pipe_ends_the_command_silently(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    reading, writing = os.pipe()
    os.close(reading)
    process = start(*arguments, stdout=writing)
    os.close(writing)
    _, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (1, "")
