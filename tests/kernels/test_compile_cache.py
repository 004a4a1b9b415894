"""Machine code is kept between processes, and never longer than the source it was made of."""

import os
import shutil
from pathlib import Path

import pytest

import cardgames
from cardgames.kernels import cache_files
from tests.process import run

PACKAGE = Path(cardgames.__file__).parent
NOT_KEPT = "kernels are compiled anew at every start ({}): name a folder for them in CARDGAMES_CACHE_DIR"

PAY = """
import numpy as np
from cardgames.kernels import compile_cache
from cardgames.core import ops
from cardgames.uno import verbs
from cardgames.uno.rules import BOOK, UNO_RULES, kernel_rules
from cardgames.uno.state import blank
state, out = blank(2), np.zeros(2)
state.winner = 0
ops.returns(kernel_rules(BOOK.preset("common"), 2), state, out)
stats = ops.returns.kernel(UNO_RULES).stats
compile_cache.mark_compiled("pay")
print(int(out[0]), sum(stats.cache_hits.values()), compile_cache.CACHE_WRITABLE, compile_cache.is_marked_compiled("pay"))
"""
"""Prints what the winner gets, how often the machine code was found on disk, and what `compile_cache` says of its cache."""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A folder with a copy of the package as far as kernels are made of it."""
    target = tmp_path / "copy"
    for part in ("support", "kernels", "core", "networks", "arena", "uno"):
        shutil.copytree(PACKAGE / part, target / "cardgames" / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(PACKAGE / "__init__.py", target / "cardgames")
    return target


def test_an_edited_rule_is_obeyed_and_an_unchanged_one_not_compiled_again(copy: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    assert run(PAY, copy, cache) == ["1", "0", "True", "True"]
    assert run(PAY, copy, cache) == ["1", "1", "True", "True"]
    installed_later = shutil.copytree(copy, tmp_path / "elsewhere", copy_function=shutil.copyfile)
    assert run(PAY, installed_later, cache) == ["1", "1", "True", "True"]
    # the verb lives in engine.py; only the file of the rule it calls changes
    rule = copy / "cardgames" / "uno" / "rules" / "payoff.py"
    text = rule.read_text(encoding="utf-8")
    assert text.count("out[winner] = 1.0") == 2
    rule.write_text(text.replace("out[winner] = 1.0", "out[winner] = 40.0"), encoding="utf-8")
    assert run(PAY, copy, cache) == ["40", "0", "True", "True"]


def test_an_edit_that_the_cache_folder_does_not_tell_is_seen_by_its_time() -> None:
    known, not_known, of_others = (
        cache_files._Locator(run, str(path)).get_source_stamp()
        for path in (PACKAGE / "uno" / "rules" / "payoff.py", PACKAGE / "bench" / "timing.py", Path(__file__))
    )
    assert not known and not_known and of_others


@pytest.mark.parametrize(
    ("folder", "reason"),
    [("a file/cache", "Not a directory"), ("~nobody-of-this-name", "Could not determine home directory.")],
)
def test_without_a_folder_for_the_cache_kernels_run_uncached_with_one_warning(
    folder: str, reason: str, copy: Path, tmp_path: Path
) -> None:
    (tmp_path / "a file").write_text("no folder can be made in here")
    cache = tmp_path / folder if folder.startswith("a") else Path(folder)
    assert run(PAY, copy, cache, NOT_KEPT.format(reason)) == ["1", "0", "False", "False"]
    assert not list(copy.rglob("*.nb?")) and not list(copy.rglob("~*")), "Numba fell back to a cache beside the sources"


@pytest.mark.parametrize("kind", ["nbi", "nbc"])
def test_damaged_machine_code_is_compiled_anew(kind: str, copy: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    assert run(PAY, copy, cache) == ["1", "0", "True", "True"]
    files = list(cache.rglob(f"*.{kind}"))
    for number, path in enumerate(files):
        path.write_bytes(path.read_bytes()[: 40 * (number % 2)])
    assert run(PAY, copy, cache) == ["1", "0", "True", "True"]
    assert run(PAY, copy, cache) == ["1", "1", "True", "True"]


def test_machine_code_of_versions_that_nobody_uses_goes(copy: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    old, used = cache / "kernels-old", cache / "kernels-used"
    for folder in (old, used):
        (folder / "core").mkdir(parents=True)
    os.utime(old, (0, 0))
    run(PAY, copy, cache)
    assert not old.exists() and used.exists()


GAME_OF_OTHERS = """
import numpy as np
from cardgames.core import ops
from cardgames.kernels.jit import njit
from cardgames.kernels.record_type import record_type

RULES = record_type(__name__, "RULES", [("of_others", "i8")])

@ops.won.register(RULES)
@njit
def won(rules, state, seat):
    return True
"""

ASKED = """
import numpy as np
from cardgames.core import ops
from cardgames.kernels.jit import njit
import cardgames.arena.kernel_matches as rounds
import others

# as kernels of the package are: one that has the verb compiled into it
print(rounds.asked(np.zeros(1, others.RULES)[0]), sum(rounds.asked.stats.cache_hits.values()))
"""


def test_an_edited_rule_of_another_package_is_obeyed(copy: Path, tmp_path: Path) -> None:
    cache, rule, kernels = tmp_path / "cache", copy / "others.py", copy / "cardgames" / "arena" / "kernel_matches.py"
    rule.write_text(GAME_OF_OTHERS, encoding="utf-8")
    with kernels.open("a", encoding="utf-8") as file:
        file.write("\n\n@njit\ndef asked(rules):\n    return ops.won(rules, 0, 0)\n")
    assert run(ASKED, copy, cache) == ["True", "0"]
    assert run(ASKED, copy, cache) == ["True", "1"]
    rule.write_text(GAME_OF_OTHERS.replace("True", "False"), encoding="utf-8")
    assert run(ASKED, copy, cache) == ["False", "0"]


TWICE = """
import sys
import numpy as np
from cardgames.kernels.jit import njit

@njit
def first(numbers):
    return numbers[0]

print(*(first(np.array([3], kind)) for kind in sys.argv[1:]), sum(first.stats.cache_hits.values()))
"""


@pytest.mark.parametrize("lost", [b"", None])
def test_a_file_of_another_signature_is_no_machine_code_for_this_one(
    lost: bytes | None, copy: Path, tmp_path: Path
) -> None:
    """An index that is lost, or that two processes write at once, gives out the numbers of files that are there."""
    cache, script = tmp_path / "cache", tmp_path / "twice.py"
    script.write_text(TWICE, encoding="utf-8")
    asked = f"import runpy, sys; sys.argv[1:] = {{}}; runpy.run_path({str(script)!r})"
    assert run(asked.format(["float64"]), copy, cache) == ["3.0", "0"]
    (float_code,) = [path.read_bytes() for path in cache.rglob("*.first*.nbc")]
    (index,) = cache.rglob("*.first*.nbi")
    index.unlink()
    assert run(asked.format(["int64"]), copy, cache) == ["3", "0"]
    (code,) = cache.rglob("*.first*.nbc")
    code.write_bytes(float_code if lost is None else lost)
    assert run(asked.format(["int64"]), copy, cache) == ["3", "0"]
    assert run(asked.format(["int64"]), copy, cache) == ["3", "1"]
    assert run(asked.format(["int64", "float64"]), copy, cache) == ["3", "3.0", "1"]
    assert run(asked.format(["float64", "int64"]), copy, cache) == ["3.0", "3", "2"]


FULL = """
import errno
from numba.core.caching import IndexDataCacheFile

def full(self, name, data):
    raise OSError(errno.ENOSPC, "No space left on device")

IndexDataCacheFile._save_data = full
"""


ONLY_READ = """
import errno, os
from numba.core.caching import IndexDataCacheFile

def only_read(*anything, **more):
    raise OSError(errno.EROFS, "Read-only file system")

os.makedirs = os.utime = IndexDataCacheFile._open_for_write = only_read
able = os.access
os.access = lambda path, mode, **more: not mode & os.W_OK and able(path, mode, **more)
"""


def test_machine_code_that_cannot_be_kept_is_used_all_the_same(copy: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    words = NOT_KEPT.format("No space left on device")
    assert run(FULL + PAY, copy, cache, words)[:2] == ["1", "0"]
    assert run(PAY, copy, cache) == ["1", "0", "True", "True"]


def test_machine_code_in_a_folder_that_is_only_read_is_used(copy: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    assert run(PAY, copy, cache) == ["1", "0", "True", "True"]
    (folder,) = cache.iterdir()
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*.nb?")}
    assert run(ONLY_READ + PAY, copy, cache)[:2] == ["1", "1"], "loaded, and nothing said"
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


def test_one_signature_a_kernel_whatever_the_rules() -> None:
    """A type that varies with the rules would mean seconds of silent compilation for every new rule set."""
    words = run(SIGNATURES, PACKAGE.parent)
    assert set(words[1::2]) == {"1"}, words
    assert len(words) == 18
