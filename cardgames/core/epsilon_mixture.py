"""How likely a player is to choose what he chose, taken to follow a policy but for a whim now and then."""

from cardgames.core import ops
from cardgames.kernels.jit import njit

_EPSILON = 0.3
"""The chance of a choice at random."""


@njit
def mixture_likelihood(rules, state, action, random_policy_id, policy_id, weights):
    """Return how likely the player to move takes an action by the policy `policy_id` with `weights`, or by a whim by the policy
    `random_policy_id`.
    """
    random_likelihood = ops.likelihood(rules, state, action, random_policy_id, weights)
    return _EPSILON * random_likelihood + (1.0 - _EPSILON) * ops.likelihood(rules, state, action, policy_id, weights)
