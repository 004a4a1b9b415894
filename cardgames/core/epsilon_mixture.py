"""How likely a player is to choose what he chose, taken to follow a policy but for a whim now and then."""

from cardgames.core import ops
from cardgames.kernels.jit import njit

_WHIM = 0.3
"""The chance of a choice at random."""


@njit
def share_of_choice(rules, state, action, random, which, weights):
    """Return how likely the player to move takes an action by the policy `which` with `weights`, or by a whim by the policy
    `random`.
    """
    at_random = ops.likelihood(rules, state, action, random, weights)
    return _WHIM * at_random + (1.0 - _WHIM) * ops.likelihood(rules, state, action, which, weights)
