"""Kernels within kernels: what Python is given is the same, and what is on disk serves every kernel that calls them."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardgames.core.jit import njit


@njit
def doubled(number):
    if number > 9:
        raise ValueError("too large", number)
    return 2 * number


@njit
def sum_of_doubled(numbers):
    total = 0
    for number in numbers:
        total += doubled(number)
    return total


def part_of(kernel: Any) -> Any:
    """Return what compiles a kernel for others."""
    return kernel.get_overload.__self__


def test_a_part_has_no_machine_code_until_python_calls_it() -> None:
    assert sum_of_doubled(np.arange(4)) == 12
    assert len(part_of(doubled).signatures) == 1 and not doubled.signatures
    assert len(sum_of_doubled.signatures) == 1 and not part_of(sum_of_doubled).signatures
    (made,) = part_of(doubled).overloads.values()
    assert not made.library.get_pointer_to_function(made.fndesc.llvm_func_name)
    assert doubled(3) == 6 and len(doubled.signatures) == 1


def test_what_a_part_raises_comes_to_python_with_its_numbers() -> None:
    with pytest.raises(ValueError) as raised:
        sum_of_doubled(np.array([1, 30]))
    assert raised.value.args == ("too large", 30)


SCRIPT = """
import sys
import numpy as np
from tests.core import test_parts as kernels

@kernels.njit
def {name}(number):
    return kernels.doubled(number) {then}

print({name}(4), sum(kernels.part_of(kernels.doubled).stats.cache_hits.values()))
try:
    {name}(10)
except ValueError as error:
    print(*error.args)
"""


def run(script: Path, cache: Path) -> list[str]:
    env = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2]), "CARDGAMES_CACHE_DIR": str(cache)}
    done = subprocess.run([sys.executable, script], env=env, capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr, done.stderr
    return done.stdout.splitlines()


def test_a_part_on_disk_serves_other_kernels(tmp_path: Path) -> None:
    first, second = tmp_path / "first.py", tmp_path / "second.py"
    first.write_text(SCRIPT.format(name="first", then="+ 1"), encoding="utf-8")
    second.write_text(SCRIPT.format(name="second", then="- 1"), encoding="utf-8")
    # the last time the whole is on disk, and nobody asks for the part
    for script, printed in ((first, "9 0"), (second, "7 1"), (second, "7 0")):
        assert run(script, tmp_path / "cache") == [printed, "too large 10"]


def test_a_part_with_an_address_of_this_process_is_not_kept() -> None:
    large = np.arange(300_000)

    @njit
    def looked_up(k):
        return large[k]

    @njit
    def caller(k):
        return looked_up(k) + 1

    with pytest.warns(match="dynamic globals"):
        assert caller(7) == 8
    assert part_of(looked_up)._cache._cache_file._load_index() == {}
