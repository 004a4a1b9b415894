"""What expectimax and a network would do: long kernels few searches need, so they are called by address."""

import numba
from numba.core.types import float32, float64, int32

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
    """Write what a network would do into `actions` (int32 [NUM_ACTIONS]), how likely into `probabilities` (float64, as long), and
    return how many (`networks.network_policy`).
    """
    return action_probabilities(rules, state, weights, actions, probabilities)
