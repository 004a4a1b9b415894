"""What the documentation names is there: pages and headings, names in Python, commands and their options."""

import ast
import re
import shlex
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest
import typer

from cardgames.cli import app

ROOT = Path(__file__).parents[1]
PAGES = [path.relative_to(ROOT).as_posix() for path in sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])]
OPTIONAL = ("torch", "gymnasium", "pettingzoo", "pyspiel", "open_spiel", "cardgames.envs")
"""Packages that may be missing, and what needs them."""


def headings(page: Path) -> set[str]:
    """The names by which links find the headings of a page, as GitHub makes them, and those given by hand."""
    text = page.read_text(encoding="utf-8")
    plain = (re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", title) for title in re.findall(r"(?m)^#+ (.+)$", text))
    made = {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in plain}
    return made | set(re.findall(r'<a id="([^"]+)"', text))


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", (ROOT / page).read_text(encoding="utf-8")):
        if target.startswith("http"):
            continue
        file, _, heading = target.partition("#")
        found = (ROOT / page).parent / file if file else ROOT / page
        assert found.exists(), target
        assert not heading or heading in headings(found), target


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")])
def test_examples_in_python_import_what_there_is(page: str) -> None:
    for block in blocks(page, "python"):
        for node in ast.walk(ast.parse(block)):
            if isinstance(node, ast.ImportFrom) and node.module and not node.module.startswith(OPTIONAL):
                module = import_module(node.module)
                for name in (alias.name for alias in node.names):
                    assert hasattr(module, name) or find_spec(f"{node.module}.{name}"), f"{node.module} has no {name}"


@pytest.mark.parametrize("page", PAGES)
def test_commands_and_their_options_are_there(page: str) -> None:
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    text = (ROOT / page).read_text(encoding="utf-8")
    inline = re.findall(r"`(cardgames [a-z][^`]*)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    lines = [line for block in blocks(page, "bash") for line in block.splitlines() if line.startswith("cardgames ")]
    for written in [*inline, *lines]:
        command, *rest = shlex.split(written, comments=True)[1:] or [""]
        if command.startswith("-"):
            continue
        assert command in commands, written
        known = {option for parameter in commands[command].params for option in parameter.opts} | {"--help"}
        assert {word.partition("=")[0] for word in rest if word.startswith("--")} <= known, written
