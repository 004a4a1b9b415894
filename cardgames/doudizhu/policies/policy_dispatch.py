"""Policies by number in one kernel: the verb `policy`.

All policies use the hand of the player to move, the move to beat and the landlord's seat. `frugal` also uses the cards
played and the other seats' numbers of cards; a network uses what its encoding contains. RLCard has no auction and networks
evaluate only moves, so in the auction `rlcard-rule` bids like `rhcp`, and networks bid like `frugal`.
"""

import numpy as np

from cardgames.core import ops
from cardgames.doudizhu.auction import legal_auction_mask
from cardgames.doudizhu.moves.move_generation import MAX_MOVES
from cardgames.doudizhu.moves.move_sampling import random_lead, random_reply
from cardgames.doudizhu.moves.move_table import CALL, DOUBLE, FIRST_BID, PASS, ROB
from cardgames.doudizhu.policies.compiled_policies import (
    call_frugal,
    call_frugal_bid,
    call_network,
    call_rhcp,
    call_rhcp_bid,
)
from cardgames.doudizhu.policies.rlcard_rule import deterministic_move
from cardgames.doudizhu.rules import DOUDIZHU_RULES
from cardgames.doudizhu.rules.bidding import CALL_ROB
from cardgames.doudizhu.state import DOUBLING, PLAY
from cardgames.kernels.bits import nth_bit, popcount
from cardgames.kernels.jit import njit
from cardgames.kernels.rng import below

RANDOM, RLCARD_RULE, RHCP, FRUGAL, NETWORK = range(5)
"""Numbers of the policies.

`RANDOM`: uniform over the legal actions. `RLCARD_RULE`: RLCard's doudizhu-rule-v1. `RHCP`: recursive hand-card
partitioning. `FRUGAL`: smallest loss of hand value. `NETWORK`: largest Q of a network (`networks.network_policy`).
"""

POLICIES = {"random": RANDOM, "rlcard-rule": RLCARD_RULE, "rhcp": RHCP, "frugal": FRUGAL}
"""Rollout policies by name."""

_ROB_THRESHOLD, _DOUBLE_THRESHOLD = 2, 3
"""Bids that a hand must be worth to rob, and to double."""
_PEASANT_UP = 2
"""The peasant who acts right after its partner, as a number of seats after the landlord."""


@njit
def random_auction_action(rules, state, rng):
    """Return a uniformly random legal action of the auction."""
    legal = legal_auction_mask(rules, state)
    return nth_bit(legal, below(rng, popcount(legal)))


@njit
def random_action(rules, state, rng):
    """Return a uniformly random legal action."""
    if state.phase != PLAY:
        return random_auction_action(rules, state, rng)
    hand, last = state.hands[state.to_move], np.int64(state.last)
    return random_lead(rules, hand, rng) if last == 0 else random_reply(rules, hand, last, rng)


@njit
def _auction_action(rules, state, policy_id):
    """Return a policy's action in the auction or in doubling, from the bid that the hand is worth to it."""
    hand = state.hands[state.to_move]
    wanted_bid = call_frugal_bid(hand) if policy_id in (FRUGAL, NETWORK) else call_rhcp_bid(rules, hand)
    if state.phase == DOUBLING:
        return DOUBLE if wanted_bid >= _DOUBLE_THRESHOLD else PASS
    if rules.bidding != CALL_ROB:
        return FIRST_BID + wanted_bid - 1 if wanted_bid > state.bid else PASS
    if state.bid == 0:
        return CALL if wanted_bid > 0 else PASS
    return ROB if wanted_bid >= _ROB_THRESHOLD else PASS


@njit
def deterministic_action(rules, state, policy_id):
    """Return the action of policy number `policy_id` if it is deterministic, -1 if it is random.

    A network is supported only before the play.
    """
    if policy_id == RANDOM:
        return np.int64(-1)
    if state.phase != PLAY:
        return np.int64(_auction_action(rules, state, policy_id))
    seat, last = np.int64(state.to_move), np.int64(state.last)
    if policy_id == RHCP:
        return np.int64(call_rhcp(rules, state.hands[seat], last))
    if policy_id == FRUGAL:
        return np.int64(call_frugal(rules, state))
    return np.int64(deterministic_move(rules, state.hands[seat], last, (seat - state.landlord) % 3 == _PEASANT_UP))


@njit
def is_network_decision(policy_id, state):
    """Return whether policy number `policy_id` is a network that has to evaluate the legal moves now."""
    return policy_id == NETWORK and state.phase == PLAY


@njit
def best_network_moves(rules, state, weights):
    """Return a network's best moves; the policy plays each with equal probability."""
    actions, probs = np.empty(MAX_MOVES, np.int32), np.empty(MAX_MOVES)
    return actions[: call_network(rules, state, weights, actions, probs)]


@ops.policy.register(DOUDIZHU_RULES)
@njit
def policy(rules, state, policy_id, weights, rng):
    """Return the action of policy number `policy_id` (a constant of this module); implements `ops.policy`."""
    if is_network_decision(policy_id, state):
        moves = best_network_moves(rules, state, weights)
        return np.int64(moves[below(rng, len(moves))])
    action = deterministic_action(rules, state, policy_id)
    return action if action >= 0 else np.int64(random_action(rules, state, rng))
