"""Tests of the package layout: direction of imports, places of heavy libraries, private modules, sizes, docstrings."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "cardgames"
FILES = sorted(PACKAGE.rglob("*.py"))
ROOMS = (
    {"support"},
    {"kernels"},
    {"core"},
    {"networks"},
    {"agents"},
    {"arena", "records"},
    {"uno", "doudizhu", "search"},
    {"learners"},
    {"papers"},
    {"envs", "tui", "bench"},
    {"cli"},
)
"""Subpackages from the bottom up. A module may import modules of its own subpackage and of lower levels.

Subpackages on one level do not import one another: no search imports a game, and no game a search.
"""
LEVEL = {room: level for level, rooms in enumerate(ROOMS) for room in rooms}
MAX_MODULES = 20
MAX_LINES = 450


def subpackage_of(file: Path) -> str:
    """Return the subpackage of a file: its top folder, or its own name at the top level."""
    return file.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(file: Path) -> Iterator[tuple[str, bool]]:
    """Yield each module that a file imports, and whether the import is inside a function."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    inside = {id(node) for function in functions for node in ast.walk(function)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, id(node) in inside) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: relative import"
            module = node.module or ""
            names = [f"{module}.{alias.name}" for alias in node.names] if module == "cardgames" else [module]
            yield from ((name, id(node) in inside) for name in names)


def may_import(part: str, other: str) -> bool:
    """Return whether a module of subpackage `part` may import one of `other`."""
    if part not in LEVEL or other not in LEVEL or part == other:
        return True
    return LEVEL[other] < LEVEL[part]


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_imports_run_one_way(file: Path) -> None:
    part = subpackage_of(file)
    for module, in_function in imports(file):
        package, _, rest = module.partition(".")
        if package == "cardgames":
            assert may_import(part, rest.partition(".")[0]), f"{part} may not import {module}"
        elif package == "torch":
            allowed = part in ("learners", "papers", "bench") or file.name == "torch_evaluator.py"
            assert allowed and in_function, (
                "torch is imported only inside functions, in learners, papers, bench and torch_evaluator.py"
            )
        elif module.startswith(("numba.core", "llvmlite")):
            assert part == "kernels", "the internals of Numba belong in kernels"
        elif package in ("choix", "scipy"):
            assert file.name == "ratings.py" and in_function, "the optional choix is imported only to fit ratings"
        elif package == "textual":
            assert part == "tui", "textual is imported only in tui"
        elif package in ("gymnasium", "pettingzoo", "pyspiel", "open_spiel"):
            assert part in ("envs", "bench"), "other environment libraries are imported only in envs and bench"


def public_modules(room: Path) -> set[str]:
    """Return the modules in the `__all__` of a folder; empty if there is none or it lists anything but modules."""
    tree = ast.parse((room / "__init__.py").read_text(encoding="utf-8"))
    lists = [
        node.value for node in tree.body if isinstance(node, ast.Assign) and "__all__" in ast.unparse(node.targets[0])
    ]
    listed = set(ast.literal_eval(lists[0])) if lists else set()
    modules = {path.stem for path in room.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    return listed if listed <= modules else set()


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_other_packages_import_only_public_modules(file: Path) -> None:
    own_room = file.relative_to(PACKAGE).parts[:-1]
    for module, _ in imports(file):
        parts = module.split(".")[1:] if module.startswith("cardgames.") else []
        for depth in range(1, len(parts)):
            room = PACKAGE.joinpath(*parts[:depth])
            public = public_modules(room) if (room / "__init__.py").exists() else set()
            if public and own_room[:depth] != tuple(parts[:depth]) and (room / f"{parts[depth]}.py").exists():
                assert parts[depth] in public, f"{module} is private to {'.'.join(parts[:depth])}"


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_files_are_short_and_documented(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert len(text.splitlines()) < MAX_LINES
    tree = ast.parse(text)
    assert ast.get_docstring(tree), "the module has no docstring"
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            # Numba overloads are documented at the function that they overload
            overload = any("overload" in ast.unparse(decorator) for decorator in node.decorator_list)
            assert overload or ast.get_docstring(node), f"{node.name} has no docstring"


def test_every_subpackage_has_a_level() -> None:
    """A new subpackage must be added to `ROOMS`."""
    parts = {path.name for path in PACKAGE.iterdir() if path.is_dir() and (path / "__init__.py").exists()}
    assert parts <= set(LEVEL)


@pytest.mark.parametrize(
    "folder", sorted({file.parent for file in FILES} - {PACKAGE / "uno" / "rules", PACKAGE / "doudizhu" / "rules"})
)
def test_folders_have_at_most_20_modules(folder: Path) -> None:
    modules = [file for file in folder.glob("*.py") if file.name != "__init__.py"]
    assert len(modules) <= MAX_MODULES, f"{folder.relative_to(PACKAGE)} has {len(modules)} modules"


@pytest.mark.parametrize(
    ("part", "other", "allowed"),
    [
        ("core", "uno", False),
        ("core", "networks", False),
        ("support", "kernels", False),
        ("networks", "core", True),
        ("uno", "doudizhu", False),
        ("uno", "core", True),
        ("search", "uno", False),
        ("search", "core", True),
        ("learners", "uno", True),
        ("tui", "cli", False),
        ("cli", "tui", True),
    ],
)
def test_may_import_follows_levels(part: str, other: str, allowed: bool) -> None:
    assert may_import(part, other) is allowed
