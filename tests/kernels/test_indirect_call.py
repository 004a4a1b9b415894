"""Tests of indirect calls: compilation at the first call, the compile cache, and Ctrl-C during compilation."""

from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from numba.core.errors import TypingError
from numba.core.types import float32, int64

from cardgames.kernels import indirect_call as module
from cardgames.kernels.indirect_call import CompilationFailed, indirect_call
from tests.process import run

NUMBERS = np.array([1.5, 2.5], np.float32)


def kernels() -> tuple[Any, Any, Any]:
    """Return a kernel, the function that calls it indirectly, and a kernel that calls that function."""

    @numba.njit(nogil=True)
    def weigh(numbers, times):
        total = 0.0
        for number in numbers:
            total += number
        return np.int64(total * times)

    indirect = indirect_call(float32[::1], int64)(weigh)

    @numba.njit(nogil=True)
    def caller(numbers, times):
        return indirect(numbers, times) + 1

    return weigh, indirect, caller


def test_callee_is_compiled_at_its_first_call() -> None:
    weigh, indirect, caller = kernels()
    caller.compile((float32[::1], int64))
    assert not weigh.overloads
    assert caller(NUMBERS, 3) == 13
    assert list(weigh.overloads) == [(float32[::1], int64)]
    assert caller(NUMBERS, 4) == 17 and indirect(NUMBERS, 3) == 12


def test_call_with_other_types_is_refused() -> None:
    _, _, caller = kernels()
    with pytest.raises(TypingError):
        caller(NUMBERS.astype(np.float64), 3)


@pytest.mark.filterwarnings("ignore:.*weigh could not be compiled. no memory:UserWarning")
@pytest.mark.parametrize(
    ("failure", "raised"), [(KeyboardInterrupt(), KeyboardInterrupt), (MemoryError("no memory"), CompilationFailed)]
)
def test_failed_compilation_raises_and_is_repeated_at_the_next_call(
    monkeypatch: pytest.MonkeyPatch, failure: BaseException, raised: type[BaseException]
) -> None:
    _, _, caller = kernels()

    def failing(kernel: Any, arguments: Any) -> int:
        raise failure

    with monkeypatch.context() as patched:
        patched.setattr(module, "_compiled_address", failing)
        with pytest.raises(raised) as caught:
            caller(NUMBERS, 3)
        assert isinstance(caught.value, KeyboardInterrupt) == isinstance(failure, KeyboardInterrupt)
    assert caller(NUMBERS, 3) == 13


SCRIPT = """
import numpy as np
from cardgames.core import ops
from cardgames.kernels import rng
from cardgames.core.game_registry import make
from cardgames.networks.policy_lookup import find_policy
from cardgames.uno.expectimax.expectimax_policy import expectimax_actions
from cardgames.uno.rules import UNO_RULES

game = make("uno", rules="rlcard")
state = game.position(hands=["r5 r6 g6", "g2 b3"], top="r4")
policy = ops.policy.kernel(UNO_RULES)
for name in ("reflex", "expectimax"):
    ops.policy(game.kernel_rules, state.record, *find_policy(game, name), rng.stream(1))
    print(len(expectimax_actions.overloads), sum(policy.stats.cache_hits.values()))
print(sum(expectimax_actions.stats.cache_hits.values()))
"""
"""Script that prints, for a policy without and with expectimax, whether expectimax was compiled, and cache hits."""


def test_machine_code_of_caller_and_callee_is_cached() -> None:
    for _ in range(2):
        printed = run(SCRIPT, Path(__file__).parents[2])
    assert printed == ["0", "1", "1", "1", "1"]
