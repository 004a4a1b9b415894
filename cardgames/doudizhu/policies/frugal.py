"""The policy `frugal`: it gives away as little of what its hand is worth as it can, and plays with its partner.

It looks at the mover's hand, the cards played and how many the others have. `rules` is a record of type
`DOUDIZHU_RULES`, `workspace` one of `worth.new_workspace`.
"""

import numpy as np

from cardgames.doudizhu.hands.hand_value import evaluate_hand, new_workspace
from cardgames.doudizhu.moves.move_table import PASS
from cardgames.doudizhu.policies.frugal_lead import frugal_lead
from cardgames.doudizhu.policies.frugal_reply import frugal_reply
from cardgames.kernels.jit import njit

BID_THRESHOLDS = (-40, -34, -28)
"""The worths from which on a hand of 17 cards bids 1, 2 and 3: one of -40 wins half of its rounds as the landlord, all
playing like this, one of -28 six in ten.
"""


@njit
def frugal(rules, state):
    """Return what the seat to move plays."""
    workspace = new_workspace()
    if state.last == PASS:
        return np.int64(frugal_lead(rules, state, workspace))
    return np.int64(frugal_reply(rules, state, workspace))


@njit
def frugal_bid(hand):
    """Return how much a hand would bid: 0 (pass) to 3."""
    value, bid = evaluate_hand(hand, new_workspace()), np.int64(0)
    for least in BID_THRESHOLDS:
        bid += value >= least
    return bid
