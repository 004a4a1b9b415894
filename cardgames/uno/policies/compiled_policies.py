"""Expectimax and network policies as kernels called through function pointers.

They are long and few searches need them, so they are not inlined into every search.
"""

import numba
from numba import float32, float64, int32

from cardgames.kernels.indirect_call import indirect_call
from cardgames.kernels.jit import njit
from cardgames.networks.network_policy import action_probabilities
from cardgames.uno.expectimax.expectimax_policy import expectimax_actions
from cardgames.uno.rules import UNO_RULES
from cardgames.uno.state import STATE

_RECORD_TYPES = numba.from_dtype(UNO_RULES), numba.from_dtype(STATE)

indirect_expectimax_actions = indirect_call(*_RECORD_TYPES, int32[::1])(expectimax_actions)


@indirect_call(*_RECORD_TYPES, float32[::1], int32[::1], float64[::1])
@njit
def indirect_network_actions(rules, state, weights, actions, probabilities):
    """Write the actions of a network policy and their probabilities, and return their number.

    `weights` are the network's parameters (`networks.network_policy`). `actions` is `[NUM_ACTIONS] int32`,
    `probabilities` `[NUM_ACTIONS] float64`.
    """
    return action_probabilities(rules, state, weights, actions, probabilities)
