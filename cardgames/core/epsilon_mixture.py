"""Likelihood of an observed action under an epsilon-mixture of a policy and random play."""

from cardgames.core import ops
from cardgames.kernels.jit import njit

_EPSILON = 0.3
"""Probability that a player, assumed to follow a policy, instead acts at random in a decision."""


@njit
def mixture_likelihood(rules, state, action, random_policy_id, policy_id, weights):
    """Return the probability that the player to move chooses `action` under a mixture of two policies.

    With probability `_EPSILON` the player follows the policy `random_policy_id`, otherwise the policy `policy_id` with
    the parameters `weights`.
    """
    random_likelihood = ops.likelihood(rules, state, action, random_policy_id, weights)
    return _EPSILON * random_likelihood + (1.0 - _EPSILON) * ops.likelihood(rules, state, action, policy_id, weights)
