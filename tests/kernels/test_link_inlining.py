"""Tests of link-time inlining: entry kernels and inlined kernels, their code, errors, recursion and cache files."""

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
INLINED = sum_of_doubled.inlined(), doubled.inlined()


def test_inlined_kernel_has_no_machine_code_until_python_calls_it() -> None:
    @njit
    def tripled(number):
        return 3 * number

    @njit
    def tripled_and_one(number):
        return tripled(number) + 1

    assert tripled_and_one(4) == 13
    assert len(tripled.inlined().signatures) == 1 and not tripled.signatures
    assert len(tripled_and_one.signatures) == 1 and not tripled_and_one.inlined().signatures
    (compiled,) = tripled.inlined().overloads.values()
    wrappers = {compiled.fndesc.llvm_cpython_wrapper_name, compiled.fndesc.llvm_cfunc_wrapper_name}
    assert not wrappers & {function.name for function in compiled.library.get_defined_functions()}
    assert tripled(3) == 9 and len(tripled.signatures) == 1


def test_inlined_kernel_has_one_version_for_all_signed_integers() -> None:
    @njit
    def shifted(number, by=1):
        return number + by

    @njit
    def shifted_by_all(narrow, wide, unsigned):
        return shifted(narrow) + shifted(wide, by=3) + shifted(-5, 2) + np.int64(shifted(unsigned[0], unsigned[0]))

    assert shifted_by_all(np.int8(127), 2**40, np.array([2**63], np.uint64)) == 128 + 2**40 + 3 - 3
    types = [tuple(map(str, signature)) for signature in shifted.inlined().signatures]
    assert types == [("int64", "omitted(default=1)"), ("int64", "int64"), ("uint64", "uint64")]


@pytest.fixture(scope="module")
def levels() -> list[Any]:
    """Compile a chain of kernels and return the compiled code of each.

    `stirred_often`, the entry kernel, calls `stirred_twice`, which calls `stirred`, which LLVM does not inline because of
    its length; `looked_up` is short.
    """
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
    return [compiled for kernel in kernels for compiled in kernel.overloads.values()]


def test_inlined_kernel_only_declares_long_callees(levels: list[Any]) -> None:
    _, stirred, stirred_twice, entry = levels

    def defines(compiled):
        return stirred.fndesc.mangled_name in {function.name for function in compiled.library.get_defined_functions()}

    assert defines(stirred) and not defines(stirred_twice) and defines(entry)


def test_entry_kernel_merges_copies_of_a_constant_array(levels: list[Any]) -> None:
    _, *inlined, entry = levels

    def tables(compiled):
        return sum(".const.array" in variable.name for variable in compiled.library._final_module.global_variables)

    assert [tables(kernel) for kernel in inlined] == [1, 1] and tables(entry) == 1


def test_damaged_bitcode_of_a_callee_is_detected(levels: list[Any]) -> None:
    library = levels[2].library
    own, called = library.modules
    damaged = called._replace(code=called.code[:-1] + bytes([called.code[-1] ^ 1]))
    with pytest.raises(zlib.error):
        type(library).of(library.codegen, library.name, [own, damaged], ())


def test_error_raised_in_inlined_kernel_keeps_its_arguments() -> None:
    with pytest.raises(ValueError) as raised:
        sum_of_doubled(np.array([1, 30]))
    assert raised.value.args == ("too large", 30)


def test_recursive_kernels_can_be_inlined() -> None:
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

print({name}(np.arange(4)), *(sum(kernel.stats.cache_hits.values()) for kernel in kernels.INLINED))
try:
    {name}(np.arange(12))
except ValueError as error:
    print(*error.args)
"""


def test_cached_inlined_kernel_is_used_by_other_kernels(tmp_path: Path) -> None:
    first, second = tmp_path / "first.py", tmp_path / "second.py"
    first.write_text(SCRIPT.format(name="first", then="+ 1"), encoding="utf-8")
    second.write_text(SCRIPT.format(name="second", then="- 1"), encoding="utf-8")
    # the second script loads `sum_of_doubled`, which contains `doubled`; its last run loads the entry kernel
    for script, printed in ((first, "13 0 0"), (second, "11 1 0"), (second, "11 0 0")):
        command = f"import runpy; runpy.run_path({str(script)!r})"
        assert run(command, ROOT, tmp_path / "cache") == [*printed.split(), "too", "large", "10"]


PARALLEL = """
import numba
from cardgames.kernels.jit import njit

@numba.njit(parallel=True)
def total(n):
    result = 0
    for i in numba.prange(n):
        result += i
    return result

@njit
def inlined(n):
    return total(n) + 1

@njit
def first(n):
    return inlined(n) + 1

@njit
def second(n):
    return inlined(n) + 2
"""


@pytest.mark.skipif(
    "reload_init" not in inspect.getsource(CodeLibrary), reason="this version of Numba restores no threads"
)
def test_cached_inlined_kernel_with_parallel_code_starts_threads(tmp_path: Path) -> None:
    (tmp_path / "kernels.py").write_text(PARALLEL, encoding="utf-8")
    for name, printed in (("first", "47"), ("second", "48"), ("second", "48")):
        command = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import kernels; print(kernels.{name}(10))"
        assert run(command, ROOT, tmp_path / "cache") == [printed]


def test_inlined_kernel_with_an_address_of_this_process_is_not_cached() -> None:
    large = np.arange(300_000)

    @njit
    def element(k):
        return large[k]

    @njit
    def caller(k):
        return element(k) + 1

    @njit
    def entry(k):
        return caller(k) + 1

    with pytest.warns(match="dynamic globals"):
        assert entry(7) == 9
    for kernel in (element.inlined(), caller.inlined()):
        assert kernel._cache._cache_file._load_index() == {}
