"""The policy `frugal`: it gives away as little of what its hand is worth as it can, and plays with its partner.

It looks at the mover's hand, the cards played and how many the others have. `rules` is a record of type
`DOUDIZHU_RULES`, `room` one of `worth.new_room`.
"""

import numpy as np

from cardgames.doudizhu.hands.hand_value import new_room, worth_of
from cardgames.doudizhu.moves.move_table import PASS
from cardgames.doudizhu.policies.frugal_lead import frugal_lead
from cardgames.doudizhu.policies.frugal_reply import frugal_reply
from cardgames.kernels.jit import njit

BIDS = (-40, -34, -28)
"""The worths from which on a hand of 17 cards bids 1, 2 and 3: one of -40 wins half of its rounds as the landlord, all
playing like this, one of -28 six in ten.
"""


@njit
def frugal(rules, state):
    """Return what the seat to move plays."""
    room = new_room()
    if state.last == PASS:
        return np.int64(frugal_lead(rules, state, room))
    return np.int64(frugal_reply(rules, state, room))


@njit
def frugal_bid(hand):
    """Return how much a hand would bid: 0 (pass) to 3."""
    worth, bid = worth_of(hand, new_room()), np.int64(0)
    for least in BIDS:
        bid += worth >= least
    return bid
