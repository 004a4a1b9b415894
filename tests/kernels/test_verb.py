"""Tests of verbs: dispatch on the dtype of the rules, and checks of registered kernels."""

from typing import Any

import numpy as np
import pytest
from numba.core.errors import TypingError

from cardgames.core import ops
from cardgames.kernels.jit import njit
from cardgames.kernels.record_type import record_type


def test_second_game_with_same_rules_layout_is_refused() -> None:
    rules = np.dtype([("alike", "i8")])

    def first(rules: Any, state: Any, player: Any) -> bool:
        return True

    def second(rules: Any, state: Any, player: Any) -> bool:
        return False

    ops.won.register(rules)(first)
    ops.won.register(rules)(first)  # as when a module is reloaded
    second.__module__ = "elsewhere"
    with pytest.raises(
        TypeError, match=r"tests\.kernels\.test_verb has registered the verb won for rules with the same fields"
    ):
        ops.won.register(rules)(second)


def test_kernel_with_other_parameters_than_its_verb_is_refused() -> None:
    rules = record_type(__name__, "OTHER_PARAMETERS", [("of_other_parameters", "i8")])

    def won(rules, state, player):
        return True

    @njit
    def call_won(rules):
        return ops.won(rules, 0, 0)

    ops.won.register(rules)(won)
    with pytest.raises(TypingError, match="the kernel of the verb won has the parameters"):
        call_won(np.zeros(1, rules)[0])


def test_registered_plain_function_is_compiled_inside_kernels() -> None:
    rules = record_type(__name__, "PLAIN", [("plain_function", "i8")])

    def won(rules, state, seat):
        return seat == 1

    @njit
    def call_won(rules, seat):
        return ops.won(rules, 0, seat)

    ops.won.register(rules)(won)
    assert call_won(np.zeros(1, rules)[0], 1) and not call_won(np.zeros(1, rules)[0], 0)
