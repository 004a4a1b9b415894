"""Kernels for the probability that a policy of `doudizhu.policies.policy_dispatch` takes a given action in a state.

They implement `ops.likelihood` and `ops.likelihoods`.
"""

from cardgames.core import ops
from cardgames.doudizhu.auction import legal_auction_mask
from cardgames.doudizhu.moves.move_generation import follow_moves, lead_moves
from cardgames.doudizhu.policies.policy_dispatch import best_network_moves, deterministic_action, is_network_decision
from cardgames.doudizhu.rules import DOUDIZHU_RULES
from cardgames.doudizhu.state import PLAY
from cardgames.kernels.bits import popcount
from cardgames.kernels.jit import njit


@njit
def count_legal_actions(rules, state):
    """Return the number of legal actions in `state` for the seat to move, counted without listing them."""
    if state.phase != PLAY:
        return popcount(legal_auction_mask(rules, state))
    hand = state.hands[state.to_move]
    return lead_moves(rules, hand, None) if state.last == 0 else 1 + follow_moves(rules, hand, state.last, None)


@njit
def uniform_probability(moves, action):
    """Return the probability of `action` if one of the array `moves` is drawn uniformly; 0 if `action` is not in it."""
    return (moves == action).sum() / len(moves)


@ops.likelihood.register(DOUDIZHU_RULES)
@njit
def likelihood(rules, state, action, policy_id, weights):
    """Return the probability that the policy `policy_id` takes `action` in `state` (implements `ops.likelihood`).

    It is 0 for an illegal action. `weights` are those of a network policy.
    """
    if not ops.is_legal(rules, state, action):
        return 0.0
    if is_network_decision(policy_id, state):
        return uniform_probability(best_network_moves(rules, state, weights), action)
    deterministic = deterministic_action(rules, state, policy_id)
    if deterministic >= 0:
        return 1.0 if deterministic == action else 0.0
    return 1.0 / count_legal_actions(rules, state)


@ops.likelihoods.register(DOUDIZHU_RULES)
@njit
def likelihoods(rules, state, actions, policy_id, weights, out):
    """Write the probability that the policy `policy_id` takes each of `actions` into `out` (implements `ops.likelihoods`).

    A network must evaluate all legal moves to give the probability of one, so it is evaluated once for all `actions`.
    """
    if not is_network_decision(policy_id, state):
        ops.likelihoods_one_by_one(rules, state, actions, policy_id, weights, out)
        return
    moves = best_network_moves(rules, state, weights)
    for i in range(len(actions)):
        out[i] = uniform_probability(moves, actions[i])
