"""The house keeps its shape: imports run one way, heavy libraries stay where they belong, files stay small."""

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
"""From the bottom up: a module may import those of its own room and of lower floors; rooms on one floor know nothing of each
other, so no search names a game and no game a search.
"""
FLOOR = {room: floor for floor, rooms in enumerate(ROOMS) for room in rooms}
MAX_MODULES = 20
MAX_LINES = 450


def part_of(file: Path) -> str:
    """The part of the package a file belongs to: its folder, or its own name at the top."""
    return file.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(file: Path) -> Iterator[tuple[str, bool]]:
    """Every module a file imports, and whether it is imported inside a function."""
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
    """Whether a module of `part` may import one of `other`."""
    if part not in FLOOR or other not in FLOOR or part == other:
        return True
    return FLOOR[other] < FLOOR[part]


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_imports_run_one_way(file: Path) -> None:
    part = part_of(file)
    for module, in_function in imports(file):
        package, _, rest = module.partition(".")
        if package == "cardgames":
            assert may_import(part, rest.partition(".")[0]), f"{part} may not import {module}"
        elif package == "torch":
            allowed = part in ("learners", "papers", "bench") or file.name == "torch_evaluator.py"
            assert allowed and in_function, (
                "torch belongs inside functions of learners, of the torch evaluator and the bench"
            )
        elif package == "textual":
            assert part == "tui", "textual belongs in tui"
        elif package in ("gymnasium", "pettingzoo", "pyspiel", "open_spiel"):
            assert part in ("envs", "bench"), "environments of others belong in envs"


def public_modules(room: Path) -> set[str]:
    """Return the modules that a room's `__all__` lists; empty for a room without one, or of which it lists other names."""
    tree = ast.parse((room / "__init__.py").read_text(encoding="utf-8"))
    lists = [
        node.value for node in tree.body if isinstance(node, ast.Assign) and "__all__" in ast.unparse(node.targets[0])
    ]
    listed = set(ast.literal_eval(lists[0])) if lists else set()
    modules = {path.stem for path in room.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    return listed if listed <= modules else set()


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_other_rooms_import_public_modules_alone(file: Path) -> None:
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
    assert ast.get_docstring(tree), "a module says what it is for"
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            # the stubs numba matches by signature are named in the function they overload
            overload = any("overload" in ast.unparse(decorator) for decorator in node.decorator_list)
            assert overload or ast.get_docstring(node), f"{node.name} has no docstring"


def test_every_part_is_known() -> None:
    """A new folder of the package gets its place in the order above."""
    parts = {path.name for path in PACKAGE.iterdir() if path.is_dir() and (path / "__init__.py").exists()}
    assert parts <= set(FLOOR)


@pytest.mark.parametrize(
    "folder", sorted({file.parent for file in FILES} - {PACKAGE / "uno" / "rules", PACKAGE / "doudizhu" / "rules"})
)
def test_folders_are_small(folder: Path) -> None:
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
def test_the_test_knows_the_direction(part: str, other: str, allowed: bool) -> None:
    assert may_import(part, other) is allowed
