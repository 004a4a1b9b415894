"""The actions that expectimax and a network find best: long kernels few searches need, so they are called by address."""

import numba
from numba.core.types import float32, int32

from cardgames.core.far import far
from cardgames.core.greedy import greedy_actions
from cardgames.core.jit import njit
from cardgames.uno.expectimax import expectimax_actions
from cardgames.uno.rules import UNO_RULES
from cardgames.uno.state import STATE

_TABLE = numba.from_dtype(UNO_RULES), numba.from_dtype(STATE)

by_expectimax = far(*_TABLE, int32[::1])(expectimax_actions)


@far(*_TABLE, float32[::1], int32[::1])
@njit
def by_network(rules, state, weights, best):
    """Write the actions a Q-network finds best into `best` (int32 [NUM_ACTIONS]) and return how many (`core.greedy`)."""
    return greedy_actions(rules, state, weights, best)
