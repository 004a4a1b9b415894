"""Kernels within kernels: what Python is given is the same, and what is on disk serves every kernel that calls them."""

import inspect
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba.core.codegen import CodeLibrary

from cardgames.kernels.jit import njit
from tests.process import run


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


ROOT = Path(__file__).parents[2]
PARTS = sum_of_doubled.inlined(), doubled.inlined()


def test_a_part_has_no_machine_code_until_python_calls_it() -> None:
    @njit
    def tripled(number):
        return 3 * number

    @njit
    def tripled_and_one(number):
        return tripled(number) + 1

    assert tripled_and_one(4) == 13
    assert len(tripled.inlined().signatures) == 1 and not tripled.signatures
    assert len(tripled_and_one.signatures) == 1 and not tripled_and_one.inlined().signatures
    (made,) = tripled.inlined().overloads.values()
    wrappers = {made.fndesc.llvm_cpython_wrapper_name, made.fndesc.llvm_cfunc_wrapper_name}
    assert not wrappers & {function.name for function in made.library.get_defined_functions()}
    assert tripled(3) == 9 and len(tripled.signatures) == 1


def test_a_part_is_one_for_all_signed_integers() -> None:
    @njit
    def shifted(number, by=1):
        return number + by

    @njit
    def shifted_by_all(narrow, wide, unsigned):
        return shifted(narrow) + shifted(wide, by=3) + shifted(-5, 2) + np.int64(shifted(unsigned[0], unsigned[0]))

    assert shifted_by_all(np.int8(127), 2**40, np.array([2**63], np.uint64)) == 128 + 2**40 + 3 - 3
    kinds = [tuple(map(str, signature)) for signature in shifted.inlined().signatures]
    assert kinds == [("int64", "omitted(default=1)"), ("int64", "int64"), ("uint64", "uint64")]


@pytest.fixture(scope="module")
def levels() -> list[Any]:
    """Return what was compiled of a kernel within one too long to be inlined, within one, within one that Python calls."""
    table = np.arange(100) ** 2

    @njit
    def looked_up(number):
        return table[number % 100]

    @njit
    def stirred(numbers):
        for a in range(3):
            for b in range(3):
                for c in range(3):
                    if numbers[a] < numbers[b] < numbers[c]:
                        numbers[a], numbers[b], numbers[c] = numbers[b], numbers[c], numbers[a]
                    elif numbers[a] * numbers[b] > numbers[c]:
                        numbers[a], numbers[c] = numbers[c], numbers[a] ^ 1
                    else:
                        numbers[b] = looked_up(numbers[(a + c) % 3]) % 10 + (numbers[a] * numbers[b]) % 3
        return numbers.sum()

    @njit
    def stirred_twice(numbers):
        return stirred(numbers) + looked_up(stirred(numbers))

    @njit
    def stirred_often(numbers):
        return stirred_twice(numbers) + stirred_twice(numbers)

    assert stirred_often(np.arange(3)) == stirred_often.py_func(np.arange(3))
    kernels = looked_up.inlined(), stirred.inlined(), stirred_twice.inlined(), stirred_often
    return [made for kernel in kernels for made in kernel.overloads.values()]


def test_a_part_only_declares_what_is_too_long_to_be_inlined(levels: list[Any]) -> None:
    _, stirred, within, whole = levels

    def defines(made):
        return stirred.fndesc.mangled_name in {function.name for function in made.library.get_defined_functions()}

    assert defines(stirred) and not defines(within) and defines(whole)


def test_a_whole_has_a_table_once_whose_look_up_was_inlined_in_several_parts(levels: list[Any]) -> None:
    _, *parts, whole = levels

    def tables(made):
        return sum(".const.array" in variable.name for variable in made.library._final_module.global_variables)

    assert [tables(part) for part in parts] == [1, 1] and tables(whole) == 1


def test_damage_to_what_a_part_calls_is_found_when_it_is_read(levels: list[Any]) -> None:
    library = levels[2].library
    own, called = library.modules
    damaged = called._replace(code=called.code[:-1] + bytes([called.code[-1] ^ 1]))
    with pytest.raises(zlib.error):
        type(library).of(library.codegen, library.name, [own, damaged], ())


def test_what_a_part_raises_comes_to_python_with_its_numbers() -> None:
    with pytest.raises(ValueError) as raised:
        sum_of_doubled(np.array([1, 30]))
    assert raised.value.args == ("too large", 30)


def test_a_kernel_that_calls_itself_is_a_part_too() -> None:
    @njit
    def factorial(number):
        return 1 if number < 2 else number * factorial(number - 1)

    @njit
    def twice(number):
        return 2 * factorial(number)

    @njit
    def power(base, exponent):
        return base * power(np.int32(base), exponent - 1) if exponent > 1 else power(base, 1) if exponent < 1 else base

    @njit
    def square(number):
        return power(number, 2)

    assert twice(5) == 240 and factorial(5) == 120
    assert square(7) == 49 and power(7, 2) == 49


SCRIPT = """
import numpy as np
from tests.kernels import test_link_inlining as kernels

@kernels.njit
def {name}(numbers):
    return kernels.sum_of_doubled(numbers) {then}

print({name}(np.arange(4)), *(sum(part.stats.cache_hits.values()) for part in kernels.PARTS))
try:
    {name}(np.arange(12))
except ValueError as error:
    print(*error.args)
"""


def test_a_part_on_disk_serves_other_kernels(tmp_path: Path) -> None:
    first, second = tmp_path / "first.py", tmp_path / "second.py"
    first.write_text(SCRIPT.format(name="first", then="+ 1"), encoding="utf-8")
    second.write_text(SCRIPT.format(name="second", then="- 1"), encoding="utf-8")
    # the second needs the part that it calls, in which the other is; the last time the whole is on disk
    for script, printed in ((first, "13 0 0"), (second, "11 1 0"), (second, "11 0 0")):
        asked = f"import runpy; runpy.run_path({str(script)!r})"
        assert run(asked, ROOT, tmp_path / "cache") == [*printed.split(), "too", "large", "10"]


PARALLEL = """
import numba
from cardgames.kernels.jit import njit

@numba.njit(parallel=True)
def total(n):
    found = 0
    for i in numba.prange(n):
        found += i
    return found

@njit
def part(n):
    return total(n) + 1

@njit
def first(n):
    return part(n) + 1

@njit
def second(n):
    return part(n) + 2
"""


@pytest.mark.skipif("reload_init" not in inspect.getsource(CodeLibrary), reason="this Numba forgets the threads itself")
def test_what_runs_in_parallel_within_a_part_from_disk_finds_its_threads(tmp_path: Path) -> None:
    (tmp_path / "kernels.py").write_text(PARALLEL, encoding="utf-8")
    for name, printed in (("first", "47"), ("second", "48"), ("second", "48")):
        asked = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import kernels; print(kernels.{name}(10))"
        assert run(asked, ROOT, tmp_path / "cache") == [printed]


def test_a_part_with_an_address_of_this_process_is_not_kept() -> None:
    large = np.arange(300_000)

    @njit
    def found(k):
        return large[k]

    @njit
    def caller(k):
        return found(k) + 1

    @njit
    def whole(k):
        return caller(k) + 1

    with pytest.warns(match="dynamic globals"):
        assert whole(7) == 9
    for part in (found.inlined(), caller.inlined()):
        assert part._cache._cache_file._load_index() == {}
