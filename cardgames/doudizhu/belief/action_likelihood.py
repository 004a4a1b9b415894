"""How likely a policy of `doudizhu.policies.policy_dispatch` is to take an action: the verb `likelihood`."""

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
    """Return how many actions are legal."""
    if state.phase != PLAY:
        return popcount(legal_auction_mask(rules, state))
    hand = state.hands[state.to_move]
    return lead_moves(rules, hand, None) if state.last == 0 else 1 + follow_moves(rules, hand, state.last, None)


@njit
def uniform_probability(moves, action):
    """Return the chance of an action where each of some moves is as likely."""
    return (moves == action).sum() / len(moves)


@ops.likelihood.register(DOUDIZHU_RULES)
@njit
def likelihood(rules, state, action, policy_id, weights):
    """Dou Di Zhu's verb `likelihood`."""
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
    """Dou Di Zhu's verb `likelihoods`: a network judges all moves to say how likely one is."""
    if not is_network_decision(policy_id, state):
        ops.likelihoods_one_by_one(rules, state, actions, policy_id, weights, out)
        return
    moves = best_network_moves(rules, state, weights)
    for i in range(len(actions)):
        out[i] = uniform_probability(moves, actions[i])
