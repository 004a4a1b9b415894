"""Verbs: games are told apart by the type of their rules, and their kernels are checked."""

from typing import Any

import numpy as np
import pytest
from numba.core.errors import TypingError

from cardgames.core import ops
from cardgames.kernels.jit import njit
from cardgames.kernels.record_type import record_type


def test_games_whose_rules_are_laid_out_alike_are_not_mixed_up() -> None:
    rules = np.dtype([("alike", "i8")])

    def ours(rules: Any, state: Any, player: Any) -> bool:
        return True

    def theirs(rules: Any, state: Any, player: Any) -> bool:
        return False

    ops.won.register(rules)(ours)
    ops.won.register(rules)(ours)  # a module that is loaded again
    theirs.__module__ = "elsewhere"
    with pytest.raises(TypeError, match=r"won is that of tests\.kernels\.test_verb for rules of this layout"):
        ops.won.register(rules)(theirs)


def test_a_kernel_of_other_parameters_than_its_verb_is_refused_in_kernels() -> None:
    rules = record_type(__name__, "OTHER_PARAMETERS", [("of_other_parameters", "i8")])

    def won(rules, state, player):
        return True

    @njit
    def asked(rules):
        return ops.won(rules, 0, 0)

    ops.won.register(rules)(won)
    with pytest.raises(TypingError, match="the kernel for won takes"):
        asked(np.zeros(1, rules)[0])


def test_a_function_that_is_no_kernel_is_one_within_kernels() -> None:
    rules = record_type(__name__, "PLAIN", [("plain_function", "i8")])

    def won(rules, state, seat):
        return seat == 1

    @njit
    def asked(rules, seat):
        return ops.won(rules, 0, seat)

    ops.won.register(rules)(won)
    assert asked(np.zeros(1, rules)[0], 1) and not asked(np.zeros(1, rules)[0], 0)
