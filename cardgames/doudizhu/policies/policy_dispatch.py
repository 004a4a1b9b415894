"""The ways to play that need no search, as one kernel: the verb `policy`.

They look at the mover's hand, the move to beat and who is the landlord, `frugal` also at what was played and how many
cards the others have, a network at all that its encoding shows. RLCard has no auction: there its rule says what `rhcp`
would, and a network, which judges moves alone, what `frugal` would.
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
"""Uniform over the legal action ids; RLCard's doudizhu-rule-v1; recursive hand-card partitioning; the least worth
given away; the greatest Q of a network (`networks.network_policy`)."""

POLICIES = {"random": RANDOM, "rlcard-rule": RLCARD_RULE, "rhcp": RHCP, "frugal": FRUGAL}
"""The policies that can play a simulation out, by name."""

_ROB_THRESHOLD, _DOUBLE_THRESHOLD = 2, 3
"""The bid a hand has to be worth to rob, and to double."""
_PEASANT_UP = 2
"""The peasant whose turn comes after his partner's, in seats after the landlord."""


@njit
def random_auction_action(rules, state, rng):
    """Return a random one of the things that may be said now."""
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
    """Return what a hand is worth saying in the auction, or about doubling, to a policy."""
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
    """Return the action that policy number `policy_id` takes for certain, -1 where it takes a random one; a network's before the
    play alone.
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
    """Return whether policy number `policy_id` is a network, which is to judge the moves open now."""
    return policy_id == NETWORK and state.phase == PLAY


@njit
def best_network_moves(rules, state, weights):
    """Return the moves a network finds best, each equally likely."""
    actions, chances = np.empty(MAX_MOVES, np.int32), np.empty(MAX_MOVES)
    return actions[: call_network(rules, state, weights, actions, chances)]


@ops.policy.register(DOUDIZHU_RULES)
@njit
def policy(rules, state, policy_id, weights, rng):
    """Dou Di Zhu's verb `policy`; `policy_id` is one of this module's constants."""
    if is_network_decision(policy_id, state):
        moves = best_network_moves(rules, state, weights)
        return np.int64(moves[below(rng, len(moves))])
    action = deterministic_action(rules, state, policy_id)
    return action if action >= 0 else np.int64(random_action(rules, state, rng))
