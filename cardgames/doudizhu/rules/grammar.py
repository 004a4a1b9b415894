"""The grammar of moves: features of moves that a rule can forbid, and the base class of rules that do so.

The move table stores the features of every move. A rule set allows the moves that have no forbidden feature. So each
axis of the grammar only lists, for each of its values, the features that the value forbids.
"""

from collections.abc import Iterable, Mapping
from typing import ClassVar

from cardgames.core.rules import Axis

TWO_EQUAL, THREE_EQUAL, FOUR_EQUAL = 1, 2, 4
"""At least two, three or four of the single kickers have the same rank; four equal kickers have all three features."""
TWO_JOKERS, ONLY_JOKERS = 8, 16
"""Both jokers are among the kickers; both jokers are the only kickers."""
NEXT_TO_PLANE, TWOS_NEXT_TO_ACES = 32, 64
"""Three or more equal kickers have a rank next to the plane's trios: other than twos next to aces; twos next to aces."""
EQUAL_PAIRS = 128
"""Two of the pair kickers have the same rank."""
QUAD_KICKERS, PLANE_KICKERS = 256, 512
"""Four of a kind with kickers; two or more consecutive trios with kickers."""
OVERSIZE = 1024
"""More than 20 cards, the most a seat can hold."""


class GrammarAxis(Axis):
    """Rule axis that decides which moves exist."""

    forbids: ClassVar[Mapping[str, int]]
    """Value -> the features that no move may have under it."""


def forbidden_features(axes: Iterable[Axis]) -> int:
    """Return all features that the values of the grammar's axes forbid; other axes are ignored."""
    forbidden = 0
    for axis in axes:
        if isinstance(axis, GrammarAxis):
            forbidden |= axis.forbids[str(axis.value)]
    return forbidden
