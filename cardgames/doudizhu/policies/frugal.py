"""Policy `frugal`: plays the move that reduces the value of its hand (`hand_value`) least, and helps its partner.

It uses the hand of the player to move, the cards played and the other seats' numbers of cards. `rules` is a record of
type `DOUDIZHU_RULES`, `workspace` comes from `hand_value.new_workspace`.
"""

import numpy as np

from cardgames.doudizhu.hands.hand_value import evaluate_hand, new_workspace
from cardgames.doudizhu.moves.move_table import PASS
from cardgames.doudizhu.policies.frugal_lead import frugal_lead
from cardgames.doudizhu.policies.frugal_reply import frugal_reply
from cardgames.kernels.jit import njit

BID_THRESHOLDS = (-40, -34, -28)
"""Hand values (17 cards) from which on a hand bids 1, 2 and 3.

If all seats play `frugal`, a hand of value -40 wins half of its rounds as the landlord, a hand of value -28 wins 60 %.
"""


@njit
def frugal(rules, state):
    """Return the id of the action that `frugal` takes for the seat to move; the state must be in the phase of play."""
    workspace = new_workspace()
    if state.last == PASS:
        return np.int64(frugal_lead(rules, state, workspace))
    return np.int64(frugal_reply(rules, state, workspace))


@njit
def frugal_bid(hand):
    """Return the highest bid that `frugal` makes for a hand of 17 cards, from 0 (pass) to 3, by the value of the hand."""
    value, bid = evaluate_hand(hand, new_workspace()), np.int64(0)
    for threshold in BID_THRESHOLDS:
        bid += value >= threshold
    return bid
