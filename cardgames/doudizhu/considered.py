"""What `rhcp` and `frugal` play and what a hand bids by them: long kernels, called by their address (`core.far`)."""

import numba
from numba.core.types import int64, uint64

from cardgames.core.far import far
from cardgames.doudizhu.frugal import frugal, frugal_bid
from cardgames.doudizhu.rhcp import rhcp, wanted_bid
from cardgames.doudizhu.rules import DOUDIZHU_RULES
from cardgames.doudizhu.state import STATE

_RULES = numba.from_dtype(DOUDIZHU_RULES)

by_rhcp = far(_RULES, uint64, int64)(rhcp)
bid_by_rhcp = far(_RULES, uint64)(wanted_bid)
by_frugal = far(_RULES, numba.from_dtype(STATE))(frugal)
bid_by_frugal = far(uint64)(frugal_bid)
