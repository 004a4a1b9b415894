"""What `rhcp`, `frugal` and a network play, and what a hand bids: long kernels, called by their address (`core.far`)."""

import numba
from numba.core.types import float32, float64, int32, int64, uint64

from cardgames.core.far import far
from cardgames.core.jit import njit
from cardgames.core.network_policy import weigh_choices
from cardgames.doudizhu.frugal import frugal, frugal_bid
from cardgames.doudizhu.rhcp import rhcp, wanted_bid
from cardgames.doudizhu.rules import DOUDIZHU_RULES
from cardgames.doudizhu.state import STATE

_RULES, _STATE = numba.from_dtype(DOUDIZHU_RULES), numba.from_dtype(STATE)

by_rhcp = far(_RULES, uint64, int64)(rhcp)
bid_by_rhcp = far(_RULES, uint64)(wanted_bid)
by_frugal = far(_RULES, _STATE)(frugal)
bid_by_frugal = far(uint64)(frugal_bid)


@far(_RULES, _STATE, float32[::1], int32[::1], float64[::1])
@njit
def by_network(rules, state, weights, actions, chances):
    """Write the moves a network finds best into `actions` (int32 [MOST_MOVES]), how likely each is into `chances` (float64,
    as long), and return how many (`core.network_policy`): 0 before the play.
    """
    return weigh_choices(rules, state, weights, actions, chances)
