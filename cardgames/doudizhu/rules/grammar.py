"""What tells moves apart in the eyes of the grammar's rules: features, each of which a rule may forbid.

The table of moves notes the features of every move. A rule set's moves are those with no forbidden feature, so an
axis of the grammar is no more than the features that each of its values forbids.
"""

from collections.abc import Iterable, Mapping
from typing import ClassVar

from cardgames.core.rules import Axis

TWO_EQUAL, THREE_EQUAL, FOUR_EQUAL = 1, 2, 4
"""So many of the single kickers are of one rank (or more: four equal ones have all three features)."""
TWO_JOKERS, ONLY_JOKERS = 8, 16
"""Both jokers are among the kickers; they are all of them."""
NEXT_TO_PLANE, TWOS_NEXT_TO_ACES = 32, 64
"""Three or more equal kickers are of a rank next to the plane's trios: of any but twos beside aces; twos beside aces."""
EQUAL_PAIRS = 128
"""Two of the pairs are of one rank."""
QUAD_KICKERS, PLANE_KICKERS = 256, 512
"""Four of a kind with kickers; two or more consecutive trios with kickers."""
OVERSIZE = 1024
"""More than 20 cards, the most anybody holds."""


class GrammarAxis(Axis):
    """An axis of the grammar."""

    forbids: ClassVar[Mapping[str, int]]
    """Value -> the features no move may have under it."""


def forbidden_features(axes: Iterable[Axis]) -> int:
    """Return all features forbidden by the values on the axes of the grammar; other axes do not count."""
    forbidden = 0
    for axis in axes:
        if isinstance(axis, GrammarAxis):
            forbidden |= axis.forbids[str(axis.value)]
    return forbidden
