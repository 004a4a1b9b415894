"""Bids, robs and doubles by expected payoff (`auction_model`), for all policies without an auction of their own."""

import numpy as np

from cardgames.core import ops
from cardgames.doudizhu.auction import legal_auction_mask
from cardgames.doudizhu.moves.move_table import SUPER_DOUBLE
from cardgames.doudizhu.policies.compiled_policies import call_estimates
from cardgames.doudizhu.rules import DOUDIZHU_RULES
from cardgames.doudizhu.state import AUCTION, DOUBLING
from cardgames.kernels.jit import njit

MAX_AUCTION_ACTIONS = SUPER_DOUBLE + 1
"""Upper bound on the number of legal actions in the auction and in doubling."""


@ops.estimate_payoffs.register(DOUDIZHU_RULES)
@njit
def estimate_payoffs(rules, observation, actions, out):
    """Write the expected payoffs of actions in the auction and in doubling (implements `ops.estimate_payoffs`).

    Returns False, with nothing written, in the play. Bids that would lose points as the landlord count at most what a pass
    counts, so that the action of greatest payoff, of several the first, is never such a bid.
    """
    if observation.phase != AUCTION and observation.phase != DOUBLING:
        return False
    call_estimates(rules, observation, actions, out)
    return True


@njit
def best_auction_action(rules, state):
    """Return the id of the legal action of greatest expected payoff in the auction or in doubling, of several the first."""
    actions, payoffs, n = np.empty(MAX_AUCTION_ACTIONS, np.int32), np.empty(MAX_AUCTION_ACTIONS), 0
    legal = legal_auction_mask(rules, state)
    for action in range(MAX_AUCTION_ACTIONS):
        if legal >> action & 1:
            actions[n] = action
            n += 1
    call_estimates(rules, state, actions[:n], payoffs[:n])
    return np.int64(actions[payoffs[:n].argmax()])
