"""Tests of the fallback to plain Numba: if its internals differ, everything gives the same results."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

WITHOUT_LIBRARY = "import numba.core.codegen; del numba.core.codegen.JITCodeLibrary\n"
OTHER_PARAMETERS = """
from numba.core.codegen import JITCodeLibrary
add = JITCodeLibrary.add_linking_library
JITCodeLibrary.add_linking_library = lambda self, library, order=None: add(self, library)
"""
OTHER_CACHE = """
from numba.core.caching import FunctionCache
key = FunctionCache._index_key
FunctionCache._index_key = lambda self, signature, codegen: key(self, signature, codegen)
"""

KERNELS = """
import numpy as np
from numba.core.types import float32, int64
from cardgames.core import ops
from cardgames.kernels.indirect_call import indirect_call
from cardgames.kernels.jit import njit
from cardgames.kernels.record_type import record_type

RULES = record_type("__main__", "RULES", [("smallest", "i8")])

@njit
def doubled(number):
    return 2 * number

@ops.won.register(RULES)
@njit
def won(rules, state, seat):
    return doubled(seat) == rules.smallest

@indirect_call(float32[::1], int64)
@njit
def weighed(numbers, times):
    return np.int64(numbers.sum() * times)

@njit
def kernel(rules, numbers):
    return ops.won(rules, 0, 1), ops.won(rules, 0, 2), weighed(numbers, 3), doubled(5)

rules, numbers = np.zeros(1, RULES)[0], np.array([1.5, 2.5], np.float32)
rules.smallest = 4
print(kernel(rules, numbers), ops.won(rules, 0, 2), weighed(numbers, 3), doubled(4))
print(sum(kernel.stats.cache_hits.values()))
"""

RESULTS = "(False, True, 12, 10) True 12 8".split()
"""Output of `KERNELS` without its last line, the number of cache hits."""

ROUND = """
import random
import cardgames
generator = random.Random(1)
state = cardgames.make("uno").new_initial_state(seed=11)
while not state.is_terminal():
    state.apply_action(generator.choice(state.legal_actions()))
print(state.history(), state.returns(), state.to_dict())
"""


def run(folder: Path, script: str, **variables: str) -> tuple[str, list[str]]:
    """Run a script, written to a file in `folder`, in a new process; return its output and its warnings."""
    file = folder / "script.py"
    file.write_text(script, encoding="utf-8")
    process = subprocess.run([sys.executable, file], env=os.environ | variables, capture_output=True, text=True)
    assert process.returncode == 0, process.stderr
    return process.stdout, re.findall(r"\w*Warning: (.*)", process.stderr)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (WITHOUT_LIBRARY, "JITCodeLibrary"),
        (OTHER_PARAMETERS, r"add_linking_library takes \(self library order\) instead of \(self library\)"),
        (OTHER_CACHE, r"_index_key takes \(self signature codegen\).*compile again at every start"),
    ],
    ids=["without a class", "other parameters", "another cache"],
)
def test_kernels_run_on_plain_numba_with_one_warning(change: str, reason: str, tmp_path: Path) -> None:
    for hits in ("0", "0" if "compile again" in reason else "1"):
        printed, (warning,) = run(tmp_path, change + KERNELS, CARDGAMES_CACHE_DIR=str(tmp_path))
        assert printed.split() == [*RESULTS, hits]
        assert re.search(f"the internals of Numba .* are not those that cardgames uses .*{reason}", warning)


def test_kernels_run_on_the_internals_without_a_warning(tmp_path: Path) -> None:
    printed, warnings = run(tmp_path, KERNELS, CARDGAMES_CACHE_DIR=str(tmp_path))
    assert printed.split() == [*RESULTS, "0"]
    assert not warnings


def test_a_round_is_the_same_on_plain_numba(tmp_path: Path) -> None:
    plain, (warning,) = run(tmp_path, WITHOUT_LIBRARY + ROUND, NUMBA_OPT="1", CARDGAMES_CACHE_DIR=str(tmp_path))
    assert "JITCodeLibrary" in warning and len(plain) > 1000
    assert plain == run(tmp_path, ROUND)[0]
