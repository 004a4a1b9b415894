"""The ways to play that need no search, as one kernel: the verb `policy`.

They look at the mover's hand, the move to beat and who is the landlord, `frugal` also at what was played and how many
cards the others have, a network at all that its encoding shows. RLCard has no auction: there its rule says what `rhcp`
would, and a network, which judges moves alone, what `frugal` would.
"""

import numpy as np

from cardgames.core import ops
from cardgames.doudizhu.auction import sayable
from cardgames.doudizhu.moves.move_generation import MOST_MOVES
from cardgames.doudizhu.moves.move_sampling import random_lead, random_reply
from cardgames.doudizhu.moves.move_table import BID, CALL, DOUBLE, PASS, ROB
from cardgames.doudizhu.policies.compiled_policies import bid_by_frugal, bid_by_rhcp, by_frugal, by_network, by_rhcp
from cardgames.doudizhu.policies.rlcard_rule import settled_move
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

_ROBS_FROM, _DOUBLES_FROM = 2, 3
"""The bid a hand has to be worth to rob, and to double."""
_PEASANT_UP = 2
"""The peasant whose turn comes after his partner's, in seats after the landlord."""


@njit
def random_word(rules, state, rng):
    """Return a random one of the things that may be said now."""
    words = sayable(rules, state)
    return nth_bit(words, below(rng, popcount(words)))


@njit
def random_action(rules, state, rng):
    """Return a uniformly random legal action."""
    if state.phase != PLAY:
        return random_word(rules, state, rng)
    hand, last = state.hands[state.to_move], np.int64(state.last)
    return random_lead(rules, hand, rng) if last == 0 else random_reply(rules, hand, last, rng)


@njit
def _word_by_value(rules, state, which):
    """Return what a hand is worth saying in the auction, or about doubling, to a policy."""
    hand = state.hands[state.to_move]
    worth = bid_by_frugal(hand) if which in (FRUGAL, NETWORK) else bid_by_rhcp(rules, hand)
    if state.phase == DOUBLING:
        return DOUBLE if worth >= _DOUBLES_FROM else PASS
    if rules.bidding != CALL_ROB:
        return BID + worth - 1 if worth > state.bid else PASS
    if state.bid == 0:
        return CALL if worth > 0 else PASS
    return ROB if worth >= _ROBS_FROM else PASS


@njit
def settled_action(rules, state, which):
    """Return the action that policy number `which` takes for certain, -1 where it takes a random one; a network's before the
    play alone.
    """
    if which == RANDOM:
        return np.int64(-1)
    if state.phase != PLAY:
        return np.int64(_word_by_value(rules, state, which))
    seat, last = np.int64(state.to_move), np.int64(state.last)
    if which == RHCP:
        return np.int64(by_rhcp(rules, state.hands[seat], last))
    if which == FRUGAL:
        return np.int64(by_frugal(rules, state))
    return np.int64(settled_move(rules, state.hands[seat], last, (seat - state.landlord) % 3 == _PEASANT_UP))


@njit
def judges(which, state):
    """Return whether policy number `which` is a network, which is to judge the moves open now."""
    return which == NETWORK and state.phase == PLAY


@njit
def best_moves(rules, state, weights):
    """Return the moves a network finds best, each equally likely."""
    actions, chances = np.empty(MOST_MOVES, np.int32), np.empty(MOST_MOVES)
    return actions[: by_network(rules, state, weights, actions, chances)]


@ops.policy.register(DOUDIZHU_RULES)
@njit
def policy(rules, state, which, weights, rng):
    """Dou Di Zhu's verb `policy`; `which` is one of this module's constants."""
    if judges(which, state):
        moves = best_moves(rules, state, weights)
        return np.int64(moves[below(rng, len(moves))])
    action = settled_action(rules, state, which)
    return action if action >= 0 else np.int64(random_action(rules, state, rng))
