"""The documentation: its links lead somewhere, its data files have headers, its commands and their options exist.

The examples are run by `sphinx-build -b doctest docs build/doctest`.
"""

import re
import shlex
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
import typer

from cardgames.cli import app

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(path.relative_to(ROOT).as_posix() for path in [*ROOT.glob("*.md"), *DOCS.rglob("*.md")])
DATA = sorted(path.relative_to(DOCS / "data").as_posix() for path in (DOCS / "data").rglob("*.*"))

sys.path.append(str(DOCS / "_ext"))
from data_file import read_results  # noqa: E402


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(page: str, language: str) -> list[str]:
    """Return the contents of a page's code blocks in a language, or of a directive such as `{testcode}`."""
    return re.findall(rf"```{re.escape(language)}\n(.*?)```", text_of(page), re.DOTALL)


def headings(page: Path) -> set[str]:
    """Return the anchors of a page: of its headings, as GitHub and MyST make them, and those given by hand."""
    text = page.read_text(encoding="utf-8")
    plain = (re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", title) for title in re.findall(r"(?m)^#+ (.+)$", text))
    made = {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in plain}
    return made | set(re.findall(r"(?m)^\(([\w-]+)\)=$", text)) | set(re.findall(r'<a id="([^"]+)"', text))


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_to_existing_files_and_headings(page: str) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", text_of(page)):
        if target.startswith("http"):
            continue
        file, _, heading = target.partition("#")
        found = (ROOT / page).parent / file if file else ROOT / page
        assert found.exists(), target
        assert not heading or heading in headings(found), target


@pytest.mark.parametrize("name", DATA)
def test_data_files_have_a_header_and_rows_that_fit(name: str) -> None:
    header, rows = read_results(DOCS / "data" / name)
    assert rows
    assert not [key for key, value in header.items() if not value.strip()], "a header has no empty value"


@pytest.mark.parametrize("name", DATA)
def test_data_files_are_used_by_a_page(name: str) -> None:
    stem = name.removesuffix(".csv")
    used = (f"{{results}} {stem}\n", f"data/{name}")
    assert any(use in text_of(page) for page in PAGES for use in used), f"no page uses {name}"


def check_command(written: str) -> None:
    """Check that a command and the options after it exist; upper-case words stand for something else."""
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    command, *rest = shlex.split(written, comments=True)[1:] or [""]
    if command.startswith("-") or command.isupper():
        return
    assert command in commands, written
    known = {option for parameter in commands[command].params for option in parameter.opts} | {"--help"}
    words = [word.strip("[],") for word in rest]
    assert {word.partition("=")[0] for word in words if word.startswith("--")} <= known, written


@pytest.mark.parametrize("page", PAGES)
def test_commands_and_their_options_exist(page: str) -> None:
    inline = re.findall(r"`(cardgames [a-z][^`]*)`", re.sub(r"```.*?```", "", text_of(page), flags=re.DOTALL))
    lines = [line for block in blocks(page, "bash") for line in block.splitlines() if line.startswith("cardgames ")]
    for written in [*inline, *lines]:
        check_command(written)


@pytest.mark.parametrize("name", DATA)
def test_commands_of_data_files_exist(name: str) -> None:
    header, rows = read_results(DOCS / "data" / name)
    for command in [header["command"], *(row.get("command", "") for row in rows)]:
        for written in re.findall(r"cardgames [a-z][^;]*", command):
            check_command(written.replace("'", ""))
        for module in re.findall(r"python -m ([\w.]+)", command):
            assert find_spec(module), module


def test_every_command_has_its_section() -> None:
    page = text_of("docs/reference/cli.md")
    assert re.findall(r"(?m)^## (\S+)$", page) == re.findall(r"{objects} command (\S+)", page)
    assert set(re.findall(r"(?m)^## (\S+)$", page)) == set(typer.main.get_command(app).commands)  # type: ignore[attr-defined]


OPPONENTS = {"vs_1_random": "1 random", "vs_2_random": "2 random", "vs_3_random": "3 random", "vs_reflex": "1 reflex"}


@pytest.mark.parametrize("agent", ["linear", "actor-critic-rlcard", "champion-baselines"])
def test_summary_of_strength_repeats_the_figures_of_its_sources(agent: str) -> None:
    rows = read_results(DOCS / "data/strength/summary.csv")[1]
    summary = next(row for row in rows if agent.startswith(row["agent"]))
    source = read_results(DOCS / "data/strength" / f"{agent}.csv")[1]
    for column, against in OPPONENTS.items():
        row = next(row for row in source if row["against"] == against and row.get("rules", "rlcard") == "rlcard")
        assert summary[column] == row["win_rate"], against
