"""Kernel that plays any policy of Dou Di Zhu, chosen by its integer id (implements `ops.policy`).

All policies use the hand of the player to move, the move to beat and the landlord's seat. `frugal` also uses the cards
played and the other seats' numbers of cards; a network uses what its encoding contains. In the auction and in doubling,
`frugal`, `rhcp` and networks take the action of greatest expected payoff (`auction_policy`), which also uses what was bid
before. RLCard has no auction; `rlcard-rule` bids as the code of paper 004 does, by the value of its hand (`rhcp_bid`).
"""

import numpy as np

from cardgames.core import ops
from cardgames.doudizhu.auction import legal_auction_mask
from cardgames.doudizhu.moves.move_generation import MAX_MOVES
from cardgames.doudizhu.moves.move_sampling import random_lead, random_reply
from cardgames.doudizhu.moves.move_table import CALL, DOUBLE, FIRST_BID, PASS, ROB
from cardgames.doudizhu.policies.auction_policy import best_auction_action
from cardgames.doudizhu.policies.compiled_policies import (
    call_beginner,
    call_beginner_bid,
    call_frugal,
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

RANDOM, RLCARD_RULE, RHCP, FRUGAL, NETWORK, BEGINNER = range(6)
"""Ids of the policies.

`RANDOM`: uniform over the legal actions. `RLCARD_RULE`: RLCard's doudizhu-rule-v1. `RHCP`: recursive hand-card
partitioning. `FRUGAL`: smallest loss of hand value. `NETWORK`: largest Q of a network (`networks.network_policy`).
`BEGINNER`: a beginner's mistakes; not for rollouts.
"""

POLICIES = {"random": RANDOM, "rlcard-rule": RLCARD_RULE, "rhcp": RHCP, "frugal": FRUGAL}
"""Name of a rollout policy -> its id."""

_ROB_THRESHOLD, _DOUBLE_THRESHOLD = 2, 3
"""Minimum bid (0 to 3) that `rlcard-rule` would make with a hand in order to rob, and to double the stake."""
_PEASANT_UP = 2
"""Number of seats from the landlord to the peasant that acts right after its partner."""


@njit
def random_auction_action(rules, state, rng):
    """Return the id of a uniformly random legal action of the auction or of doubling."""
    legal = legal_auction_mask(rules, state)
    return nth_bit(legal, below(rng, popcount(legal)))


@njit
def random_action(rules, state, rng):
    """Return the id of a uniformly random legal action in any phase of a round."""
    if state.phase != PLAY:
        return random_auction_action(rules, state, rng)
    hand, last = state.hands[state.to_move], np.int64(state.last)
    return random_lead(rules, hand, rng) if last == 0 else random_reply(rules, hand, last, rng)


@njit
def _auction_action_by_hand(rules, state, policy_id):
    """Return the action id of `rlcard-rule` or `beginner` in the auction or in doubling.

    The policy estimates the bid (0 to 3) that its hand is worth. It bids that if it is higher than the current bid, and
    calls, robs or doubles from a bid of 1, 2 or 3 on.
    """
    hand = state.hands[state.to_move]
    wanted_bid = call_beginner_bid(hand) if policy_id == BEGINNER else call_rhcp_bid(rules, hand)
    if state.phase == DOUBLING:
        return DOUBLE if wanted_bid >= _DOUBLE_THRESHOLD else PASS
    if rules.bidding != CALL_ROB:
        return FIRST_BID + wanted_bid - 1 if wanted_bid > state.bid else PASS
    if state.bid == 0:
        return CALL if wanted_bid > 0 else PASS
    return ROB if wanted_bid >= _ROB_THRESHOLD else PASS


@njit
def deterministic_action(rules, state, policy_id):
    """Return the action id of the policy `policy_id` for the seat to move, or -1 if the policy draws a random legal action.

    A network policy is supported only in the auction and in doubling.
    """
    if policy_id == RANDOM:
        return np.int64(-1)
    if state.phase != PLAY:
        return np.int64(
            _auction_action_by_hand(rules, state, policy_id)
            if policy_id == RLCARD_RULE or policy_id == BEGINNER
            else best_auction_action(rules, state)
        )
    seat, last = np.int64(state.to_move), np.int64(state.last)
    if policy_id == RHCP:
        return np.int64(call_rhcp(rules, state.hands[seat], last))
    if policy_id == FRUGAL:
        return np.int64(call_frugal(rules, state))
    if policy_id == BEGINNER:
        return np.int64(call_beginner(rules, state))
    return np.int64(deterministic_move(rules, state.hands[seat], last, (seat - state.landlord) % 3 == _PEASANT_UP))


@njit
def is_network_decision(policy_id, state):
    """Return whether `policy_id` is a network policy that has to evaluate moves: the state is in the phase of play."""
    return policy_id == NETWORK and state.phase == PLAY


@njit
def best_network_moves(rules, state, weights):
    """Return the ids of the moves with a network's greatest Q, [moves] int32; the policy plays one of them at random."""
    actions, probs = np.empty(MAX_MOVES, np.int32), np.empty(MAX_MOVES)
    return actions[: call_network(rules, state, weights, actions, probs)]


@ops.policy.register(DOUDIZHU_RULES)
@njit
def policy(rules, state, policy_id, weights, rng):
    """Return the action id that the policy `policy_id` takes for the seat to move (implements `ops.policy`).

    `policy_id` is `RANDOM`, `RLCARD_RULE`, `RHCP`, `FRUGAL` or `NETWORK`, and `weights` are those of the network.
    """
    if is_network_decision(policy_id, state):
        moves = best_network_moves(rules, state, weights)
        return np.int64(moves[below(rng, len(moves))])
    action = deterministic_action(rules, state, policy_id)
    return action if action >= 0 else np.int64(random_action(rules, state, rng))
