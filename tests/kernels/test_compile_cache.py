"""Tests of the compile cache: machine code is reused by other processes until a source changes."""

import os
import shutil
from pathlib import Path

import pytest

import cardgames
from cardgames.kernels import cache_files, source_fingerprint
from tests.process import run

PACKAGE = Path(cardgames.__file__).parent
NOT_CACHED = "kernels are compiled again at every start ({}): set CARDGAMES_CACHE_DIR to a folder for them"

PAY = """
import numpy as np
from cardgames.kernels import compile_cache
from cardgames.core import ops
from cardgames.uno import kernel_registration
from cardgames.uno.rules import BOOK, UNO_RULES, kernel_rules
from cardgames.uno.state import blank
state, out = blank(2), np.zeros(2)
state.winner = 0
ops.returns(kernel_rules(BOOK.preset("common"), 2), state, out)
stats = ops.returns.kernel(UNO_RULES).stats
compile_cache.mark_compiled("pay")
print(int(out[0]), sum(stats.cache_hits.values()), compile_cache.CACHE_WRITABLE, compile_cache.is_marked_compiled("pay"))
"""
"""Script that prints the payoff of the winner, the number of cache hits, `CACHE_WRITABLE` and `is_marked_compiled`."""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Copy the packages with kernels that the scripts import to a new folder."""
    target = tmp_path / "copy"
    for part in ("support", "kernels", "core", "networks", "arena", "uno"):
        shutil.copytree(PACKAGE / part, target / "cardgames" / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(PACKAGE / "__init__.py", target / "cardgames")
    return target


def test_edited_rule_is_compiled_again_and_unchanged_one_is_not(copy: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    assert run(PAY, copy, cache) == ["1", "0", "True", "True"]
    assert run(PAY, copy, cache) == ["1", "1", "True", "True"]
    installed_later = shutil.copytree(copy, tmp_path / "elsewhere", copy_function=shutil.copyfile)
    assert run(PAY, installed_later, cache) == ["1", "1", "True", "True"]
    # the kernel of the verb is in another file; only the file of the rule that it calls changes
    rule = copy / "cardgames" / "uno" / "rules" / "payoff.py"
    text = rule.read_text(encoding="utf-8")
    assert text.count("out[winner] = 1.0") == 2
    rule.write_text(text.replace("out[winner] = 1.0", "out[winner] = 40.0"), encoding="utf-8")
    assert run(PAY, copy, cache) == ["40", "0", "True", "True"]


def test_sources_outside_the_fingerprint_have_a_time_stamp() -> None:
    kernel_source, other_source, external_source = (
        cache_files._Locator(run, str(path)).get_source_stamp()
        for path in (PACKAGE / "uno" / "rules" / "payoff.py", PACKAGE / "bench" / "timing.py", Path(__file__))
    )
    assert not kernel_source and other_source and external_source


@pytest.mark.parametrize(
    ("folder", "reason"),
    [("a file/cache", "Not a directory"), ("~nobody-of-this-name", "Could not determine home directory.")],
)
def test_without_cache_folder_kernels_run_with_one_warning(
    folder: str, reason: str, copy: Path, tmp_path: Path
) -> None:
    (tmp_path / "a file").write_text("not a folder")
    cache = tmp_path / folder if folder.startswith("a") else Path(folder)
    assert run(PAY, copy, cache, NOT_CACHED.format(reason)) == ["1", "0", "False", "False"]
    assert not list(copy.rglob("*.nb?")) and not list(copy.rglob("~*")), "Numba fell back to a cache beside the sources"


@pytest.mark.parametrize("kind", ["nbi", "nbc"])
def test_damaged_cache_file_is_compiled_again(kind: str, copy: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    assert run(PAY, copy, cache) == ["1", "0", "True", "True"]
    files = list(cache.rglob(f"*.{kind}"))
    for number, path in enumerate(files):
        path.write_bytes(path.read_bytes()[: 40 * (number % 2)])
    assert run(PAY, copy, cache) == ["1", "0", "True", "True"]
    assert run(PAY, copy, cache) == ["1", "1", "True", "True"]


def test_unused_cache_folders_are_removed(copy: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    old, used = cache / "kernels-old", cache / "kernels-used"
    for folder in (old, used):
        (folder / "core").mkdir(parents=True)
    os.utime(old, (0, 0))
    run(PAY, copy, cache)
    assert not old.exists() and used.exists()


EXTERNAL_GAME = """
import numpy as np
from cardgames.core import ops
from cardgames.kernels.jit import njit
from cardgames.kernels.record_type import record_type

RULES = record_type(__name__, "RULES", [("external", "i8")])

@ops.won.register(RULES)
@njit
def won(rules, state, seat):
    return True
"""

CALL_FROM_PACKAGE = """
import numpy as np
from cardgames.core import ops
from cardgames.kernels.jit import njit
import cardgames.arena.kernel_matches as kernel_matches
import external

# a kernel of the package that has the verb compiled into it
kernel = kernel_matches.won_by_first
print(kernel(np.zeros(1, external.RULES)[0]), sum(kernel.stats.cache_hits.values()))
"""


def test_edited_rule_of_external_game_is_compiled_again(copy: Path, tmp_path: Path) -> None:
    cache, rule, kernels = tmp_path / "cache", copy / "external.py", copy / "cardgames" / "arena" / "kernel_matches.py"
    rule.write_text(EXTERNAL_GAME, encoding="utf-8")
    with kernels.open("a", encoding="utf-8") as file:
        file.write("\n\n@njit\ndef won_by_first(rules):\n    return ops.won(rules, 0, 0)\n")
    assert run(CALL_FROM_PACKAGE, copy, cache) == ["True", "0"]
    assert run(CALL_FROM_PACKAGE, copy, cache) == ["True", "1"]
    rule.write_text(EXTERNAL_GAME.replace("True", "False"), encoding="utf-8")
    assert run(CALL_FROM_PACKAGE, copy, cache) == ["False", "0"]


TWICE = """
import sys
import numpy as np
from cardgames.kernels.jit import njit

@njit
def first(numbers):
    return numbers[0]

print(*(first(np.array([3], kind)) for kind in sys.argv[1:]), sum(first.stats.cache_hits.values()))
"""


@pytest.mark.parametrize("damage", [b"", None])
def test_cache_file_of_another_signature_is_not_used(damage: bytes | None, copy: Path, tmp_path: Path) -> None:
    """After an index is lost or written by two processes at once, it may refer to files of other signatures."""
    cache, script = tmp_path / "cache", tmp_path / "twice.py"
    script.write_text(TWICE, encoding="utf-8")
    script_with_arguments = f"import runpy, sys; sys.argv[1:] = {{}}; runpy.run_path({str(script)!r})"
    assert run(script_with_arguments.format(["float64"]), copy, cache) == ["3.0", "0"]
    (float_code,) = [path.read_bytes() for path in cache.rglob("*.first*.nbc")]
    (index,) = cache.rglob("*.first*.nbi")
    index.unlink()
    assert run(script_with_arguments.format(["int64"]), copy, cache) == ["3", "0"]
    (code,) = cache.rglob("*.first*.nbc")
    code.write_bytes(float_code if damage is None else damage)
    assert run(script_with_arguments.format(["int64"]), copy, cache) == ["3", "0"]
    assert run(script_with_arguments.format(["int64"]), copy, cache) == ["3", "1"]
    assert run(script_with_arguments.format(["int64", "float64"]), copy, cache) == ["3", "3.0", "1"]
    assert run(script_with_arguments.format(["float64", "int64"]), copy, cache) == ["3.0", "3", "2"]


FULL = """
import errno
from numba.core.caching import IndexDataCacheFile

def full(self, name, data):
    raise OSError(errno.ENOSPC, "No space left on device")

IndexDataCacheFile._save_data = full
"""


READ_ONLY = """
import errno, os
from numba.core.caching import IndexDataCacheFile

def read_only(*anything, **more):
    raise OSError(errno.EROFS, "Read-only file system")

os.makedirs = os.utime = IndexDataCacheFile._open_for_write = read_only
access = os.access
os.access = lambda path, mode, **more: not mode & os.W_OK and access(path, mode, **more)
"""


def test_kernels_run_if_the_disk_is_full(copy: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    warning = NOT_CACHED.format("No space left on device")
    assert run(FULL + PAY, copy, cache, warning)[:2] == ["1", "0"]
    assert run(PAY, copy, cache) == ["1", "0", "True", "True"]


def test_read_only_cache_folder_is_used(copy: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    assert run(PAY, copy, cache) == ["1", "0", "True", "True"]
    (folder,) = cache.iterdir()
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*.nb?")}
    assert run(READ_ONLY + PAY, copy, cache)[:2] == ["1", "1"], "loaded from the cache, without a warning"
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*.nb?")} == before


SIGNATURES = """
import cardgames
from cardgames.core import ops
from cardgames.uno.rules import BOOK, UNO_RULES

for preset in BOOK.presets:
    for players in (2, 3):
        game = cardgames.make("uno", players=players, rules=preset)
        agents = [cardgames.agent(name, game, seed=1) for name in ("reflex", "rlcard-rule", "random")][:players]
        state = game.new_initial_state(seed=3)
        while not state.is_terminal():
            seat = state.current_player()
            state.legal_actions()
            state.apply_action(agents[seat].act(state.observation()).action)
        state.returns()
        state.observation(0)
for name in (
    "deal", "current_player", "legal_actions", "is_legal", "apply_action", "is_terminal", "returns", "observe", "policy"
):
    print(name, len(getattr(ops, name).kernel(UNO_RULES).signatures))
"""


def test_every_verb_has_one_signature_under_all_rules() -> None:
    """If a type depended on the rules, each new rule set would need seconds of compilation."""
    printed = run(SIGNATURES, PACKAGE.parent)
    assert set(printed[1::2]) == {"1"}, printed
    assert len(printed) == 18


def test_fingerprint_covers_networks_in_kernels_but_not_pretrained_ones(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "doudizhu" / "weights"
    (folder / "dmc").mkdir(parents=True)
    monkeypatch.setattr(source_fingerprint, "_PACKAGE", tmp_path)
    seen = []
    for name, content in (("auction", b"1"), ("auction", b"2"), ("dmc/rlcard", b"3")):
        (folder / f"{name}.safetensors").write_bytes(content)
        seen.append(source_fingerprint.fingerprint())
    assert seen[0] != seen[1] == seen[2]
