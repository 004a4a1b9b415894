"""Far kernels: compiled by themselves at the first call, found on disk afterwards, and Ctrl-C meanwhile is heard."""

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
    """Return a kernel, the same as a far one, and one that calls this."""

    @numba.njit(nogil=True)
    def weigh(numbers, times):
        total = 0.0
        for number in numbers:
            total += number
        return np.int64(total * times)

    distant = indirect_call(float32[::1], int64)(weigh)

    @numba.njit(nogil=True)
    def caller(numbers, times):
        return distant(numbers, times) + 1

    return weigh, distant, caller


def test_it_is_compiled_when_it_is_first_called() -> None:
    weigh, distant, caller = kernels()
    caller.compile((float32[::1], int64))
    assert not weigh.overloads
    assert caller(NUMBERS, 3) == 13
    assert list(weigh.overloads) == [(float32[::1], int64)]
    assert caller(NUMBERS, 4) == 17 and distant(NUMBERS, 3) == 12


def test_other_types_are_refused() -> None:
    _, _, caller = kernels()
    with pytest.raises(TypingError):
        caller(NUMBERS.astype(np.float64), 3)


@pytest.mark.filterwarnings("ignore:.*weigh could not be compiled. no memory:UserWarning")
@pytest.mark.parametrize(
    ("failure", "raised"), [(KeyboardInterrupt(), KeyboardInterrupt), (MemoryError("no memory"), CompilationFailed)]
)
def test_a_compilation_that_fails_stops_the_caller_and_is_made_up_for(
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
"""Prints, of a policy that does not look ahead and of one that does, whether expectimax was needed, and what was on disk."""


def test_machine_code_of_callers_and_called_is_kept_between_processes() -> None:
    for _ in range(2):
        words = run(SCRIPT, Path(__file__).parents[2])
    assert words == ["0", "1", "1", "1", "1"]
